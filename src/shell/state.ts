import type { Function as FunctionNode, ParsedScript, Script } from 'unbash';
import type {
  Reading,
  ReadingPlace,
  ShellCommand,
  ShellInput,
  ShellRedirect,
  ShellWord,
  Unclear,
} from './command.ts';
import { UNKNOWN } from './command.ts';

/** How far commands may be nested, and how many are read in all. */
export const MAX_DEPTH = 5;
export const MAX_COMMANDS = 512;

export type Draft = { -readonly [K in keyof ShellCommand]: ShellCommand[K] };

/** What a variable holds. */
export interface Value {
  readonly text: string;
  readonly from: readonly number[];
  /** It stands for file names that a pattern matches. */
  readonly glob?: boolean;
  /** An array's members by index or key. */
  readonly items?: ReadonlyMap<string, string>;
  /** Another variable that this one is a name for. */
  readonly refersTo?: string;
  readonly unset?: boolean;
}

export interface KnownFunction {
  readonly node: FunctionNode;
  readonly source: string;
}

/** What a descriptor was opened for. */
export interface Opened {
  readonly input?: ShellInput;
  readonly output?: ShellRedirect;
}

/** What is collected while one text is read. */
export interface Collected {
  readonly place: ReadingPlace;
  readonly commands: Draft[];
  readonly unclear: Unclear[];
  readonly exhausts: string[];
  led: boolean;
  /** Statements and words left to read before giving up. */
  budget: number;
}

/** The state of one shell: what it knows, where it is, and what surrounds it. */
export interface Shell {
  readonly all: Collected;
  source: string;
  variables: Map<string, Value>;
  functions: Map<string, KnownFunction>;
  aliases: Map<string, string>;
  /** Files and texts opened by `exec 3<…`, by descriptor. */
  descriptors: Map<string, Opened>;
  dir: string | undefined;
  oldDir: string | undefined;
  dirStack: (string | undefined)[];
  /** `$1`, `$2`, …; undefined when they come from outside. */
  args: readonly ShellWord[] | undefined;
  road: readonly string[];
  wrappers: readonly string[];
  input: ShellInput | undefined;
  redirects: readonly ShellRedirect[];
  /** Takes the numbers of the commands that write to the shell's output. */
  outs: number[] | undefined;
  keptIn: string | undefined;
  background: boolean;
  /** Functions and aliases that are being expanded. */
  calls: readonly string[];
  /** Functions called from here would run beside their caller, in a pipe or in the background. */
  beside: boolean;
  /** Old values of `local` variables, put back when the function ends. */
  locals: Map<string, Value | undefined> | undefined;
}

export function newShell(place: ReadingPlace): Shell {
  return {
    all: { place, commands: [], unclear: [], exhausts: [], led: false, budget: 4096 },
    source: '',
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    descriptors: new Map(),
    dir: place.cwd,
    oldDir: undefined,
    dirStack: [],
    args: undefined,
    road: NONE,
    wrappers: NONE,
    input: undefined,
    redirects: NONE,
    outs: undefined,
    keptIn: undefined,
    background: false,
    calls: NONE,
    beside: false,
    locals: undefined,
  };
}

/** A shell of its own that starts with what `shell` knows; what it changes stays its own. */
export function forkShell(shell: Shell, changes?: Partial<Shell>): Shell {
  return {
    ...shell,
    variables: new Map(shell.variables),
    functions: new Map(shell.functions),
    aliases: new Map(shell.aliases),
    descriptors: new Map(shell.descriptors),
    dirStack: [...shell.dirStack],
    ...changes,
  };
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

export function plainWord(text: string, value = text): ShellWord {
  return { text, value, known: !value.includes(UNKNOWN), glob: false, from: NONE };
}

export function addUnclear(all: Collected, why: Unclear['why'], text: string): void {
  if (all.unclear.length < 16 && !all.unclear.some((one) => one.why === why && one.text === text)) {
    all.unclear.push({ text, why });
  }
}

export function readingOf(all: Collected): Reading {
  return { commands: all.commands, unclear: all.unclear, exhausts: all.exhausts };
}

export function sourceOf(script: ParsedScript | Script, source: string): string {
  return script.source ?? source;
}
