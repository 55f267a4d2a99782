import type { Database } from '../platform/database.ts';

/** Numbers of one session that no event has and no engine gave back. */
export interface Gap {
  readonly session: string;
  /** Inclusive. */
  readonly ranges: readonly (readonly [number, number])[];
  /** How many numbers that is: at most so many events are missing, fewer when the engine had taken numbers ahead. */
  readonly missing: number;
  /** When the session was last heard of. */
  readonly lastAt: number;
}

/**
 * An event whose decision changed anything is stored with that change, so what is missing here was neutral: it waited to
 * be written when its engine was killed. `held` are the numbers that a running engine has taken for events to come.
 * Agents choose the names of sessions, so one may be called like what every object has.
 */
export function findGaps(db: Database, held: Readonly<Record<string, readonly Range[]>> = {}): Gap[] {
  const sessions = db
    .prepare(
      `SELECT session, reserved, min(seq) AS first, max(at) AS lastAt, count(*) AS used
       FROM sequences JOIN events USING (session) GROUP BY session ORDER BY lastAt`,
    )
    .all() as { session: string; reserved: number; first: number; lastAt: number; used: number }[];
  const { rotated } = db.prepare('SELECT coalesce(min(n), 1) > 1 AS rotated FROM events').get() as { rotated: number };
  const gaps: Gap[] = [];
  for (const { session, reserved, first, lastAt, used } of sessions) {
    // Once old rows have been deleted, low numbers are missing by design.
    const start = rotated === 1 ? first : 1;
    if (used === reserved - start + 1) continue;
    const covered = [
      ...usedRanges(db, session),
      ...releasedRanges(db, session),
      ...(Object.hasOwn(held, session) ? (held[session] ?? []) : []),
    ];
    const ranges = missingBetween(start, reserved, covered);
    if (ranges.length === 0) continue;
    gaps.push({ session, ranges, lastAt, missing: ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0) });
  }
  return gaps;
}

type Range = readonly [number, number];

function usedRanges(db: Database, session: string): Range[] {
  const found = db.prepare('SELECT seq FROM events WHERE session = ?').all(session) as { seq: number }[];
  return found.map(({ seq }) => [seq, seq]);
}

function releasedRanges(db: Database, session: string): Range[] {
  const found = db.prepare('SELECT first, last FROM released WHERE session = ?').all(session);
  return (found as { first: number; last: number }[]).map(({ first, last }) => [first, last]);
}

/** What of `first..last` no range covers. */
function missingBetween(first: number, last: number, covered: readonly Range[]): Range[] {
  const missing: Range[] = [];
  let next = first;
  for (const [from, to] of [...covered].sort((a, b) => a[0] - b[0])) {
    if (from > next) missing.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= last) missing.push([next, last]);
  return missing;
}
