import { DISABLED } from '../../adapters/forwarded.ts';
import { offId, pausedId, readPause } from '../../engine/session/pause.ts';
import type { Paused } from '../../engine/session/pause.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { parseCellId } from '../../state/cells.ts';
import { clearSwitch, readSwitch, writeSwitch } from '../../state/switch.ts';
import { messageOf } from '../../text/message-of.ts';
import { changeState } from '../change-state.ts';
import { refuseHeld } from '../held-rules.ts';
import { knownRules } from '../known-rules.ts';
import { JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { formatSpan, formatTime } from '../table.ts';
import { timeSpan } from '../time-span.ts';
import { SESSION_OPTION, sessionOf } from '../which-session.ts';

export const off: Command = {
  summary: 'switch everything off, for a session or altogether',
  gated: 'it silences every rule',
  changesRules: true,
  details: `Every event is answered with nothing, in every session and project, until \`fairlead on\` or the end of the time; nothing is recorded.
With --session only that session is left alone: the one that is named, else the one of this shell, else the only one that was active in this project in
the last ten minutes. Its events are still recorded.
\`pause\` stops advice and keeps protection; \`allow-once\` lets one call through; \`rules mode RULE off --for 1h\` quiets one rule.`,
  options: {
    for: { type: 'string', value: 'TIME', help: 'only for so long: 30m, 1h, 2d' },
    ...SESSION_OPTION,
    ...JSON_OPTION,
  },
  check(input, world) {
    lengthOf(input);
    if (input.text('session') !== undefined) sessionOf(input, world);
  },
  async run(input, world) {
    refuseHeld((await knownRules(world)).rules);
    const lasts = lengthOf(input);
    const now = Date.now();
    const until = lasts === undefined ? undefined : now + lasts;
    const end = until === undefined ? '' : ` until ${formatTime(until)}`;
    if (input.text('session') !== undefined) {
      const session = sessionOf(input, world);
      const value: Paused = { since: now, turns: 0, all: true, ...(until === undefined ? {} : { until }) };
      changeState(world, (draft) => {
        draft.set(pausedId(session), JSON.stringify(value), until ?? 0);
        draft.set(offId(session), String(value.since), until ?? 0);
      });
      if (input.has('json')) return printJson(world, { off: true, session, ...value });
      world.out(`Every rule is off in session ${session}${end}. \`fairlead on\` ends it.\n`);
      return;
    }
    const before = readSwitch(nodeFiles, world.paths.state, now);
    const value = { since: before?.since ?? now, ...(until === undefined ? {} : { until }) };
    writeSwitch(nodeFiles, world.paths.state, value);
    if (input.has('json')) return printJson(world, { off: true, ...value });
    world.out(`Every rule is off${end}. \`fairlead on\` ends it.\n`);
  },
};

function lengthOf(input: Input): number | undefined {
  const text = input.text('for');
  return text === undefined ? undefined : timeSpan('--for', text);
}

export const on: Command = {
  summary: 'end `off`, everywhere',
  options: JSON_OPTION,
  run(input, world) {
    const now = Date.now();
    const before = readSwitch(nodeFiles, world.paths.state, now);
    clearSwitch(nodeFiles, world.paths.state);
    const sessions = wakeSessions(world);
    const changed = before !== undefined || sessions.length > 0;
    if (input.has('json'))
      printJson(world, {
        off: false,
        changed,
        ...(before ? { since: before.since } : {}),
        ...(sessions.length > 0 ? { sessions } : {}),
      });
    else if (!changed) world.out('Nothing was off; the rules are on.\n');
    else {
      if (before)
        world.out(`The rules are on again${before.since > 0 ? ` after ${formatSpan(now - before.since)}` : ''}.\n`);
      for (const session of sessions) world.out(`The rules are on again in session ${session}.\n`);
    }
    if (world.env[DISABLED] === '1')
      world.err(`${DISABLED}=1 is set here: agents started from this shell stay without rules.\n`);
  },
};

/** The sessions in which everything was off. The switch works also where the state cannot be opened. */
function wakeSessions(world: CliWorld): readonly string[] {
  if (!nodeFiles.exists(join(world.paths.state, 'state.db'))) return [];
  try {
    return changeState(world, (draft) => {
      const { store } = world.engine();
      const silenced = store
        .list('session', draft.now)
        .map(({ id, value }) => ({ id, value, ...parseCellId(id) }))
        .filter(({ id, owner, value }) => id === pausedId(owner) && readPause(value)?.all === true);
      for (const { id, owner } of silenced) {
        draft.delete(id);
        draft.delete(offId(owner));
      }
      return silenced.map(({ owner }) => owner);
    });
  } catch (error) {
    world.err(`sessions that are off could not be looked for: ${messageOf(error)}\n`);
    return [];
  }
}

export default { order: 60, verbs: { off, on } } satisfies VerbFile;
