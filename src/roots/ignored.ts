import ignore from 'ignore';
import type { Files } from '../platform/files.ts';
import { join, relative, sep } from '../platform/paths.ts';
import type { Repository } from './repository.ts';

const MAX_IGNORE_BYTES = 256 * 1024;

/** Whether the repository's own ignore files cover the directory; both paths canonical, `dir` below the top. */
export function isIgnored(files: Files, repository: Repository, dir: string): boolean {
  const { top, commonDir } = repository;
  const segments = relative(top, dir).split(sep);
  const rules = ignore({ ignorecase: false });
  if (commonDir !== undefined) rules.add(patternsOf(files, join(commonDir, 'info', 'exclude'), []));
  // A later pattern overrides an earlier one, so the deeper file is added after the upper one.
  for (let depth = 0; depth < segments.length; depth += 1) {
    const above = segments.slice(0, depth);
    rules.add(patternsOf(files, join(top, ...above, '.gitignore'), above));
  }
  return rules.ignores(`${segments.join('/')}/`);
}

/** The patterns of one ignore file, rewritten to speak from the top of the repository. */
export function patternsOf(files: Files, path: string, above: readonly string[]): string[] {
  const lines = (files.readText(path, MAX_IGNORE_BYTES) ?? '').replace(/^\uFEFF/, '').split(/\r?\n/);
  if (above.length === 0) return lines;
  const prefix = `/${above.map((segment) => segment.replace(/[\\*?[\]!# ]/g, '\\$&')).join('/')}`;
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#')).map((line) => reach(prefix, line));
}

function reach(prefix: string, line: string): string {
  const negation = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(negation.length).replace(/^\\(?=[!#])/, '');
  // A slash before the end ties a pattern to its own directory; without one it holds at any depth below.
  const isTied = pattern.trimEnd().slice(0, -1).includes('/');
  return `${negation}${prefix}${isTied ? '/' : '/**/'}${pattern.replace(/^\//, '')}`;
}
