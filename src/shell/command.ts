/** Stands in a word's value for a part that only running the command would tell. */
export const UNKNOWN = '\u0000';

/** Stands in what is printed for a byte of zero, which ends an item. */
export const ZERO = '\uFDD0';

export interface ShellWord {
  /** As typed. */
  readonly text: string;
  /** Without quotes, variables followed where they are literal; `UNKNOWN` where they are not. */
  readonly value: string;
  /** No `UNKNOWN` in it. */
  readonly known: boolean;
  /** Holds `*`, `?` or `[` outside quotes: it stands for the files that match. */
  readonly glob: boolean;
  /** The commands whose output it holds, by their number. */
  readonly from: readonly number[];
  /** The variables from outside whose values it holds, by name. */
  readonly env?: readonly string[];
}

export interface ShellRedirect {
  readonly operator: '>' | '>>' | '<' | '<>';
  /** 0 for input, 1 for output, 2 for errors; `&>` becomes two entries. */
  readonly descriptor: number;
  /** Absent when it only joins descriptors, such as `2>&1`. */
  readonly target?: ShellWord;
}

/** Where a command's standard input comes from. */
export type ShellInput =
  /** `text` is what comes through it, where a decoder or filter of known text tells. */
  | { readonly kind: 'pipe'; readonly from: number; readonly text?: string }
  /** A heredoc, a here-string, or the known output of `echo`, `printf` or `cat` before a pipe. */
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly known: boolean;
      readonly from?: number;
      /** The commands whose output it holds, and variables from outside, as of a word. */
      readonly holds?: readonly number[];
      readonly env?: readonly string[];
    }
  | { readonly kind: 'file'; readonly target: ShellWord };

/** One simple command, in the order in which it would run; wrappers such as `sudo` and `env` are taken off. */
export interface ShellCommand {
  /** Its place in `Reading.commands`. */
  readonly number: number;
  /** Program and arguments. */
  readonly words: readonly ShellWord[];
  /** The program's base name in lower case; empty when it cannot be told or there is none. */
  readonly program: string;
  /** The simple command as typed. */
  readonly text: string;
  /** `sudo`, `env`, `timeout`, … as they were taken off, outermost first, each once. */
  readonly wrappers: readonly string[];
  /** What it is nested in, outermost first: `bash -c`, `eval`, `xargs`, `find -exec`, `$( )`, `heredoc`, `python -c`, … */
  readonly road: readonly string[];
  readonly position: 'lead' | 'chained' | 'nested';
  /** The directory it runs in; undefined when that cannot be told. */
  readonly dir: string | undefined;
  /** The directory it runs in should a `cd` before it have failed, where nothing would have stopped it. */
  readonly elsewhere?: string | undefined;
  /** `A=1 program`: assignments of this command alone; without a name for `env $(…) program`, which only running tells. */
  readonly assigns: readonly { readonly name: string; readonly value: ShellWord }[];
  readonly redirects: readonly ShellRedirect[];
  readonly input: ShellInput | undefined;
  /** The command that reads its output through a pipe. */
  readonly pipedTo: number | undefined;
  /** The variable that its output is kept in, as in `X=$(…)`. */
  readonly keptIn: string | undefined;
  readonly background: boolean;
  readonly depth: number;
  /** The script from disk that it stands in, and where. */
  readonly at?: ScriptPlace | undefined;
  /** The code of a file that it runs, in the language of its program. */
  readonly script?: Script | undefined;
  /** In a loop of which only running tells how often it runs: where its commands end. Those up to there may have run before. */
  readonly roundEnd?: number;
}

/** A part that could not be understood, and why. */
export interface Unclear {
  readonly text: string;
  readonly why: 'too-long' | 'too-many-heredocs' | 'too-deep' | 'too-many-commands' | 'syntax' | 'computed';
}

/** Code that a command runs from a file. */
export interface Script {
  readonly text: string;
  /** Absolute; absent where the command itself wrote the file. */
  readonly file?: string;
}

/** A place in code that came from disk. */
export interface ScriptPlace {
  readonly file: string;
  readonly text: string;
  readonly from: number;
  /** The line of the file that the text begins in, or that of each of its lines. */
  readonly lines: number | readonly number[];
}

/** A file or a directory that the reading depends on, with what the file held, or whether the directory was there. */
export type Looked = { readonly path: string } & (
  | { readonly text: string | undefined }
  | { readonly isDir: boolean | undefined }
);

export interface Reading {
  readonly files: readonly Looked[];
  readonly commands: readonly ShellCommand[];
  readonly unclear: readonly Unclear[];
  /** A loop or a function that starts itself or background work without end. */
  readonly exhausts: readonly string[];
  /** The variables that the text sets, in whatever way. */
  readonly assigned: ReadonlySet<string>;
}

/** Whether nothing stayed hidden in the text but what only running it tells. */
export function isReadWhole({ unclear }: Reading): boolean {
  return unclear.every(({ why }) => why === 'computed');
}

export interface ReadingPlace {
  readonly cwd: string;
  readonly home: string;
  /** The workspace root, which git tells as the top of the repository. */
  readonly root?: string;
  /** What a file on disk holds; undefined where there is none, or none that is worth reading. */
  readonly disk?: ((path: string) => string | undefined) | undefined;
  /** Whether a directory is there; without it that is not known. */
  readonly isDir?: ((path: string) => boolean) | undefined;
}

/** Whether what a reading depends on is as it was. */
export function isCurrent(looked: readonly Looked[], { disk, isDir }: Pick<ReadingPlace, 'disk' | 'isDir'>): boolean {
  return looked.every((one) => ('text' in one ? disk?.(one.path) === one.text : isDir?.(one.path) === one.isDir));
}
