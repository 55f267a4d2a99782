import { toldBy } from '../adapters/registry.ts';
import { CommandError } from './command.ts';
import type { CliWorld, Input, Option } from './command.ts';
import { rootAt } from './known-rules.ts';
import { formatSpan } from './table.ts';

const RECENT_MS = 10 * 60_000;

export const SESSION_OPTION = {
  session: { type: 'string', value: 'ID', bare: '', help: 'the session, or the start of its id' },
} as const satisfies Record<string, Option>;

interface Seen {
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  readonly at: number;
}

/** The session that is meant: the one that is named, else that of this shell, else the only one that was active here. */
export function sessionOf(input: Input, world: CliWorld): string {
  return namedSession(input, world) ?? onlyActive(world);
}

export function namedSession(input: Input, world: CliWorld): string | undefined {
  const given = input.text('session');
  if (given !== undefined && given !== '') return sessionNamed(given, world);
  return toldBy(world.env).sessionId;
}

function onlyActive(world: CliWorld): string {
  const root = rootAt(world);
  const now = world.engine().clock.now();
  const recent = sessionsSince(world, now - RECENT_MS, root);
  const [only] = recent;
  if (only && recent.length === 1) return only.session;
  if (recent.length > 1)
    throw new CommandError(
      `several sessions were active in ${root}; choose one with --session:\n${lines(recent, now)}`,
    );
  const elsewhere = sessionsSince(world, now - RECENT_MS);
  const next =
    elsewhere.length === 0 ? '; name it with --session' : `; choose one with --session:\n${lines(elsewhere, now)}`;
  throw new CommandError(`no session was active in ${root} in the last ten minutes${next}`);
}

/** A whole id is taken as it is once it was seen; the start of one when it fits one session only. */
function sessionNamed(given: string, world: CliWorld): string {
  const now = world.engine().clock.now();
  const fitting = sessionsSince(world, 0).filter(({ session }) => given !== '' && session.startsWith(given));
  const exact = fitting.find(({ session }) => session === given);
  const [only] = fitting;
  if (exact) return exact.session;
  if (only && fitting.length === 1) return only.session;
  if (fitting.length > 1) throw new CommandError(`several sessions start with "${given}":\n${lines(fitting, now)}`);
  const recent = sessionsSince(world, now - RECENT_MS);
  throw new CommandError(
    `no session "${given}" in the record${recent.length === 0 ? '' : `; active in the last ten minutes:\n${lines(recent, now)}`}`,
  );
}

function sessionsSince(world: CliWorld, since: number, root?: string): Seen[] {
  const { memory } = world.engine();
  const where = root === undefined ? '' : ' AND root = ?';
  const rows = memory.db?.prepare(
    `SELECT session, agent, root, max(at) AS at FROM events WHERE at >= ?${where} GROUP BY session ORDER BY max(at) DESC LIMIT 1000`,
  );
  return (rows?.all(since, ...(root === undefined ? [] : [root])) ?? []) as Seen[];
}

function lines(seen: readonly Seen[], now: number): string {
  return seen
    .slice(0, 20)
    .map(({ session, agent, root, at }) => `  ${session}  ${agent}, ${formatSpan(now - at)} ago, ${root}`)
    .join('\n');
}
