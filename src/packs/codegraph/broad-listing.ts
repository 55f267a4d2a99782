import { resolve } from 'node:path';
import { readOptions } from '../../shell/options.ts';
import { readFind } from './broad-find.ts';
import type { Found, Judged } from './broad-found.ts';
import { found, texts } from './broad-found.ts';
import { FD, FD_RUNS, LS, TREE } from './broad-programs.ts';
import { hasWildcard } from './search.ts';

export function judgeFind(judged: Judged): Found | undefined {
  const find = readFind(judged.command.words);
  if (!find) return undefined;
  return found({ patterns: find.expressions, globs: find.globs, types: [], listing: true }, find.starts, judged);
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
  return found(
    {
      patterns: pattern === '' || isGlob ? [] : [pattern],
      globs: isGlob ? [...globs, pattern] : globs,
      types: [],
      listing: true,
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
  return found({ patterns: [], globs: [], types: [], listing: true }, places, judged);
}

export function judgeTree(judged: Judged): Found | undefined {
  const options = readOptions(judged.command.words.slice(1), TREE);
  if (options.has('--help', '--version')) return undefined;
  if (options.values('-L').some(({ value }) => value === '1')) return undefined;
  const globs = texts(options.values('-P')).flatMap((value) => value.split('|'));
  return found({ patterns: [], globs, types: [], listing: true }, options.operands, judged);
}
