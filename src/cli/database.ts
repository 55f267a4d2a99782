import type { Database } from '../platform/database.ts';
import { findSessions } from '../ledger/read.ts';
import { parseDuration } from '../engine/duration.ts';
import { CommandError, UsageError } from './command.ts';
import type { CliWorld } from './command.ts';

export function databaseOf(world: CliWorld): Database {
  const { db } = world.engine().memory;
  if (!db)
    throw new CommandError(`the database in ${world.paths.state} cannot be opened; \`fairlead doctor\` says why`);
  return db;
}

/** The session that `--session` means: its whole id, or a unique beginning of it. */
export function sessionNamed(given: string, known: readonly string[]): string {
  if (known.includes(given)) return given;
  const found = known.filter((session) => session.startsWith(given));
  const [only] = found;
  if (only === undefined)
    throw new CommandError(`no session "${given}" here; \`fairlead stats\` lists the sessions of the last day`);
  if (found.length > 1) throw new CommandError(`"${given}" stands for several sessions: ${found.join(', ')}`);
  return only;
}

export function ledgerSession(given: string, db: Database): string {
  return sessionNamed(given, findSessions(db, given));
}

/** The moment that `--since 1h` means. */
export function sinceOf(given: string, now: number): number {
  const span = parseDuration(given);
  if (span === undefined) throw new UsageError(`--since wants a time span such as 30m, 4h or 2d, not "${given}"`);
  return now - span;
}
