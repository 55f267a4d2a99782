import { AGENT } from './parse.ts';

export const SHELL_FORM = new RegExp(
  `(?:^|[\\\\/\\s"'])fairlead[\\w.-]*["']?\\s+hook\\s+--agent\\s+["']?${AGENT}(?![\\w-])`,
);
export const OWN_URL = new RegExp(`^http://(?:127\\.0\\.0\\.1|localhost|\\[::1\\]):\\d+/hook/${AGENT}$`);

/** Whether the command or the address that a transcript has of a hook is ours. */
export function isOwnHook(shown: string): boolean {
  return SHELL_FORM.test(shown) || OWN_URL.test(shown);
}
