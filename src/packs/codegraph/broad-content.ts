import { resolve } from 'node:path';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { isDevice } from '../../shell/files.ts';
import type { Options } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import type { Found, Judged } from './broad-found.ts';
import { MOST_STATS, found, texts } from './broad-found.ts';
import type { ContentProgram } from './broad-programs.ts';
import { GIT, GIT_GREP } from './broad-programs.ts';
import { isTypeName } from './languages.ts';
import { hasWildcard } from './search.ts';

export function judgeContent(program: ContentProgram, judged: Judged): Found | undefined {
  const options = readOptions(judged.command.words.slice(1), program.options);
  if (options.has(...program.tells)) return undefined;
  const { patterns, places } = split(program, options);
  const types = [
    ...texts(options.values(...program.types)),
    ...(program.typeFlags ? typeFlags(judged.command.words) : []),
  ];
  const globs = texts(options.values(...program.globs));
  const names = texts(options.values(...(program.names ?? [])));
  const limits = { globs, types };
  if (names.length > 0 || options.has(...(program.lists ?? []))) {
    const isLiteral = names.length > 0 && !names.some(hasWildcard);
    // What would be the pattern is a place to list.
    return isLiteral ? undefined : found({ ...limits, patterns: names, listing: true }, options.operands, judged);
  }
  const walks = program.recursive === undefined || options.has(...program.recursive) || recursesBy(options);
  const wide = walks ? walked(places, program, judged) : placesFrom(places, holdsMany, judged);
  return wide && found({ ...limits, patterns, listing: false }, wide, judged);
}

/** The patterns a search is given, and the places it is to look in. */
export function split(
  program: ContentProgram,
  options: Options,
): { readonly patterns: readonly string[]; readonly places: readonly ShellWord[] } {
  const given = options.values(...program.patterns);
  if (given.length > 0 || options.has(...program.patternFiles))
    return { patterns: texts(given), places: options.operands };
  return { patterns: texts(options.operands.slice(0, 1)), places: options.operands.slice(1) };
}

/** `grep -d recurse`. */
function recursesBy(options: Options): boolean {
  return options.values('-d', '--directories').some(({ value }) => value === 'recurse');
}

/** The places of a walk that make it a broad one; undefined when it is none. */
function walked(
  places: readonly ShellWord[],
  program: ContentProgram,
  judged: Judged,
): readonly ShellWord[] | undefined {
  // A program that only walks when told does so whatever comes through its input.
  if (places.length === 0)
    return program.recursive !== undefined || judged.command.input === undefined ? places : undefined;
  return places.length > MOST_STATS ? places : placesFrom(places, isBroadKind, judged);
}

/** Those from the first of such a kind on: files that are named before it are not what makes the search broad. */
function placesFrom(
  places: readonly ShellWord[],
  isWide: (kind: Kind) => boolean,
  judged: Judged,
): readonly ShellWord[] | undefined {
  const first = places.findIndex((word) => isWide(kindOf(word, judged)));
  return first < 0 ? undefined : places.slice(first);
}

function holdsMany(kind: Kind): boolean {
  return kind === 'dir' || kind === 'many';
}

/** `many`: a glob, or what a listing of the tree named. `untold`: cannot be known, or was not tested. */
type Kind = 'file' | 'dir' | 'absent' | 'many' | 'untold';

function isBroadKind(kind: Kind): boolean {
  return kind !== 'file' && kind !== 'untold';
}

function kindOf(word: ShellWord, { dir, all, tests }: Judged): Kind {
  if (word.glob) return 'many';
  if (!word.known) return word.from.some((number) => isTreeListing(all[number])) ? 'many' : 'untold';
  const { value } = word;
  if (value === '-' || isDevice(value)) return 'file';
  if (/(?:^|\/)(?:\.\.?)?$/.test(value)) return 'dir';
  if (tests.left === 0) return 'untold';
  tests.left -= 1;
  const kind = tests.look.stat(resolve(dir, value))?.kind ?? 'absent';
  return kind === 'other' ? 'absent' : kind;
}

/** `git ls-files`, which is no search by itself, but names all files to a program that searches them. */
function isTreeListing(command: ShellCommand | undefined): boolean {
  if (command?.program !== 'git') return false;
  const [verb, ...rest] = readOptions(command.words.slice(1), GIT).operands;
  return verb?.value === 'ls-files' && rest.every(({ value }) => value.startsWith('-') || hasWildcard(value));
}

export function judgeGit(judged: Judged): Found | undefined {
  const { command, dir, tests, all } = judged;
  const own = readOptions(command.words.slice(1), GIT);
  const [verb, ...rest] = own.operands;
  if (verb?.value !== 'grep') return undefined;
  const there = resolve(dir, ...texts(own.values('-C')));
  const options = readOptions(rest, GIT_GREP.options);
  if (options.has(...GIT_GREP.tells)) return undefined;
  const { patterns, places } = split(GIT_GREP, options);
  const { afterDashes } = options;
  const isParted = afterDashes.length > 0;
  // What stands before the dashes is a revision, of which no index tells.
  if (isParted && places.length > afterDashes.length) return undefined;
  const specs = (isParted ? afterDashes : places)
    .filter(({ value }) => !/^:(?:[!^]|\(exclude\))/.test(value))
    .map(plainSpec);
  const at = { command, dir: there, tests, all };
  const what = { patterns, globs: [], types: [], listing: false };
  const [first, ...others] = specs;
  if (!first) return found(what, specs, at);
  const kind = kindOf(first, at);
  // Without dashes, git takes what is no path for a revision; revisions come first.
  if (kind === 'absent' && !isParted) return undefined;
  if (isBroadKind(kind) || specs.length > MOST_STATS) return found(what, specs, at);
  const wide = placesFrom(others, isBroadKind, at);
  return wide && found(what, wide, at);
}

/** Git expands a pathspec itself, quoted or not; `:/` counts from the top of the repository, wherever that is. */
function plainSpec(word: ShellWord): ShellWord {
  const value = word.value.startsWith(':/') ? '.' : word.value.replace(/^:\([^)]*\)/, '');
  return { ...word, value, glob: hasWildcard(value) };
}

function typeFlags(words: readonly ShellWord[]): readonly string[] {
  return texts(words)
    .filter((value) => value.startsWith('--') && isTypeName(value.slice(2)))
    .map((value) => value.slice(2));
}
