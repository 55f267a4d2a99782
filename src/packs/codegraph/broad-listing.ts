import { resolve } from 'node:path';
import { readOptions } from '../../shell/options.ts';
import { readFind } from './broad-find.ts';
import type { Found, Judged } from './broad-found.ts';
import { found, texts } from './broad-found.ts';
import { FD, FD_FACTS, FD_RUNS, LS, LS_FACTS, TREE, TREE_FACTS } from './broad-programs.ts';
import { hasWildcard } from './search.ts';

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
