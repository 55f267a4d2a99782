import type { Finding } from './home.ts';

/** How many events of a session may be missing from the ledger by what `doctor` says. */
export function missingShown(findings: readonly Finding[], session: string): number {
  return findings
    .filter(({ what }) => what.includes(session))
    .reduce((sum, { why }) => sum + Number(/up to (\d+) neutral/.exec(why)?.[1] ?? 0), 0);
}
