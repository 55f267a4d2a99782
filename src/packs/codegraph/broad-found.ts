import { resolve } from 'node:path';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { Look, Search } from './search.ts';
import { admitsAll, admitsAllBelow, fixedPart } from './search.ts';

/** How many operands of a whole command line are looked at, and how many a program may have and still be narrow. */
export const MOST_STATS = 4;

/** A simple command under judgement, among the others of its line. */
export interface Judged {
  readonly command: ShellCommand;
  readonly all: readonly ShellCommand[];
  /** Absolute. */
  readonly dir: string;
  readonly tests: Tests;
}

export interface Tests {
  readonly look: Look;
  left: number;
}

export type Found = Omit<Search, 'tool'>;

/** A search in these places; the globs among them say which files, if there is nothing else among them. */
export function found(what: Omit<Found, 'places'>, places: readonly ShellWord[], { dir }: Judged): Found | undefined {
  const told = places.filter(({ known }) => known);
  if (places.length > 0 && told.length === 0 && places.every(({ from }) => from.length === 0)) return undefined;
  const paths = told.map(({ value, glob }) => resolve(dir, glob ? fixedPart(value) : value));
  const named = told.every(({ glob }) => glob) ? texts(told) : [];
  const globs = [...what.globs, ...named.filter((glob) => !admitsAllBelow(glob))];
  return {
    ...what,
    places: paths.length === 0 ? [dir] : [...new Set(paths)],
    globs: globs.filter((glob) => !glob.startsWith('!') && !admitsAll(glob)),
  };
}

export function texts(words: readonly ShellWord[]): readonly string[] {
  return words.map(({ value }) => value);
}
