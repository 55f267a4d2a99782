import type { Effect } from '../event/effect.ts';
import type { Event, ToolCall } from '../event/event.ts';
import { UNKNOWN } from '../shell/command.ts';
import type { Reading, ShellCommand } from '../shell/command.ts';
import { readShell } from '../shell/read.ts';
import { CLOUD_PROGRAMS } from './cloud.ts';
import { CODE_PROGRAMS } from './code.ts';
import { DATABASE_PROGRAMS } from './databases.ts';
import { DISK_PROGRAMS } from './disks.ts';
import { FILE_PROGRAMS } from './files.ts';
import { readFlows } from './flows.ts';
import { GIT_PROGRAMS } from './git.ts';
import { followLinks } from './links.ts';
import { NETWORK_PROGRAMS } from './network.ts';
import { PACKAGE_PROGRAMS } from './packages.ts';
import { PERMISSION_PROGRAMS } from './permissions.ts';
import { placeWord } from './place-word.ts';
import { PROCESS_PROGRAMS } from './processes.ts';
import { readRedirects } from './redirects.ts';
import { readRemoteRuns } from './remote-runs.ts';
import type { ProgramTable, ReadEffects, Scene, Surroundings } from './scene.ts';
import { readSecrets } from './secrets.ts';
import { readOwnVerbs } from './own-verbs.ts';
import { readSettings, readSettingsEvent } from './settings.ts';
import { readSql } from './sql.ts';
import { shellTextOf, sqlTextOf } from './tool-names.ts';
import { readToolEffects } from './tools.ts';

/** A program can stand in several tables: `rsync` deletes and sends. */
const TABLES: readonly ProgramTable[] = [
  FILE_PROGRAMS,
  DISK_PROGRAMS,
  PERMISSION_PROGRAMS,
  PROCESS_PROGRAMS,
  GIT_PROGRAMS,
  DATABASE_PROGRAMS,
  CLOUD_PROGRAMS,
  PACKAGE_PROGRAMS,
  CODE_PROGRAMS,
  NETWORK_PROGRAMS,
];

function readersOf(program: string): readonly ReadEffects[] {
  const readers: ReadEffects[] = [];
  for (const table of TABLES) if (Object.hasOwn(table, program)) readers.push(table[program] as ReadEffects);
  return readers;
}

/** A program is known by its name, or by its name without a version. */
function readersFor(program: string): readonly ReadEffects[] {
  const readers = readersOf(program);
  return readers.length > 0 || !/[\d.]$/.test(program) ? readers : readersOf(program.replace(/[\d.]+$/, ''));
}

const OF_ANY_PROGRAM: readonly ReadEffects[] = [readRedirects, readSecrets, readRemoteRuns, readEscalation];

/** What people are shown of a command. */
const SEEN_CHARACTERS = 200;

/** Nobody means more than this; what is left of the command is not read. */
const MAX_EFFECTS = 1_000;

/** What the event's tool call would do. */
export function effectsOf(event: Event, surroundings: Surroundings): readonly Effect[] {
  const { tool } = event;
  if (!tool) return readSettingsEvent(event, surroundings);
  const command = tool.command ?? shellTextOf(tool);
  if (command !== undefined) return effectsOfReading(readShell(command, surroundings), surroundings);
  const named = readToolEffects(tool, surroundings);
  const effects = [...named, ...followLinks(named, surroundings)];
  return [...effects, ...readSettings(effects, surroundings), ...readToolSql(tool)];
}

function readToolSql(tool: ToolCall): readonly Effect[] {
  const sql = sqlTextOf(tool);
  return sql === undefined ? [] : readSql(sql).map((loss) => ({ ...plain('destroy-data', sql), ...loss }));
}

export function effectsOfReading(reading: Reading, surroundings: Surroundings): readonly Effect[] {
  let last: ShellCommand | undefined;
  let shared: Shared | undefined;
  const scene: Scene = {
    surroundings,
    reading,
    place: (word, command) => placeWord(word, command, surroundings, reading),
    effect: (command, about) => {
      if (command !== last) shared = sharedBy((last = command));
      return { ...about, target: shown(about.target), ...(shared as Shared) };
    },
  };
  const effects: Effect[] = [];
  for (const command of reading.commands) {
    for (const read of readersFor(command.program)) effects.push(...read(command, scene));
    for (const read of OF_ANY_PROGRAM) effects.push(...read(command, scene));
    if (effects.length > MAX_EFFECTS)
      return [...effects.slice(0, MAX_EFFECTS), { ...plain('unknown', command.text), how: 'too-many-effects' }];
  }
  effects.push(...readFlows(scene), ...readOwnVerbs(scene), ...followLinks(effects, surroundings));
  effects.push(...readSettings(effects, surroundings));
  for (const text of reading.exhausts) effects.push(plain('exhaust', text));
  for (const { text, why } of reading.unclear) effects.push({ ...plain('unknown', text), how: why });
  return effects;
}

/** What all effects of one command have in common. */
type Shared = Pick<Effect, 'seen' | 'road' | 'position'>;

function sharedBy({ text, road, wrappers, position }: ShellCommand): Shared {
  return { seen: shown(text.slice(0, SEEN_CHARACTERS)), road: [...road, ...wrappers], position };
}

const ESCALATES: ReadonlySet<string> = new Set(['sudo', 'doas', 'pkexec', 'run0']);

function readEscalation(command: ShellCommand, scene: Scene): readonly Effect[] {
  const wrapper = command.wrappers.find((name) => ESCALATES.has(name));
  return wrapper === undefined
    ? []
    : [scene.effect(command, { kind: 'escalate', how: wrapper, target: command.program })];
}

/** People see a mark where only running the command would tell. */
function shown(text: string): string {
  return text.includes(UNKNOWN) ? text.replaceAll(UNKNOWN, '…') : text;
}

function plain(kind: Effect['kind'], text: string): Effect {
  const seen = text.slice(0, SEEN_CHARACTERS);
  return { kind, target: seen, seen, road: [] };
}
