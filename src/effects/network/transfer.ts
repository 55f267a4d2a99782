import type { ShellCommand, ShellWord } from '../../shell/command.ts';

/** What one command moves between this machine and others. */
export interface Transfer {
  /** The other end, as far as it is named. */
  readonly host?: string;
  /** Its output is what came from there. */
  readonly brings?: boolean;
  /** Files that it makes of what came from there. */
  readonly saves?: readonly (ShellWord | string)[];
  /** Files whose content leaves. */
  readonly files?: readonly ShellWord[];
  /** Directories among `files` leave with all that is in them. */
  readonly recursive?: boolean;
  /** Words whose text leaves as data. */
  readonly texts?: readonly ShellWord[];
  /** Other words that the other end gets to see: addresses, headers. */
  readonly seen?: readonly ShellWord[];
  /** Its standard input leaves. */
  readonly takesInput?: boolean;
  /** A shell is given to the other end. */
  readonly serves?: boolean;
}

export type ReadTransfer = (command: ShellCommand) => Transfer | undefined;
