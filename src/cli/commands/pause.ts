import { pausedId, readPause } from '../../engine/session/pause.ts';
import type { Paused } from '../../engine/session/pause.ts';
import { parseCellId } from '../../state/cells.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { counted, formatSpan } from '../table.ts';
import { namedSession, SESSION_OPTION, sessionOf } from '../which-session.ts';

const OPTIONS = { ...SESSION_OPTION, ...JSON_OPTION };

export const pause: Command = {
  summary: 'stop advice in this session; protection stays on',
  gated: 'it hushes the advice of a session',
  details: `Rules that protect stay active. Without --session it is the session that this shell belongs to, else the only one that was active in this
project in the last ten minutes. An agent that calls it is asked about; what the person approves there holds for that very call, and for the
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
        before.all === true
          ? `Every rule is off in session ${session}. \`fairlead on\` ends it.\n`
          : `Session ${session} is already paused, for ${formatSpan(now - before.since)}. \`fairlead resume --session ${session}\` ends it.\n`,
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
      `Session ${session} is paused: no advice; protection stays on. \`fairlead resume --session ${session}\` ends it.\n`,
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
  const found = readPause(store.get(pausedId(session), now));
  return found && { ...found, since: found.since || now };
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

export default { order: 70, verbs: { pause, resume } } satisfies VerbFile;
