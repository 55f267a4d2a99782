import { findBrokenPlaceholder } from './placeholders.ts';
import type { Problem } from '../../user-rules/problem.ts';

/** A person's own wording for one variant of one rule. Empty text is intended silence. */
export interface MessageOverride {
  readonly rule: string;
  readonly variant: string;
  readonly text: string;
}

/** `name` is the path below the messages directory: `<rule id>/<variant>.md`. */
export function parseMessage(
  text: string,
  { file, name }: { readonly file: string; readonly name: string },
): { readonly message?: MessageOverride; readonly problems: readonly Problem[] } {
  const slash = name.lastIndexOf('/');
  const warn = (line: number, message: string) => ({
    problems: [{ file, line, key: '', message: `${message}; the override is left out`, severity: 'warning' as const }],
  });
  if (slash === -1) return warn(1, 'expected messages/<rule>/<variant>.md');
  const body = text.replaceAll('\r\n', '\n');
  const broken = findBrokenPlaceholder(body);
  if (broken) return warn(broken.line, broken.message);
  const variant = name.slice(slash + 1, -'.md'.length);
  return { message: { rule: name.slice(0, slash), variant, text: body.trim() }, problems: [] };
}
