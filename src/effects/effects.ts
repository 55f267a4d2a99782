import type { Effect } from '../event/effect.ts';
import type { Event, ToolCall } from '../event/event.ts';
import { UNKNOWN } from '../shell/command.ts';
import type { Reading, ShellCommand } from '../shell/command.ts';
import { readAfresh, readShell } from '../shell/read.ts';
import { CLOUD_PROGRAMS } from './cloud/programs.ts';
import { CODE_PROGRAMS } from './code/programs.ts';
import { DATABASE_PROGRAMS } from './databases/programs.ts';
import { DISK_PROGRAMS } from './files/disks.ts';
import { FILE_PROGRAMS } from './files/programs.ts';
import { readFlows } from './flow/flows.ts';
import { changesIn } from './git/changes.ts';
import { GIT_PROGRAMS } from './git/programs.ts';
import { followLinks, openLinks } from './paths/links.ts';
import { NETWORK_PROGRAMS } from './network/programs.ts';
import { SERVING_PROGRAMS } from './network/serving.ts';
import { PACKAGE_PROGRAMS } from './packages/programs.ts';
import { SOURCE_PROGRAMS } from './packages/sources.ts';
import { PERMISSION_PROGRAMS } from './files/permissions.ts';
import { resolveWord } from './paths/resolve-word.ts';
import { PROCESS_PROGRAMS } from './processes.ts';
import { readRedirects } from './files/redirects.ts';
import { readRemoteRuns } from './code/remote-runs.ts';
import type { ProgramTable, ReadEffects, Scene, Surroundings } from './scene.ts';
import { readSecrets } from './secrets/secrets.ts';
import { readMentions, readToolMentions } from './mentions.ts';
import { readPerhaps } from './perhaps.ts';
import { readAgentCode } from './agent/code.ts';
import { readOwnVerbs } from './agent/own-verbs.ts';
import { readPatches } from './agent/patches.ts';
import { isOurs, readSettings, readSettingsEvent } from './agent/settings.ts';
import { readSql } from './databases/sql.ts';
import { LATER, readTimer } from './system/later.ts';
import { SYSTEM_PROGRAMS } from './system/programs.ts';
import { addressesOf, commandOfAddress } from './tools/addresses.ts';
import { cellTextOf } from './tools/cells.ts';
import { gitTextOf } from './tools/git.ts';
import { hidesCommand, looseTextOf, shellTextOf } from './tools/commands.ts';
import { laterTextOf } from './tools/later.ts';
import { sqlTextOf } from './tools/names.ts';
import { readToolEffects } from './tools/tools.ts';

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
  SOURCE_PROGRAMS,
  CODE_PROGRAMS,
  NETWORK_PROGRAMS,
  SERVING_PROGRAMS,
  SYSTEM_PROGRAMS,
];

function readersOf(program: string): readonly ReadEffects[] {
  const readers: ReadEffects[] = [];
  for (const table of TABLES) if (Object.hasOwn(table, program)) readers.push(table[program] as ReadEffects);
  return readers;
}

const found = new Map<string, readonly ReadEffects[]>();
const MOST_FOUND = 1_000;

/** A program is known by its name, or by its name without a version. Few are called, and each of them often. */
function readersFor(program: string): readonly ReadEffects[] {
  const known = found.get(program);
  if (known) return known;
  const own = readersOf(program);
  const readers = own.length > 0 || !/[\d.]$/.test(program) ? own : readersOf(program.replace(/[\d.]+$/, ''));
  if (found.size >= MOST_FOUND) found.clear();
  found.set(program, readers);
  return readers;
}

function isKnown(program: string): boolean {
  return readersFor(program).length > 0;
}

const OF_ANY_PROGRAM: readonly ReadEffects[] = [readRedirects, readSecrets, readRemoteRuns, readEscalation, readTimer];

/** What people are shown of a command. */
const SEEN_CHARACTERS = 200;

/** Nobody means more than this; what is left of the command is not read. */
const MAX_EFFECTS = 1_000;

type EffectsOf = (event: Event, surroundings: Surroundings) => readonly Effect[];

const MOST_KEPT = 100;
const LONGEST_KEPT = 2_000;

/**
 * For a process that stays: an agent asks about a command, runs it, and runs it again after the next edit. What such a
 * command does by its text is read once; surroundings other than directories must not change. Links are looked at each time.
 */
export function createEffects(): EffectsOf {
  const kept = new Map<string, ByText>();
  return (event, surroundings) => {
    const command = event.tool?.command;
    if (command === undefined || command.length > LONGEST_KEPT) return effectsOf(event, surroundings);
    const key = `${surroundings.cwd}\n${surroundings.root}\n${surroundings.home}\n${command}`;
    let told = kept.get(key);
    if (!told) {
      told = effectsByText(readShell(command, surroundings), surroundings);
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, told);
    }
    return withLinks(told, surroundings);
  };
}

/** What the event's tool call would do. */
export function effectsOf(event: Event, surroundings: Surroundings): readonly Effect[] {
  const { tool } = event;
  if (!tool) return readSettingsEvent(event, surroundings);
  const command = tool.command ?? shellTextOf(tool) ?? gitTextOf(tool);
  if (command !== undefined) return effectsOfReading(readShell(command, surroundings), surroundings);
  if (hidesCommand(tool)) return [{ ...plain('unknown', tool.name), how: 'no-text' }];
  const told = { effects: readToolEffects(tool, surroundings), mentions: readToolMentions(tool, surroundings) };
  return [...withLinks(told, surroundings), ...readToolSql(tool), ...readLoose(tool, surroundings)];
}

/** Whether they are commands at all, or ever run, is not sure, so that what cannot be understood of them says nothing. */
function readLoose(tool: ToolCall, surroundings: Surroundings): readonly Effect[] {
  const later = laterTextOf(tool);
  const asked = addressesOf(tool).flatMap((address) => commandOfAddress(address) ?? []);
  const texts = [looseTextOf(tool), cellTextOf(tool), later?.commands, ...asked].filter((text) => text !== undefined);
  const unasked = later?.unasked;
  return [
    ...(unasked === undefined ? [] : [{ ...plain('system', `${tool.name} ${unasked}`), how: 'later', target: LATER }]),
    ...texts.flatMap((text) =>
      effectsOfReading(readShell(text, surroundings), surroundings).filter(({ kind }) => kind !== 'unknown'),
    ),
  ];
}

function readToolSql(tool: ToolCall): readonly Effect[] {
  const sql = sqlTextOf(tool);
  return sql === undefined ? [] : readSql(sql).map((loss) => ({ ...plain('destroy-data', sql), ...loss }));
}

export function effectsOfReading(reading: Reading, surroundings: Surroundings): readonly Effect[] {
  return withLinks(effectsByText(reading, surroundings), surroundings);
}

/** What the text of a call tells. */
interface ByText {
  readonly effects: readonly Effect[];
  /** Paths given to programs that nobody knows, which may be our own. */
  readonly mentions: readonly Effect[];
}

/** Adds what only shows on disk, and which of all that is about our own settings. */
function withLinks({ effects, mentions }: ByText, surroundings: Surroundings): readonly Effect[] {
  if (effects.length + mentions.length === 0) return effects;
  const links = openLinks(surroundings);
  const all = [...effects, ...followLinks(effects, links, surroundings)];
  return [...all, ...readSettings(all, mentions, links, surroundings), ...readAgentCode(all, surroundings)];
}

/** `isGiven`: the text is what a program is given that perhaps runs it. */
function effectsByText(reading: Reading, surroundings: Surroundings, isGiven = false): ByText {
  let last: ShellCommand | undefined;
  let shared: Shared | undefined;
  const changesBefore = changesIn(reading);
  const scene: Scene = {
    surroundings,
    reading,
    place: (word, command) => resolveWord(word, command, surroundings, reading),
    effect: (command, about) => {
      if (command !== last) shared = sharedBy((last = command));
      const after = changesBefore(command, about.kind);
      const here = untoldHere(about, command, surroundings);
      const effect = { ...about, ...here, target: shown(about.target), ...(shared as Shared) };
      return after.length === 0 ? effect : { ...effect, after };
    },
  };
  const effects: Effect[] = [];
  const givenEffects = (text: string, dir = surroundings.cwd) => {
    const place = { ...surroundings, cwd: dir };
    return effectsByText(readAfresh(text, place), place, true).effects;
  };
  for (const command of reading.commands) {
    const readers = readersFor(command.program);
    for (const read of readers) effects.push(...read(command, scene));
    if (readers.length === 0 && !isGiven) effects.push(...readPerhaps(command, scene, isKnown, givenEffects));
    for (const read of OF_ANY_PROGRAM) effects.push(...read(command, scene));
    if (effects.length > MAX_EFFECTS) {
      const cut: Effect = { ...plain('unknown', command.text), how: 'too-many-effects' };
      return { effects: [...effects.slice(0, MAX_EFFECTS), cut], mentions: [] };
    }
  }
  effects.push(...readFlows(scene), ...readOwnVerbs(scene), ...readPatches(scene));
  for (const text of reading.exhausts) effects.push(plain('exhaust', text));
  for (const { text, why } of reading.unclear) effects.push({ ...plain('unknown', text), how: why });
  const broken = isGiven ? undefined : reading.unclear.find(({ why }) => why === 'syntax');
  const perhaps = broken ? piecesOf(broken.text).flatMap((piece) => givenEffects(piece)) : [];
  if (broken && perhaps.length > 0)
    effects.push({ ...plain('unknown', broken.text), how: 'perhaps', target: 'this syntax', perhaps });
  return { effects, mentions: readMentions(scene, effects.some(makesLink)) };
}

const MOST_PIECES = 16;
const LONGEST_PIECE = 1_000;

/** What another shell may run in a text that ours cannot parse. */
function piecesOf(text: string): readonly string[] {
  const pieces = text.split(/[{}();&|\n]+/).map((piece) => piece.trim());
  return pieces.filter((piece) => piece !== '' && piece.length <= LONGEST_PIECE).slice(0, MOST_PIECES);
}

/** A path that cannot be told may be any file of the directory that the command runs in; that counts where they are ours. */
function untoldHere(
  { path, scope }: Pick<Effect, 'path' | 'scope'>,
  { dir }: ShellCommand,
  surroundings: Surroundings,
): Pick<Effect, 'path'> | undefined {
  if (path !== undefined || scope !== 'unknown' || dir === undefined || !isOurs(dir, surroundings)) return undefined;
  return { path: `${dir}/*` };
}

function makesLink({ from }: Effect): boolean {
  return from !== undefined;
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
