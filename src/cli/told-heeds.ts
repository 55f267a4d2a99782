import { FOLLOW_WORDS } from '../event/heed.ts';
import { readHeeds } from '../ledger/heeds.ts';
import type { ReadHeed, SayingCall } from '../ledger/heeds.ts';
import type { StoredRow } from '../ledger/read.ts';
import type { Database } from '../platform/database.ts';
import { counted } from '../text/counted.ts';
import { cut } from './table.ts';
import { whatHappened } from './what-happened.ts';

/** What the agent made of the advice of one rule, and the calls that say so. */
export interface ToldHeed extends Pick<ReadHeed, 'rule' | 'outcome'> {
  readonly calls: readonly (Omit<SayingCall, 'event'> & { readonly what: string })[];
}

const LONGEST = 60;
const MOST_SHOWN = 3;

/** By the numbers of their rows. */
export function toldHeeds(
  db: Database,
  rows: readonly StoredRow[],
  userHome: string,
): ReadonlyMap<number, readonly ToldHeed[]> {
  const roots = new Map(rows.map(({ n, root }) => [n, root]));
  return new Map(
    [...readHeeds(db, rows)].map(([n, heeds]) => {
      const from = { root: roots.get(n) ?? '', userHome };
      const told = ({ event, ...call }: SayingCall) => ({ ...call, what: cut(whatHappened(event, from), LONGEST) });
      return [n, heeds.map(({ calls, ...heed }) => ({ ...heed, calls: calls.map(told) }))];
    }),
  );
}

export function describeHeed({ outcome, calls }: ToldHeed): string {
  if (outcome === 'open') return 'not known yet: the agent may still follow it';
  const word = FOLLOW_WORDS[outcome];
  if (outcome === 'moot') return `${word}: the turn or the session ended first, or it was said again`;
  const shown = calls.slice(-MOST_SHOWN).map(({ what, id }) => `${what} (${id})`);
  const left = calls.length - shown.length;
  return outcome === 'ignored'
    ? `${word} in ${counted(calls.length, 'call')}: ${left > 0 ? '…, ' : ''}${shown.join(', ')}`
    : `${word} with ${shown.join(', ')}`;
}
