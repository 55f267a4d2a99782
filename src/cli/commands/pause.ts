import { toldBy } from '../../adapters/registry.ts';
import { pausedId } from '../../engine/session/pause.ts';
import type { Paused } from '../../engine/session/pause.ts';
import { parseCellId } from '../../state/cells.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { rootAt } from '../known-rules.ts';
import { counted, formatSpan } from '../table.ts';

const RECENT_MS = 10 * 60_000;

const OPTIONS = {
  session: { type: 'string', value: 'ID', help: 'the session, or the start of its id' },
  ...JSON_OPTION,
} as const;

export const pause: Command = {
  summary: 'stop advice in this session; protection stays on',
  gated: 'it hushes the advice of a session',
  details: `Rules that protect stay active. Without --session it is the session that this shell belongs to, else the only one that was active in this
workspace in the last ten minutes. An agent that calls it is asked about; what the person approves there holds for that very call, and for the
agent's own session.`,
  options: OPTIONS,
  check: (input, world) => void sessionOf(input, world),
  redeem: ({ session }, input, world) => session === sessionOf(input, world),
  run(input, world) {
    const session = sessionOf(input, world);
    const { store, clock } = world.engine();
    const now = clock.now();
    const before = readPaused(world, session, now);
    if (before) {
      if (input.has('json')) return printJson(world, { paused: true, session, changed: false, ...before });
      world.out(
        `Session ${session} is already paused, for ${formatSpan(now - before.since)}. \`fairlead resume --session ${session}\` ends it.\n`,
      );
      return;
    }
    const value: Paused = { since: now, turns: 0 };
    store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: pausedId(session), value: JSON.stringify(value), expires: 0 }],
      now,
    });
    if (input.has('json')) return printJson(world, { paused: true, session, changed: true, ...value });
    world.out(
      `Session ${session} is paused: no advice, guards stay. \`fairlead resume --session ${session}\` ends it.\n`,
    );
  },
};

export const resume: Command = {
  summary: 'end `pause`',
  details: 'Without --session it is the session that this shell belongs to, else the only one that is paused.',
  options: OPTIONS,
  run(input, world) {
    const { store, clock } = world.engine();
    const now = clock.now();
    const session = namedSession(input, world) ?? onlyPaused(world, now);
    const before = session === undefined ? undefined : readPaused(world, session, now);
    if (session === undefined || !before) {
      if (input.has('json'))
        return printJson(world, { paused: false, ...(session === undefined ? {} : { session }), changed: false });
      world.out(session === undefined ? 'No session is paused.\n' : `Session ${session} was not paused.\n`);
      return;
    }
    store.commit({ reads: new Map(), changes: [{ op: 'delete', id: pausedId(session) }], now });
    if (input.has('json')) return printJson(world, { paused: false, session, changed: true, ...before });
    world.out(
      `Session ${session} is heard again after ${formatSpan(now - before.since)} and ${counted(before.turns, 'turn')}.\n`,
    );
  },
};

function readPaused(world: CliWorld, session: string, now: number): Paused | undefined {
  const { store } = world.engine();
  store.refresh(now);
  const value = store.get(pausedId(session), now);
  if (value === undefined) return undefined;
  try {
    const { since, turns } = JSON.parse(value) as Partial<Paused>;
    return { since: since ?? now, turns: turns ?? 0 };
  } catch {
    return { since: now, turns: 0 };
  }
}

interface Seen {
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  readonly at: number;
}

function sessionOf(input: Input, world: CliWorld): string {
  return namedSession(input, world) ?? onlyActive(world);
}

function namedSession(input: Input, world: CliWorld): string | undefined {
  const given = input.text('session');
  if (given !== undefined) return sessionNamed(given, world);
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

function onlyPaused(world: CliWorld, now: number): string | undefined {
  const paused = world
    .engine()
    .store.list('session', now)
    .map(({ id }) => parseCellId(id))
    .filter(({ name, key }) => name === 'paused' && key === '')
    .map(({ owner }) => owner);
  if (paused.length > 1)
    throw new CommandError(
      `several sessions are paused; choose one with --session:\n${paused.map((id) => `  ${id}`).join('\n')}`,
    );
  return paused[0];
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

export default { order: 70, verbs: { pause, resume } } satisfies VerbFile;
