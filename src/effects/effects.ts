import type { Effect } from '../event/effect.ts';
import type { Event, ToolCall } from '../event/event.ts';
import { UNKNOWN, isCurrent } from '../shell/command.ts';
import type { Looked, Reading, ReadingPlace, Script, ShellCommand, ShellWord } from '../shell/command.ts';
import { readAfresh, readShell } from '../shell/read.ts';
import { lineOf } from '../shell/scripts.ts';
import { baseName } from './words/arguments.ts';
import { hideShown, marksKey } from './marks.ts';
import { isSecretPath } from './paths/secret-names.ts';
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
import { SOURCE_PROGRAMS } from './network/package-sources.ts';
import { PERMISSION_PROGRAMS } from './files/permissions.ts';
import { resolveWord } from './paths/resolve-word.ts';
import { PROCESS_PROGRAMS } from './processes.ts';
import { readRedirects } from './files/redirects.ts';
import { readRemoteRuns } from './code/remote-runs.ts';
import type { ProgramTable, ReadEffects, ResolvedPath, Scene, Surroundings } from './scene.ts';
import { readSecrets } from './secrets/secrets.ts';
import { readMentions, readToolMentions } from './mentions.ts';
import { readMisread, readPerhaps } from './perhaps.ts';
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
    const { cwd, root, home } = surroundings;
    const key = `${cwd}\n${root}\n${home}\n${marksKey(surroundings)}\n${command}`;
    let told = kept.get(key);
    if (!told || !isCurrent(told.files, readingPlace(surroundings))) {
      told = effectsByText(readHere(command, surroundings), surroundings);
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(key, told);
    }
    return withLinks(told, surroundings);
  };
}

const USUAL = ['git status && npm test', 'rm -rf build | tee log.txt', 'python3 -c "print(1)" > out.txt'];

/** Reads what agents run most, so that the code for it is compiled. */
export function readUsual(): void {
  const nowhere = { cwd: '/', home: '/', root: '/', agentSettings: [], ownDirs: [] };
  for (const command of USUAL) effectsOfReading(readHere(command, nowhere), nowhere);
}

/** What the event's tool call would do. */
export function effectsOf(event: Event, surroundings: Surroundings): readonly Effect[] {
  const { tool } = event;
  if (!tool) return readSettingsEvent(event, surroundings);
  const command = tool.command ?? shellTextOf(tool) ?? gitTextOf(tool);
  if (command !== undefined) return effectsOfReading(readHere(command, surroundings), surroundings);
  if (hidesCommand(tool)) return [{ ...plain('unknown', tool.name), how: 'no-text' }];
  const told = {
    effects: readToolEffects(tool, surroundings),
    mentions: readToolMentions(tool, surroundings),
    files: [],
  };
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
      effectsOfReading(readHere(text, surroundings), surroundings).filter(({ kind }) => kind !== 'unknown'),
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
  /** The scripts on disk that it was read with. */
  readonly files: readonly Looked[];
}

function readHere(text: string, surroundings: Surroundings): Reading {
  return readShell(text, readingPlace(surroundings));
}

function readingPlace(surroundings: Surroundings): ReadingPlace {
  const { cwd, home, root, isDir } = surroundings;
  return { cwd, home, root, isDir, disk: diskOf(surroundings) };
}

/** What holds secrets is not opened, whoever would run it. */
function diskOf({ disk, root, home }: Surroundings): Surroundings['disk'] {
  return disk && ((path) => (isSecretPath(path, { root, home }) ? undefined : disk(path)));
}

/** Adds what only shows on disk, and which of all that is about our own settings. */
function withLinks({ effects, mentions }: Omit<ByText, 'files'>, surroundings: Surroundings): readonly Effect[] {
  if (effects.length + mentions.length === 0) return effects;
  const links = openLinks(surroundings);
  const all = [...effects, ...followLinks(effects, links, surroundings)];
  const kept = all.some(isDoubtful) ? all.filter((effect) => !isDoubtful(effect)) : all;
  return [...kept, ...readSettings(all, mentions, links, surroundings), ...readAgentCode(all, surroundings)];
}

/** What changes nothing of ours but what it takes of the files that call us. */
function isDoubtful({ kind, how }: Effect): boolean {
  return kind === 'settings' && (how === 'switching' || how === 'stashing-tracked');
}

/** `isGiven`: the text is what a program is given that perhaps runs it. */
function effectsByText(reading: Reading, surroundings: Surroundings, isGiven = false): ByText {
  let last: ShellCommand | undefined;
  let shared: Shared | undefined;
  const changesBefore = changesIn(reading);
  const placed = new Map<ShellWord, { readonly command: ShellCommand; readonly place: ResolvedPath }>();
  const scene: Scene = {
    surroundings,
    reading,
    place: (word, command) => {
      if (typeof word === 'string') return resolveWord(word, command, surroundings, reading);
      // Many ask about the same word; by other commands it may lie elsewhere.
      const before = placed.get(word);
      if (before?.command === command) return before.place;
      const place = resolveWord(word, command, surroundings, reading);
      placed.set(word, { command, place });
      return place;
    },
    effect: (command, about) => {
      if (command !== last) shared = sharedBy((last = command), surroundings);
      const after = changesBefore(command, about);
      const { seen, road, position, at } = shared as Shared;
      // What is spread stands last: to add to a copy costs a microsecond for each property.
      const effect: Writable = { seen, road, position, ...about };
      effect.target = hideShown(shown(about.target), surroundings);
      if (at) effect.at = at;
      const here = untoldHere(about, command, surroundings);
      if (here !== undefined) effect.path = here;
      if (command.script?.file !== undefined) effect.at = placeInCode(command.script, about, surroundings);
      return after.length === 0 ? effect : { ...effect, after };
    },
  };
  const effects: Effect[] = [];
  const files = [...reading.files];
  const givenEffects = (text: string, dir = surroundings.cwd) => {
    const place = { ...surroundings, cwd: dir };
    const given = effectsByText(readAfresh(text, readingPlace(place)), place, true);
    files.push(...given.files);
    return given.effects;
  };
  const known = new Set<string>();
  for (const command of reading.commands) {
    if (command.at && effects.length > MAX_EFFECTS) continue;
    const readers = readersFor(command.program);
    const first = effects.length;
    for (const read of readers) effects.push(...read(command, scene));
    if (!isGiven)
      effects.push(
        ...(readers.length === 0
          ? readPerhaps(command, scene, isKnown, givenEffects)
          : readMisread(command, scene, givenEffects)),
      );
    for (const read of OF_ANY_PROGRAM) {
      const more = read(command, scene);
      if (more.length > 0) effects.push(...more);
    }
    if (command.at) effects.push(...effects.splice(first).filter((effect) => isFirst(effect, known)));
    if (effects.length > MAX_EFFECTS && !command.at) {
      const cut: Effect = { ...plain('unknown', command.text), how: 'too-many-effects' };
      return { effects: [...effects.slice(0, MAX_EFFECTS), cut], mentions: [], files };
    }
  }
  effects.push(...readFlows(scene), ...readOwnVerbs(scene), ...readPatches(scene));
  for (const text of reading.exhausts) effects.push(plain('exhaust', text));
  for (const { text, why } of reading.unclear) effects.push({ ...plain('unknown', text), how: why });
  const broken = isGiven ? undefined : reading.unclear.find(({ why }) => why === 'syntax');
  const perhaps = broken ? piecesOf(broken.text).flatMap((piece) => givenEffects(piece)) : [];
  if (broken && perhaps.length > 0)
    effects.push({ ...plain('unknown', broken.text), how: 'perhaps', target: 'this syntax', perhaps });
  return { effects, mentions: readMentions(scene, effects.some(makesLink)), files };
}

/** A script does the same in many of its lines, and each effect costs a look. */
function isFirst({ kind, how, target, path, git, perhaps, after, recursive }: Effect, known: Set<string>): boolean {
  if (git !== undefined || perhaps !== undefined) return true;
  const key = [kind, how, target, path, recursive, ...(after ?? [])].join('\n');
  return !known.has(key) && known.add(key).size > 0;
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
): string | undefined {
  if (path !== undefined || scope !== 'unknown' || dir === undefined || !isOurs(dir, surroundings)) return undefined;
  return `${dir}/*`;
}

function makesLink({ from }: Effect): boolean {
  return from !== undefined;
}

type Writable = { -readonly [K in keyof Effect]: Effect[K] };

/** What all effects of one command have in common. */
type Shared = Pick<Effect, 'seen' | 'road' | 'at'> & Pick<ShellCommand, 'position'>;

function sharedBy({ text, road, wrappers, position, at }: ShellCommand, surroundings: Surroundings): Shared {
  const { root } = surroundings;
  // A key that is cut in half is not known again.
  const clean = hideShown(text, surroundings).slice(0, SEEN_CHARACTERS);
  const shared = { seen: shown(clean), road: [...road, ...wrappers], position };
  return at ? { at: { file: nameIn(root, at.file), line: lineOf(at) }, ...shared } : shared;
}

/** Where the code of a file names what it acts on, as far as a search tells. */
function placeInCode(
  { text, file = '' }: Script,
  { target, path = '' }: Pick<Effect, 'target' | 'path'>,
  { root }: Surroundings,
): NonNullable<Effect['at']> {
  const from = [target, path, baseName(target)].map((name) => (name === '' ? -1 : text.indexOf(name)));
  const place = { file, text, from: from.find((at) => at >= 0) ?? 0, lines: 1 };
  return { file: nameIn(root, file), line: lineOf(place) };
}

function nameIn(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
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
