import type { OpenedEngine } from '../assembly/open-engine.ts';
import type { HomePaths } from '../platform/paths.ts';
import type { Grant } from '../engine/careful/book.ts';

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** Name of the value in the help text. */
  readonly value?: string;
  /** The value where none is given. */
  readonly bare?: string;
  readonly help: string;
  /** Why only a person may use the verb with it. */
  readonly gated?: string;
}

export interface Input {
  /** What `--name` was given; `undefined` when it was not. */
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  has(name: string): boolean;
  readonly args: readonly string[];
  /** Those of `args` that came after `--`; undefined without it. */
  readonly rest?: readonly string[];
}

/** What a file of verbs exports. The index of verbs is generated from these; the file itself is loaded when a verb runs. */
export interface VerbFile {
  /** Where help lists them among the verbs of other files: by this number. */
  readonly order: number;
  /** In the order of help. A verb with a blank is a word of its group. */
  readonly verbs: Readonly<Record<string, Command>>;
  /** What groups are about, for help; once for each group. */
  readonly groups?: Readonly<Record<string, string>>;
}

/** One verb. */
export interface Command {
  readonly summary: string;
  /** Why only a person may use it: it weakens protection, or forges what the engine remembers. */
  readonly gated?: string;
  /** On its way out: what to use now. Help does not show it. */
  readonly now?: string;
  /** Afterwards other rules may be in force, or with other words. */
  readonly changesRules?: true;
  /** The arguments after the verb, as help shows them: `[dir]`, `<rule> <mode>`. */
  readonly usage?: string;
  /** More than one line, for help. */
  readonly details?: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** Least and most positional arguments; none by default. */
  readonly args?: readonly [number, number];
  /**
   * Throws where what was given cannot be meant: a word that nothing is called, a time that is none. It changes nothing, and
   * comes before the gate, so that nobody is sent to a terminal with a mistake.
   */
  check?(input: Input, world: CliWorld): Promise<void> | void;
  /** For a gated verb that a person may allow an agent, call by call: whether what was approved covers this use of it. */
  redeem?(grant: Grant, input: Input, world: CliWorld): boolean;
  /** Returns the exit code; 0 when it returns nothing. */
  run(input: Input, world: CliWorld): Promise<number | void> | number | void;
}

/** What a verb may touch; tests give their own. */
export interface CliWorld {
  out(text: string): void;
  err(text: string): void;
  readonly paths: HomePaths;
  readonly userHome: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stands before the paths of the machine's own files, in tests. */
  readonly machineRoot?: string;
  /** Both ends are a terminal, so a person can be asked. */
  readonly interactive: boolean;
  /** Something other than a terminal is on standard input. */
  readonly hasInput: boolean;
  /** Standard output is a terminal. */
  readonly colour: boolean;
  /** How wide that terminal is; infinite where there is none, so that nothing is cut in a pipe. */
  readonly columns: number;
  /** The gate takes the caller for a person. */
  isPerson(): boolean;
  /** An agent is behind this process, or nothing tells. */
  isAgent(): boolean;
  ask(question: string): Promise<boolean>;
  /** With one more answer than yes and no, by its letter. */
  choose(question: string, other: string): Promise<'y' | 'n' | 'other'>;
  /** One of several words; the last where nobody goes on. */
  pick(question: string, words: readonly string[]): Promise<string>;
  /** One line that is not shown while it is typed. */
  askSecret(question: string): Promise<string>;
  /** With a limit in milliseconds: what came by then. */
  readStdin(limitMs?: number): Promise<string>;
  /** Opened on first use, closed by the caller. */
  engine(): OpenedEngine;
}

/** The person's mistake: said in one line, with the way to the help text; exit code 2. */
export class UsageError extends Error {}

/** Something is not as it must be: said in one line; exit code 1. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function printJson(world: CliWorld, value: unknown): void {
  world.out(`${JSON.stringify(value, null, 2)}\n`);
}

export const JSON_OPTION = { json: { type: 'boolean', help: 'print data as JSON' } } as const satisfies Record<
  string,
  Option
>;

/** What an agent's entries carry to say whose settings and state are meant, as `toHookArguments` writes it; a person may use `--home`. */
export const HOME_OPTIONS = {
  home: {
    type: 'string',
    value: 'DIR',
    help: 'settings and state in one directory, as FAIRLEAD_HOME for other verbs',
  },
  config: { type: 'string', value: 'DIR', help: 'settings directory; together with --state' },
  state: { type: 'string', value: 'DIR', help: 'state directory; together with --config' },
} as const satisfies Record<string, Option>;
