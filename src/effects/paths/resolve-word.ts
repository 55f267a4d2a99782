import type { PathScope } from '../../event/effect.ts';
import type { Reading, ShellCommand, ShellWord } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { baseName, below, listed } from '../words/arguments.ts';
import { isMade } from './made.ts';
import { isPattern, matchesAll } from './pattern.ts';
import { resolvePath } from './resolve-path.ts';
import type { ResolvedPath, Surroundings } from '../scene.ts';
import { placesFound, readSearch, someOf } from './searches.ts';

/** Where a command's word points to, with what the commands that made the word tell about it. */
export function resolveWord(
  word: ShellWord | string,
  command: ShellCommand,
  surroundings: Surroundings,
  reading: Reading,
): ResolvedPath {
  if (typeof word === 'string') return placeHere(word, command, surroundings);
  const found = word.from.length === 0 ? undefined : listedBy(word, surroundings, reading);
  if (found) return found;
  const placed = placeHere(word, command, surroundings);
  if (word.glob) return patterned(word, placed);
  return !word.known && word.from.length > 0 && isListed(word, reading)
    ? { ...placed, many: { below: undefined, like: '**' } }
    : placed;
}

/** A name that is put together with one out of a list: `src/{}`. */
function isListed({ from }: ShellWord, { commands }: Reading): boolean {
  return from.some((number) => LISTERS.has(commands[number]?.program ?? ''));
}

/** What a pattern stands for. */
function patterned({ value }: ShellWord, placed: ResolvedPath): ResolvedPath {
  if (matchesAll(baseName(value))) return { ...placed, whole: 'pattern' };
  const { path } = placed;
  const wild = path === undefined ? -1 : path.search(/\/[^/]*[*?[]/);
  if (wild < 0) return placed;
  return { ...placed, many: { below: path?.slice(0, wild) || '/', like: path?.slice(wild + 1) ?? '' } };
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

/** What the output of another command says about a word that holds it. */
function listedBy(word: ShellWord, surroundings: Surroundings, { commands }: Reading): ResolvedPath | undefined {
  const maker = word.from.length === 1 ? commands[word.from[0] as number] : undefined;
  if (!maker) return undefined;
  if (maker.program === 'mktemp') return isBelowUnknown(word.value) ? { name: word.text, scope: 'temp' } : undefined;
  if (isTopLevel(maker) && word.value.startsWith(UNKNOWN))
    return resolvePath({ ...word, value: surroundings.root + word.value.slice(1) }, undefined, surroundings);
  return word.value === UNKNOWN ? listOf(maker, surroundings, commands) : foundBelow(word.value, maker, surroundings);
}

/** What `find -exec` puts in for its braces, with nothing added. */
function foundBelow(value: string, maker: ShellCommand, surroundings: Surroundings): ResolvedPath | undefined {
  if (maker.program !== 'find' && maker.program !== 'gfind') return undefined;
  const search = readSearch(maker.words);
  const start = search.starts.find((one) => value === one.value || value === below(one.value, UNKNOWN));
  return start && listFound(maker, surroundings, { ...search, starts: [start] });
}

/** One command may make many words. */
const known = new WeakMap<ShellCommand, ResolvedPath>();

function listOf(
  maker: ShellCommand,
  surroundings: Surroundings,
  commands: Reading['commands'],
): ResolvedPath | undefined {
  const before = known.get(maker);
  if (before) return before;
  const { input } = maker;
  const found =
    input?.kind === 'pipe' && FILTERS.has(maker.program) && input.from < maker.number
      ? filtered(listOf(commands[input.from] as ShellCommand, surroundings, commands), maker, surroundings)
      : LISTERS.get(maker.program)?.(maker, surroundings);
  if (found) known.set(maker, found);
  return found;
}

/** They hand on some of the names that they read. */
const FILTERS: ReadonlySet<string> = new Set(
  listed('grep egrep fgrep rg sort uniq head tail tac shuf cat tee awk gawk sed cut tr fzf column nl'),
);
const KEEPS_ALL: ReadonlySet<string> = new Set(listed('sort uniq tac shuf cat tee tr'));

function filtered(
  all: ResolvedPath | undefined,
  { program, words }: ShellCommand,
  surroundings: Surroundings,
): ResolvedPath | undefined {
  if (!all || KEEPS_ALL.has(program)) return all;
  const some = someOf(all);
  const pattern = words.find(({ value }, at) => at > 0 && !value.startsWith('-'))?.value ?? '';
  if (!/grep$|^rg$/.test(program) || words.some(({ value }) => /^-\w*v|^--invert/.test(value))) return some;
  const made = [likeOf(pattern), pattern.replaceAll(/[\\^$/]/g, '')].find((like) => isMade([like]));
  return all.path !== undefined && made !== undefined ? matching(all.path, made, surroundings) : some;
}

/** The pattern of names that a regular expression matches, as far as people use them for names: `^a`, `\.ts$`, `b`. */
function likeOf(expression: string): string {
  const name = expression.replaceAll(/^\^|\\|\$$/g, '').replaceAll('.*', '*');
  return `${expression.startsWith('^') ? '' : '*'}${name}${expression.endsWith('$') ? '' : '*'}`;
}

/** Files of that name, at any depth. */
function matching(dir: string, like: string, surroundings: Surroundings): ResolvedPath {
  const value = below(dir, like);
  const placed = resolvePath({ text: value, value, known: true, glob: true, from: [] }, undefined, surroundings);
  return { ...placed, many: { below: dir, like: `**/${like}` } };
}

type List = (maker: ShellCommand, surroundings: Surroundings) => ResolvedPath | undefined;

const LISTERS: ReadonlyMap<string, List> = new Map<string, List>([
  ['find', (find, surroundings) => listFound(find, surroundings)],
  ['gfind', (find, surroundings) => listFound(find, surroundings)],
  ['fd', listMatches],
  ['fdfind', listMatches],
  ['ls', listDirectory],
  ['tree', listDirectory],
  ['git', listByGit],
  ['grep', listHolding],
  ['rg', listHolding],
  ['ag', listHolding],
  ['ack', listHolding],
]);

/** The place that matters most among those that the search finds. */
function listFound(
  find: ShellCommand,
  surroundings: Surroundings,
  search = readSearch(find.words),
): ResolvedPath | undefined {
  const all = search.starts.flatMap((start) =>
    placesFound(search, start, (word) => placeHere(word, find, surroundings)),
  );
  const isFree = ({ scope }: ResolvedPath) => scope === 'made' || scope === 'temp';
  const held = all.filter((one) => !isFree(one));
  const worst = held.find(({ scope }) => HOLDS_MUCH.has(scope)) ?? held[0] ?? all[0];
  if (!worst || held.length < 2) return worst;
  // One word stands for all of them: what lies in one place can be told by that place, other lists by none.
  const [dir, ...others] = held.map(({ many, path }) => many?.below ?? path);
  return { ...worst, many: { below: others.every((one) => one === dir) ? dir : undefined, like: '**' } };
}

const FD: OptionSpec = {
  values: listed(
    '-e --extension -t --type -d --max-depth --min-depth --exact-depth -E --exclude -S --size --changed-within --changed-before ' +
      '-o --owner -j --threads -c --color --base-directory --search-path --ignore-file',
  ),
};

/** `fd pattern places`: the pattern may match anywhere in a name. */
function listMatches({ words, dir }: ShellCommand, surroundings: Surroundings): ResolvedPath | undefined {
  const end = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.value));
  const options = readOptions(words.slice(1, end < 0 ? words.length : end), FD);
  const [pattern, place] = options.operands;
  const [ending] = options.values('-e', '--extension');
  const from = resolvePath(place?.value ?? '.', dir, surroundings);
  if (!ending && (pattern === undefined || /^\^?\.?\*?$/.test(pattern.value))) return { ...from, whole: 'list' };
  const like = ending ? `*.${ending.value}` : likeOf(pattern?.value ?? '');
  return from.path === undefined
    ? { ...from, many: { below: undefined, like } }
    : matching(from.path, like, surroundings);
}

function listDirectory(command: ShellCommand, surroundings: Surroundings): ResolvedPath | undefined {
  const places = command.words.slice(1).filter((word) => !word.value.startsWith('-'));
  const [place] = places;
  if (places.length > 1) return undefined;
  if (place?.glob === true) return patterned(place, placeHere(place, command, surroundings));
  return { ...placeHere(place ?? '.', command, surroundings), whole: 'list' };
}

const SEARCH: OptionSpec = {
  values: listed(
    '-g --glob --iglob -t --type -T --type-not -e --regexp -A -B -C -m --max-count --include --exclude --exclude-dir -j --threads -d',
  ),
};

/** Files that hold a text, or all that such a program would look through. */
function listHolding(command: ShellCommand, surroundings: Surroundings): ResolvedPath | undefined {
  const options = readOptions(command.words.slice(1), SEARCH);
  const all = options.has('--files', '-f') && command.program !== 'grep';
  if (!all && !options.has('-l', '-L', '--files-with-matches', '--files-without-match', '-Z')) return undefined;
  const places = options.operands.slice(all || options.has('-e', '--regexp') ? 0 : 1);
  if (places.length > 1) return undefined;
  const from = placeHere(places[0] ?? '.', command, surroundings);
  const isWhole = all && !options.has('-g', '--glob', '--iglob', '-t', '--type', '-T', '--type-not');
  return isWhole ? { ...from, whole: 'list' } : { ...someOf(from), many: { below: from.path, like: '**' } };
}

/** `git ls-files` without a path names all that the repository holds, and other listings some of it. */
function listByGit({ words, dir }: ShellCommand, surroundings: Surroundings): ResolvedPath | undefined {
  const [, verb, ...rest] = words;
  if (!/^(?:ls-files|ls-tree|diff|diff-files|diff-index|status|grep)$/.test(verb?.value ?? '')) return undefined;
  const isAll = verb?.value === 'ls-files' && rest.every(({ value }) => !/^-[^zc-]|^--(?!cached$|$)/.test(value));
  const [place, other] = rest.filter(({ value }) => !value.startsWith('-'));
  const pattern = verb?.value === 'ls-files' && place && !other ? place.value : undefined;
  const here = resolvePath('.', dir, surroundings);
  if (pattern !== undefined && isPattern(pattern) && here.path !== undefined)
    return matching(here.path, pattern, surroundings);
  if (isAll && !other) return { ...resolvePath(place ?? '.', dir, surroundings), whole: 'list' };
  return { ...someOf(here), many: { below: here.path, like: '**' } };
}

/** `git rev-parse --show-toplevel` */
function isTopLevel({ program, words }: ShellCommand): boolean {
  return program === 'git' && words[1]?.value === 'rev-parse' && words[2]?.value === '--show-toplevel';
}

/** `$(mktemp -d)`, or what is below it. */
function isBelowUnknown(value: string): boolean {
  return value.startsWith(UNKNOWN) && (value.length === 1 || value[1] === '/') && !value.includes('..');
}
