import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { Options } from '../../shell/options.ts';

/** How a command hands content on. */
export interface Contents {
  /** Files whose content it hands on. */
  readonly reads: readonly ShellWord[];
  /** Its standard input is handed on. */
  readonly input: boolean;
  /** Files that get the content. */
  readonly writes: readonly (ShellWord | string)[];
  /** Its standard output gets the content. */
  readonly output: boolean;
  /** Directories among `reads` are handed on with all that is in them. */
  readonly recursive?: boolean;
  /** The content is packed, so that it is more than one file. */
  readonly packed?: boolean;
  /** The text of its words is content. */
  readonly words?: boolean;
  /** What it puts out is decoded. */
  readonly decodes?: boolean;
  /** The files it reads are gone afterwards. */
  readonly moves?: boolean;
  /** It looks for credentials in what it reads. */
  readonly credentials?: boolean;
  /** All variables of the environment are content. */
  readonly environment?: boolean;
}

export type ReadContents = (command: ShellCommand, options: Options) => Contents | undefined;
