import type { Reading, ShellCommand, ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import { readShell } from './read.ts';

export const PLACE = { cwd: '/code/site', home: '/home/mo', root: '/code/site' };

export function read(text: string): Reading {
  return readShell(text, PLACE);
}

/** Each command as one line: `road> wrapper+ words`, with `?` for what cannot be told. */
export function linesOf(text: string): readonly string[] {
  return read(text).commands.map(lineOf);
}

function lineOf({ road, wrappers, words }: ShellCommand): string {
  return [...road.map((one) => `${one}>`), ...wrappers.map((one) => `${one}+`), ...words.map(valueOf)].join(' ');
}

/** The words of the last command. */
export function lastWords(text: string): readonly string[] {
  return lastOf(text).words.map(valueOf);
}

export function lastOf(text: string): ShellCommand {
  return read(text).commands.at(-1) as ShellCommand;
}

function valueOf({ value }: ShellWord): string {
  return value.replaceAll(UNKNOWN, '?');
}
