import { resolve } from 'node:path';
import { readOptions } from '../../shell/options.ts';
import { found, texts } from './broad-found.ts';
import type { Found, Judged } from './broad-found.ts';
import {
  FD,
  FD_FACTS,
  FD_RUNS,
  LS,
  LS_FACTS,
  TREE,
  TREE_FACTS,
  FIND_ACTIONS,
  FIND_EXPRESSIONS,
  FIND_FACTS,
  FIND_NAMES,
} from './broad-programs.ts';
import { hasWildcard } from './search.ts';
import type { ShellWord } from '../../shell/command.ts';

/** What the words of a `find` look for; undefined when it looks at one level only, for one name, or changes something. */
interface Find {
  readonly starts: readonly ShellWord[];
  readonly globs: readonly string[];
  readonly expressions: readonly string[];
  /** It asks about more than names, or for directories alone. */
  readonly facts: boolean;
}

interface Test {
  readonly kind: 'name' | 'expression' | 'type' | 'fact';
  readonly value: string;
}

function readFind(words: readonly ShellWord[]): Find | undefined {
  let at = 1;
  while (/^-(?:[HLP]|O\d?|D)$/.test(words[at]?.value ?? '')) at += words[at]?.value === '-D' ? 2 : 1;
  const starts: ShellWord[] = [];
  for (let word = words[at]; word && !/^(?:-.|[(!]$)/.test(word.value); word = words[(at += 1)]) starts.push(word);
  const tests = readTests(words.slice(at).map(({ value }) => value));
  if (!tests) return undefined;
  const valuesOf = (wanted: Test['kind']) => tests.filter(({ kind }) => kind === wanted).map(({ value }) => value);
  const globs = valuesOf('name');
  const expressions = valuesOf('expression');
  const names = [...globs, ...expressions];
  if (names.length > 0 && !names.some(hasWildcard)) return undefined;
  const types = valuesOf('type');
  const withoutFiles = types.length > 0 && !types.some((type) => type.includes('f'));
  return { starts, globs, expressions, facts: withoutFiles || valuesOf('fact').length > 0 };
}

/** Tests that a file has to pass; those that are negated or lead to `-prune` only leave files out. */
function readTests(words: readonly string[]): readonly Test[] | undefined {
  let tests: Test[] = [];
  /** How many tests there were where each open group and the present alternative began. */
  const groups: { readonly from: number; readonly alternative: number; readonly negated: boolean }[] = [];
  let alternative = 0;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    const negated = words[at - 1] === '!' || words[at - 1] === '-not';
    if (FIND_ACTIONS.has(word)) return undefined;
    if (word === '-maxdepth' && Number(words[at + 1]) <= 1) return undefined;
    if (FIND_NAMES.has(word) || FIND_EXPRESSIONS.has(word)) {
      const value = words[(at += 1)];
      if (value !== undefined && !negated)
        tests.push({ kind: FIND_EXPRESSIONS.has(word) ? 'expression' : 'name', value });
    } else if (word === '-type' || word === '-xtype') {
      const value = words[(at += 1)];
      if (value !== undefined && !negated) tests.push({ kind: 'type', value });
    } else if (word === '-printf') {
      const value = words[(at += 1)] ?? '';
      if (/%[^%pPfhH]/.test(value)) tests.push({ kind: 'fact', value });
    } else if (FIND_FACTS.test(word)) {
      tests.push({ kind: 'fact', value: word });
    } else if (word === '(') groups.push({ from: tests.length, alternative, negated });
    else if (word === ')') {
      const group = groups.pop();
      alternative = group?.alternative ?? 0;
      if (group?.negated === true) tests = tests.slice(0, group.from);
    } else if (word === '-o' || word === '-or') alternative = tests.length;
    else if (word === '-prune') tests = tests.slice(0, alternative);
    else if (/^-(?:exec|ok)/.test(word)) at = endOfRun(words, at);
  }
  return tests;
}

function endOfRun(words: readonly string[], from: number): number {
  for (let at = from + 1; at < words.length; at += 1)
    if (words[at] === ';' || (words[at] === '+' && words[at - 1] === '{}')) return at;
  return words.length;
}

/** A listing that names no files as yet. */
function listingOf(facts: boolean): Omit<Found, 'places'> {
  return { patterns: [], globs: [], types: [], listing: true, ...(facts && { facts }) };
}

export function judgeFind(judged: Judged): Found | undefined {
  const find = readFind(judged.command.words);
  if (!find) return undefined;
  const { starts, globs, expressions: patterns, facts } = find;
  return found({ ...listingOf(facts), patterns, globs }, starts, judged);
}

export function judgeFd(judged: Judged): Found | undefined {
  const words = judged.command.words.slice(1);
  const runs = words.findIndex(({ value }) => FD_RUNS.has(value));
  const options = readOptions(runs < 0 ? words : words.slice(0, runs), FD);
  if (options.has('-h', '--help', '-V', '--version')) return undefined;
  const [first, ...rest] = options.operands;
  const pattern = first === undefined || /^[\^.]?\$?$/.test(first.value) ? '' : first.value;
  const globs = texts(options.values('-e', '--extension')).map((name) => `*.${name.replace(/^\./, '')}`);
  if (pattern !== '' && globs.length === 0 && !hasWildcard(pattern)) return undefined;
  const isGlob = options.has('-g', '--glob') || pattern.startsWith('*');
  const dir = resolve(judged.dir, ...texts(options.values('-C', '--base-directory')));
  const kinds = texts(options.values('-t', '--type'));
  const facts =
    options.has(...FD_FACTS) || (kinds.length > 0 && !kinds.some((kind) => kind === 'f' || kind === 'file'));
  return found(
    {
      ...listingOf(facts),
      patterns: pattern === '' || isGlob ? [] : [pattern],
      globs: isGlob ? [...globs, pattern] : globs,
    },
    [...rest, ...options.values('--search-path')],
    { ...judged, dir },
  );
}

export function judgeLs(judged: Judged): Found | undefined {
  const options = readOptions(judged.command.words.slice(1), LS);
  const deep = options.operands.filter(({ value, glob }) => glob && value.includes('**'));
  if (!options.has('-R', '--recursive') && deep.length === 0) return undefined;
  const places = deep.length > 0 ? deep : options.operands;
  return found(listingOf(options.has(...LS_FACTS)), places, judged);
}

export function judgeTree(judged: Judged): Found | undefined {
  const options = readOptions(judged.command.words.slice(1), TREE);
  if (options.has('--help', '--version')) return undefined;
  if (options.values('-L').some(({ value }) => value === '1')) return undefined;
  const globs = texts(options.values('-P')).flatMap((value) => value.split('|'));
  return found({ ...listingOf(options.has(...TREE_FACTS)), globs }, options.operands, judged);
}
