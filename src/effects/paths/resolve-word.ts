import type { PathScope } from '../../event/effect.ts';
import type { Reading, ShellCommand, ShellWord } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { below, listed } from '../words/arguments.ts';
import { matchesAll } from './pattern.ts';
import { resolvePath } from './resolve-path.ts';
import type { ResolvedPath, Scene, Surroundings } from '../scene.ts';
import type { Found } from './searches.ts';
import { placesFound, readSearch } from './searches.ts';

/** Where a command's word points to, with what the commands that made the word tell about it. */
export function resolveWord(
  word: ShellWord | string,
  command: ShellCommand,
  surroundings: Surroundings,
  reading: Reading,
): ResolvedPath {
  const found = typeof word === 'string' ? undefined : listedBy(word, command, surroundings, reading);
  return found?.placed ?? placeHere(word, command, surroundings);
}

const HOLDS_MUCH: ReadonlySet<PathScope> = new Set(['root', 'system', 'home', 'workspace', 'git']);

/** `cd dist; rm -rf *`: should `cd` fail, what has no name of its own is all that is where the command came from. */
function placeHere(
  word: ShellWord | string,
  { dir, elsewhere }: ShellCommand,
  surroundings: Surroundings,
): ResolvedPath {
  const placed = resolvePath(word, dir, surroundings);
  if (elsewhere === undefined || HOLDS_MUCH.has(placed.scope) || !isNameless(word)) return placed;
  const other = resolvePath(word, elsewhere, surroundings);
  return HOLDS_MUCH.has(other.scope) ? other : placed;
}

/** `.`, `..`, `*`, `./*`: whatever there is. */
function isNameless(word: ShellWord | string): boolean {
  const value = typeof word === 'string' ? word : word.value;
  const glob = typeof word !== 'string' && word.glob;
  return (
    !value.startsWith('/') && value.split('/').every((part) => /^\.{0,2}$/.test(part) || (glob && matchesAll(part)))
  );
}

/** The word stands for all that a search or a listing without conditions names: a whole tree. */
export function isWholeList(word: ShellWord, command: ShellCommand, { surroundings, reading }: Scene): boolean {
  if (isFound(word, command) && word.known) return true;
  return listedBy(word, command, surroundings, reading)?.wide === true;
}

/** What the output of another command says about a word that holds nothing else. */
function listedBy(
  word: ShellWord,
  command: ShellCommand,
  surroundings: Surroundings,
  { commands }: Reading,
): Found | undefined {
  if (word.known) return undefined;
  const found = isFound(word, command);
  const maker = found
    ? commands.findLast(({ number, program }) => number < command.number && program === 'find')
    : commands[word.from.length === 1 ? (word.from[0] as number) : -1];
  if (!maker) return undefined;
  if (maker.program === 'mktemp')
    return isBelowUnknown(word.value) ? { placed: { name: word.text, scope: 'temp' }, wide: false } : undefined;
  if (isTopLevel(maker) && word.value.startsWith(UNKNOWN)) {
    return {
      placed: resolvePath({ ...word, value: surroundings.root + word.value.slice(1) }, undefined, surroundings),
      wide: false,
    };
  }
  return word.value === UNKNOWN || found ? listOf(maker, surroundings) : undefined;
}

/** One command may make many words. */
const known = new WeakMap<ShellCommand, Found>();

function listOf(maker: ShellCommand, surroundings: Surroundings): Found | undefined {
  const found = known.get(maker) ?? LISTERS.get(maker.program)?.(maker, surroundings);
  if (found) known.set(maker, found);
  return found;
}

type List = (maker: ShellCommand, surroundings: Surroundings) => Found | undefined;

const LISTERS: ReadonlyMap<string, List> = new Map<string, List>([
  ['find', listFound],
  ['gfind', listFound],
  ['fd', listMatches],
  ['fdfind', listMatches],
  ['ls', listDirectory],
  ['git', listTracked],
]);

/** The place that matters most among those that the search finds. */
function listFound(find: ShellCommand, surroundings: Surroundings): Found | undefined {
  const search = readSearch(find.words);
  const all = search.starts.flatMap((start) =>
    placesFound(search, start, (word) => placeHere(word, find, surroundings)),
  );
  return all.find(({ placed }) => placed.scope !== 'made') ?? all[0];
}

const FD: OptionSpec = {
  values: listed(
    '-e --extension -t --type -d --max-depth --min-depth --exact-depth -E --exclude -S --size --changed-within --changed-before ' +
      '-o --owner -j --threads -c --color --base-directory --search-path --ignore-file',
  ),
};

/** `fd pattern places`: the pattern may match anywhere in a name. */
function listMatches({ words, dir }: ShellCommand, surroundings: Surroundings): Found | undefined {
  const end = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.value));
  const options = readOptions(words.slice(1, end < 0 ? words.length : end), FD);
  const [pattern, place] = options.operands;
  const [ending] = options.values('-e', '--extension');
  const start = place?.value ?? '.';
  if (!ending && (pattern === undefined || /^\^?\.?\*?$/.test(pattern.value)))
    return { placed: resolvePath(start, dir, surroundings), wide: true };
  const value = below(start, ending ? `*.${ending.value}` : `*${pattern?.value ?? ''}*`);
  return {
    placed: resolvePath({ text: value, value, known: true, glob: true, from: [] }, dir, surroundings),
    wide: false,
  };
}

function listDirectory(command: ShellCommand, surroundings: Surroundings): Found | undefined {
  const places = command.words.slice(1).filter((word) => !word.value.startsWith('-'));
  if (places.length > 1) return undefined;
  return { placed: placeHere(places[0] ?? '.', command, surroundings), wide: places[0]?.glob !== true };
}

/** `git ls-files` without a path names all that the repository holds. */
function listTracked({ words, dir }: ShellCommand, surroundings: Surroundings): Found | undefined {
  const [, verb, ...rest] = words;
  const places = rest.filter(({ value }) => !/^-(?:z|c|-cached|-)$/.test(value));
  if (verb?.value !== 'ls-files' || places.length > 1 || places[0]?.value.startsWith('-') === true) return undefined;
  return { placed: resolvePath(places[0] ?? '.', dir, surroundings), wide: true };
}

/** `git rev-parse --show-toplevel` */
function isTopLevel({ program, words }: ShellCommand): boolean {
  return program === 'git' && words[1]?.value === 'rev-parse' && words[2]?.value === '--show-toplevel';
}

/** The word is what `find -exec` puts in for its braces, with nothing added. */
function isFound({ text }: ShellWord, { road }: ShellCommand): boolean {
  return /^(["']?)\{\}\1$/.test(text) && road.at(-1)?.startsWith('find -') === true;
}

/** `$(mktemp -d)`, or what is below it. */
function isBelowUnknown(value: string): boolean {
  return value.startsWith(UNKNOWN) && (value.length === 1 || value[1] === '/') && !value.includes('..');
}
