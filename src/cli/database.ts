import { toldBy } from '../adapters/registry.ts';
import type { Database } from '../platform/database.ts';
import { findDecisions, findSessions, readRows, recentSessions } from '../ledger/read.ts';
import type { StoredRow } from '../ledger/read.ts';
import { parseDuration } from '../text/duration.ts';
import { CommandError, UsageError } from './command.ts';
import type { CliWorld } from './command.ts';
import { knownRules, rootAt, ruleNamed } from './known-rules.ts';
import { printableLine } from './table.ts';

export function databaseOf(world: CliWorld): Database {
  const { db } = world.engine().memory;
  if (!db)
    throw new CommandError(`the database in ${world.paths.state} cannot be opened; \`fairlead doctor\` says why`);
  return db;
}

/** The session that `--session` means: its whole id, or a unique beginning of it. `recent` are named where it means none. */
export function sessionNamed(given: string, known: readonly string[], recent: readonly string[] = []): string {
  if (known.includes(given)) return given;
  const found = known.filter((session) => session.startsWith(given));
  const [only] = found;
  if (only === undefined) {
    const others =
      recent.length > 0
        ? `the latest are ${recent.map(printableLine).join(', ')}`
        : '`fairlead stats` lists the sessions of the last day';
    throw new UsageError(`no session "${given}" here; ${others}`);
  }
  if (found.length > 1) throw new UsageError(`"${given}" stands for several sessions: ${found.join(', ')}`);
  return only;
}

/** How many sessions a person who gave none of them is told of. */
const MOST_NAMED = 5;

/** The session that `--session` means to the ledger: that of this shell, else the last one of this project, where it stands alone. `more` are known from elsewhere. */
export function sessionMeant(given: string, world: CliWorld, more: readonly string[] = []): string {
  const db = databaseOf(world);
  if (given === 'last') {
    const last = toldBy(world.env).sessionId ?? readRows(db, { root: rootAt(world), last: 1 })[0]?.session;
    if (last === undefined) throw new UsageError(`no session was heard of in ${rootAt(world)}; give the id of one`);
    return last;
  }
  const known = [...new Set([...findSessions(db, given), ...more])];
  return sessionNamed(given, known, recentSessions(db, MOST_NAMED));
}

/** The id of the rule that is meant: a typo must not pass for one that never spoke, and one that is gone by now may still be in the ledger. */
export async function ruleMeant(name: string, world: CliWorld): Promise<string> {
  const isThere = readRows(databaseOf(world), { rule: name, last: 1 }).length > 0;
  return isThere ? name : ruleNamed(await knownRules(world), name).meta.id;
}

/** The moment that `--since 1h` means. */
export function sinceOf(given: string, now: number): number {
  const span = parseDuration(given);
  if (span === undefined) throw new UsageError(`--since wants a time span such as 30m, 4h or 2d, not "${given}"`);
  return now - span;
}

/** The decision of that id, or of which that is a unique beginning or end. */
export function decisionNamed(id: string, world: CliWorld): StoredRow {
  const [row, ...others] = findDecisions(databaseOf(world), id);
  if (!row) throw new CommandError(`no decision "${id}" in the ledger; \`fairlead log\` lists the newest`);
  if (others.length === 0) return row;
  const ids = [row, ...others].map((found) => found.id);
  throw new CommandError(
    `"${id}" stands for ${ids.length === 20 ? 'many' : ids.length} decisions: ${ids.slice(0, 8).join(', ')}${ids.length > 8 ? ', …' : ''}`,
  );
}
