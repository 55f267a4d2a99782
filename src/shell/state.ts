import type { AndOr, Function as FunctionNode, ParsedScript, PipelineNode, Script, Statement, WordPart } from 'unbash';
import type { Reading, ReadingPlace, ShellCommand, ShellInput, ShellRedirect, ShellWord, Unclear } from './command.ts';
import { UNKNOWN } from './command.ts';

/** How far commands may be nested, and how many are read in all. */
export const MAX_DEPTH = 5;
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
  /** It stands for file names that a pattern matches. */
  readonly glob?: boolean;
  /** An array's members by index or key. */
  readonly items?: ReadonlyMap<string, string>;
  /** Another variable that this one is a name for. */
  readonly refersTo?: string;
  readonly unset?: boolean;
  /** Assignments to it fail, and so does `unset`. */
  readonly fixed?: boolean;
}

/** Where the shell is if it is not where `dir` says. */
export interface Unsure {
  /** If this change or one before it failed. */
  readonly failed: string | undefined;
  /** If this change did not, but one before it. */
  readonly reached: string | undefined;
}

export interface Trap {
  readonly code: string;
  readonly draft: Draft;
}

export interface KnownFunction {
  readonly node: FunctionNode;
  readonly source: string;
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
  led: boolean;
  /** Work left before giving up; a statement costs 8, other work by its size. */
  budget: number;
  /** Directories that `mkdir` makes. */
  readonly made: Set<string>;
  /** Text that was written to a file, by the file's path, while it is known. */
  readonly files: Map<string, string>;
  /** For each call of a function that is being called already, its place among the calls. */
  readonly recursions: number[];
  /** The next descriptor that `<( )` or `exec {fd}<` takes. */
  nextDescriptor: number;
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
  /** What the last change of directory left open. */
  unsure: Unsure | undefined;
  /** A command that fails ends the shell: `set -e`. */
  strict: boolean;
  /** Code that the shell runs when it ends or is told to, by signal. */
  traps: Map<string, Trap> | undefined;
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
      led: false,
      budget: BUDGET,
      made: new Set(),
      files: new Map(),
      recursions: [],
      nextDescriptor: 10,
    },
    source: '',
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    descriptors: new Map(),
    dir: place.cwd,
    unsure: undefined,
    strict: false,
    traps: undefined,
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
    traps: undefined,
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

/** Takes work off the budget; false when it is used up. */
export function spend(all: Collected, work: number, text: string): boolean {
  all.budget -= work;
  if (!isSpent(all)) return true;
  addUnclear(all, 'too-many-commands', text);
  return false;
}

export function isSpent({ budget, commands }: Collected): boolean {
  return budget < 0 || commands.length >= MAX_COMMANDS;
}

/** Of each kind only some: none may keep another from being told. */
const MAX_UNCLEAR = 8;

export function addUnclear(all: Collected, why: Unclear['why'], text: string): void {
  const alike = all.unclear.filter((one) => one.why === why);
  if (alike.length < MAX_UNCLEAR && alike.every((one) => one.text !== text)) all.unclear.push({ text, why });
}

export function readingOf(all: Collected): Reading {
  return { commands: all.commands, unclear: all.unclear, exhausts: all.exhausts };
}

export function sourceOf(script: ParsedScript | Script, source: string): string {
  return script.source ?? source;
}

/** What is read from `input`, where that is known. */
export function knownText(input: ShellInput | undefined): string | undefined {
  if (input?.kind === 'text') return input.text;
  return input?.kind === 'pipe' ? input.text : undefined;
}

/** A descriptor that nothing uses yet. */
export function takeDescriptor(shell: Shell): number {
  shell.all.nextDescriptor += 1;
  return shell.all.nextDescriptor;
}

/** What `/dev/fd/3` and its like are open for. */
export function openedBy(path: string, shell: Shell): Opened | undefined {
  if (shell.descriptors.size === 0) return undefined;
  const number = /^\/(?:dev|proc\/(?:self|thread-self|\$\$|\d+))\/fd\/(\d+)$/.exec(path)?.[1];
  return number === undefined ? undefined : shell.descriptors.get(number);
}
