import type { AndOr, Function as FunctionNode, PipelineNode, Statement, WordPart } from 'unbash';
import type {
  Looked,
  Reading,
  ReadingPlace,
  ScriptPlace,
  ShellCommand,
  ShellInput,
  ShellRedirect,
  ShellWord,
  Unclear,
} from './command.ts';
import { UNKNOWN } from './command.ts';

/** How far commands of one text or script may be nested, and how many are read in all. */
const MAX_DEPTH = 5;
export const MAX_COMMANDS = 512;

/** Longer values are not followed: they can only be made to grow without end. */
export const MAX_VALUE = 65_536;
/** Work that one text may take; see `Collected.budget`. */
const BUDGET = 65_536;

export type Draft = { -readonly [K in keyof ShellCommand]: ShellCommand[K] };

/** What a variable holds. */
export interface Value {
  readonly text: string;
  readonly from: readonly number[];
  /** As of a word. */
  readonly env?: readonly string[];
  /** It stands for file names that a pattern matches. */
  readonly glob?: boolean;
  /** An array's members by index or key. */
  readonly items?: ReadonlyMap<string, string>;
  /** Another variable that this one is a name for. */
  readonly refersTo?: string;
  readonly unset?: boolean;
  /** Assignments to it fail, and so does `unset`. */
  readonly fixed?: boolean;
  /** All that it may hold, where that is more than one thing; the rest of it then says that nothing is known. */
  readonly any?: readonly Value[];
}

/** What a name stands for, where that may be one of several things, or nothing. */
export interface Several<T> {
  readonly any: readonly (T | undefined)[];
}

/** The shell at one moment. */
export interface Moment {
  /** As `STORES` in `may.ts` lists them. */
  readonly stores: readonly ReadonlyMap<string, unknown>[];
  readonly place: Place;
  readonly args: Shell['args'];
  readonly argSets: Shell['argSets'];
  readonly strict: boolean;
  readonly lastPipe: boolean;
}

/** A directory and the ways back from it: `cd -` and `popd`. */
export interface Spot {
  readonly dir: string | undefined;
  readonly oldDir: string | undefined;
  readonly dirStack: readonly (string | undefined)[];
}

/** Where the shell is. */
export interface Place extends Spot {
  readonly unsure: Unsure | undefined;
  /** All places where it may be, where those are several. */
  readonly places: readonly Place[] | undefined;
}

/** Where the shell is if it is not where `dir` says. */
export interface Unsure {
  /** If this change or one before it failed. */
  readonly failed: Spot | undefined;
  /** If this change did not, but one before it. */
  readonly reached: Spot | undefined;
  /** It does fail: the directory is not there. */
  readonly surely?: boolean;
}

export interface Trap {
  readonly code: string;
  readonly draft: Draft;
}

export interface KnownFunction {
  readonly node: FunctionNode;
  readonly source: string;
  /** A function may define another of its own name. */
  readonly id: string;
}

/** What a descriptor was opened for. */
export interface Opened {
  readonly input?: ShellInput;
  readonly output?: ShellRedirect;
  /** The command inside `>( )` that reads it. */
  readonly reader?: number;
}

/** One program with its arguments, before wrappers are taken off. */
export interface Call {
  readonly words: readonly ShellWord[];
  readonly assigns: Draft['assigns'];
  readonly redirects: readonly ShellRedirect[];
  readonly input: ShellInput | undefined;
  readonly text: string;
  readonly at?: ScriptPlace | undefined;
}

/** The parts of the reader that words and commands lead back to; each returns what is printed. */
export interface Reader {
  statements(statements: readonly Statement[], shell: Shell): string;
  node(node: PipelineNode | AndOr, shell: Shell): string;
  call(call: Call, shell: Shell): string;
  /** Text with expansions but without words. */
  text(parts: readonly WordPart[], shell: Shell): ShellWord;
}

/** What is collected while one text is read. */
export interface Collected {
  readonly reader: Reader;
  readonly place: ReadingPlace;
  readonly commands: Draft[];
  readonly unclear: Unclear[];
  readonly exhausts: string[];
  readonly assigned: Set<string>;
  led: boolean;
  /** Work left before giving up; a statement costs 8, other work by its size. */
  budget: number;
  /** So many commands are read. */
  most: number;
  /** Files on disk that were looked at. */
  readonly looked: Looked[];
  /** Scripts from disk that are being read, outermost first. */
  readonly scripts: string[];
  /** What is left of the budget for them. */
  scriptBudget: number;
  /** Where texts that are run as code came from on disk. */
  readonly origins: Map<string, Omit<ScriptPlace, 'text' | 'from'>>;
  /** So many of the commands are known to leave directories as they are. */
  still: number;
  /** Directories that `mkdir` makes. */
  readonly made: Set<string>;
  /** Text that was written to a file, by the file's path, while it is known. */
  files: Map<string, string | Several<string>>;
  filesLent: boolean;
  /** Something may hold several things. */
  several: boolean;
  /** Named pipes. */
  readonly pipes: Set<string>;
  /** Reads once more, with the text, what reads from a path that nothing was written to when it was read first. */
  readonly waiting: Map<string, (text: string) => void>;
  /** For each call of a function that is being called already, its place among the calls. */
  readonly recursions: number[];
  /** Those that were defined. */
  readonly functions: Map<FunctionNode, KnownFunction>;
  /** The next descriptor that `<( )` or `exec {fd}<` takes. */
  nextDescriptor: number;
}

/** The state of one shell: what it knows, where it is, and what surrounds it. */
export interface Shell {
  readonly all: Collected;
  source: string;
  variables: Map<string, Value>;
  functions: Map<string, KnownFunction | Several<KnownFunction>>;
  aliases: Map<string, string | Several<string>>;
  /** Files and texts opened by `exec 3<…`, by descriptor. */
  descriptors: Map<string, Opened | Several<Opened>>;
  /** The stores above are somebody else's too, and are copied before the first change; a bit for each. */
  lent: number;
  dir: string | undefined;
  /** Where it may be, if that is more than one place. */
  places: readonly Place[] | undefined;
  /** What the last change of directory left open. */
  unsure: Unsure | undefined;
  /** A command that fails ends the shell: `set -e`. */
  strict: boolean;
  /** Code that the shell runs when it ends or is told to, by signal. */
  traps: Map<string, Trap> | undefined;
  oldDir: string | undefined;
  dirStack: readonly (string | undefined)[];
  /** `$1`, `$2`, …; undefined when they come from outside. */
  args: readonly ShellWord[] | undefined;
  /** What they may be, if that is more than one thing. */
  argSets: readonly (readonly ShellWord[] | undefined)[] | undefined;
  /** The commands whose output stands in the code itself, where only running them would tell it. */
  codeFrom: readonly number[];
  road: readonly string[];
  /** How long the road was where the script that is being read begins. */
  scriptRoad: number;
  wrappers: readonly string[];
  input: ShellInput | undefined;
  redirects: readonly ShellRedirect[];
  /** Takes the numbers of the commands that write to the shell's output. */
  outs: number[] | undefined;
  keptIn: string | undefined;
  /** Where what the shell runs stands on disk. */
  at: ScriptPlace | undefined;
  background: boolean;
  /** The last part of a pipeline is run by the shell itself. */
  lastPipe: boolean;
  /** Nothing follows: `exit`, `return` or `exec`. */
  left: string | undefined;
  /** The shell where a function that is being called returned early. */
  returned: Moment[] | undefined;
  /** The shell at each `break` and `continue` of the round of a loop that is being read. */
  stops: Moment[] | undefined;
  /** Functions and aliases that are being expanded. */
  calls: readonly string[];
  /** Old values of `local` variables, put back when the function ends. */
  locals: Map<string, Value | undefined> | undefined;
}

export function newShell(place: ReadingPlace, reader: Reader): Shell {
  return {
    all: {
      reader,
      place,
      commands: [],
      unclear: [],
      exhausts: [],
      assigned: new Set(),
      led: false,
      budget: BUDGET,
      most: MAX_COMMANDS,
      looked: [],
      scripts: [],
      scriptBudget: BUDGET,
      origins: new Map(),
      still: 0,
      made: new Set(),
      files: new Map(),
      filesLent: false,
      several: false,
      pipes: new Set(),
      waiting: new Map(),
      recursions: [],
      functions: new Map(),
      nextDescriptor: 10,
    },
    source: '',
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    descriptors: new Map(),
    lent: 0,
    dir: place.cwd,
    places: undefined,
    unsure: undefined,
    strict: false,
    traps: undefined,
    oldDir: undefined,
    dirStack: [],
    args: undefined,
    argSets: undefined,
    codeFrom: NONE,
    road: NONE,
    scriptRoad: 0,
    wrappers: NONE,
    input: undefined,
    redirects: NONE,
    outs: undefined,
    keptIn: undefined,
    at: undefined,
    background: false,
    lastPipe: false,
    left: undefined,
    returned: undefined,
    stops: undefined,
    calls: NONE,
    locals: undefined,
  };
}

const BITS = { variables: 1, functions: 2, aliases: 4, descriptors: 8, files: 0 } as const;
const ALL = 15;

/** Whoever else holds the shell's stores now keeps them as they are. */
export function lend(shell: Shell): void {
  shell.lent = ALL;
  shell.all.filesLent = true;
}

type Stores = Pick<Shell, Exclude<keyof typeof BITS, 'files'>> & Pick<Collected, 'files'>;

export function storeOf<K extends keyof Stores>(shell: Shell, name: K): Stores[K] {
  return holderOf(shell, name)[name];
}

/** Files are there for all shells. */
function holderOf(shell: Shell, name: keyof Stores): Stores {
  return (name === 'files' ? shell.all : shell) as unknown as Stores;
}

/** A store to change. */
export function writeStore<K extends keyof Stores>(shell: Shell, name: K): Stores[K] {
  const { all } = shell;
  const bit = BITS[name];
  const isLent = name === 'files' ? all.filesLent : (shell.lent & bit) !== 0;
  const holder = holderOf(shell, name);
  if (isLent) {
    Object.assign(holder, { [name]: new Map(holder[name] as Map<string, unknown>) });
    shell.lent &= ~bit;
    if (name === 'files') all.filesLent = false;
  }
  return holder[name];
}

/** A shell of its own that starts with what `shell` knows; what it changes stays its own. */
export function forkShell(shell: Shell, changes?: Partial<Shell>): Shell {
  shell.lent = ALL;
  const fork = { ...shell, traps: undefined, left: undefined, returned: undefined, stops: undefined };
  if (changes === undefined) return fork;
  if (changes.dir !== undefined) fork.places = undefined;
  if (changes.args !== undefined) fork.argSets = undefined;
  return Object.assign(fork, changes);
}

/** The same shell, seen with other surroundings: what it learns is learnt by `shell`. */
export function within<T>(shell: Shell, changes: Partial<Shell>, run: () => T): T {
  const before: Partial<Shell> = {};
  for (const key of Object.keys(changes) as (keyof Shell)[]) Object.assign(before, { [key]: shell[key] });
  Object.assign(shell, changes);
  try {
    return run();
  } finally {
    Object.assign(shell, before);
  }
}

export const NONE: readonly never[] = Object.freeze([]);

/** Each once: what goes on from variable to variable would double each time. */
export function union<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  if (some.length === 0) return others;
  return others.every((one) => some.includes(one)) ? some : [...new Set([...some, ...others])];
}

export function plainWord(text: string, value = text): ShellWord {
  return { text, value, known: !value.includes(UNKNOWN), glob: false, from: NONE };
}

/** Takes work off the budget; false when it is used up. */
export function spend(all: Collected, work: number, text: string): boolean {
  all.budget -= work;
  if (!isSpent(all)) return true;
  addUnclear(all, 'too-many-commands', text);
  return false;
}

export function isSpent({ budget, commands, most }: Collected): boolean {
  return budget < 0 || commands.length >= most;
}

/** True where commands are nested further than is read, which is then told. */
export function isTooDeep({ all, road, scriptRoad }: Shell, text: string): boolean {
  if (road.length - scriptRoad < MAX_DEPTH) return false;
  addUnclear(all, 'too-deep', text);
  return true;
}

/** Of each kind only some: none may keep another from being told. */
const MAX_UNCLEAR = 8;

export function addUnclear(all: Collected, why: Unclear['why'], text: string): void {
  const alike = all.unclear.filter((one) => one.why === why);
  if (alike.length < MAX_UNCLEAR && alike.every((one) => one.text !== text)) all.unclear.push({ text, why });
}

export function readingOf(all: Collected): Reading {
  const { commands, unclear, exhausts, assigned, looked: files } = all;
  return { commands, unclear, exhausts, assigned, files };
}

/** What is read from `input`, where that is known. */
export function knownText(input: ShellInput | undefined): string | undefined {
  return input?.kind === 'text' || input?.kind === 'pipe' ? input.text : undefined;
}

export function isSeveral(held: unknown): held is Several<unknown> {
  return typeof held === 'object' && held !== null && (held as Partial<Several<unknown>>).any !== undefined;
}

/** It may stand for more than is told apart. */
export const CUT: Several<never> = { any: [] };

export function isCut(held: unknown): boolean {
  return held === CUT;
}

/** What is held, where that is one thing. */
export function onlyOf<T>(held: T | Several<T> | undefined): T | undefined {
  return isSeveral(held) ? undefined : held;
}
