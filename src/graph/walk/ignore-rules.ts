import ignore from 'ignore';
import type { Ignore } from 'ignore';
import type { Files } from '../../platform/files.ts';
import { dirname, join, relative, sep } from '../../platform/paths.ts';
import { patternsOf } from '../../roots/ignored.ts';
import { repositoryAt } from '../../roots/repository.ts';
import type { Repository } from '../../roots/repository.ts';
import type { Names } from './excluded.ts';

/** What the ignore files down to one directory say. Each kind has a say of its own: git's last, ours first. */
export interface IgnoreRules {
  /** From the top of the repository to the root; patterns speak from the top. */
  readonly above: readonly string[];
  /** The same with slashes. */
  readonly prefix: string;
  readonly matchers: readonly (Ignore | undefined)[];
}

/** In order of weight. What git is told says nothing about the directories that are excluded by default; the others can bring one back. */
const IGNORE_FILES = ['.fairleadignore', '.ignore', '.gitignore'] as const;
const GIT = 2;
const MAX_UP = 40;

export type Verdict = 'ignored' | 'wanted' | undefined;

/** What holds in the root: the repository around it and its own ignore files. */
export function rootRules(files: Files, root: string, names: Names): IgnoreRules {
  const repository = repositoryAround(files, root);
  const above = repository ? segmentsOf(relative(repository.top, root)) : [];
  const patterns: string[] = [];
  if (repository?.commonDir !== undefined)
    patterns.push(...patternsOf(files, join(repository.commonDir, 'info', 'exclude'), []));
  for (let depth = 0; depth < above.length; depth += 1) {
    const place = above.slice(0, depth);
    patterns.push(...patternsOf(files, join(repository?.top ?? root, ...place, '.gitignore'), place));
  }
  const matcher = add(undefined, patterns);
  // A root that is itself ignored was chosen all the same: then what is above it has nothing to say.
  const isIgnored = above.length > 0 && matcher?.ignores(`${above.join('/')}/`);
  const rules = {
    above,
    prefix: above.map((each) => `${each}/`).join(''),
    matchers: [undefined, undefined, isIgnored ? undefined : matcher],
  };
  return rulesIn(files, root, '', names, rules);
}

/** What holds in a directory below: the same rules, unless it has ignore files of its own. */
export function rulesIn(files: Files, root: string, path: string, names: Names, rules: IgnoreRules): IgnoreRules {
  let matchers: (Ignore | undefined)[] | undefined;
  for (const [at, name] of IGNORE_FILES.entries()) {
    if (!names.has(name)) continue;
    matchers ??= [...rules.matchers];
    const place = [...rules.above, ...segmentsOf(path)];
    matchers[at] = add(matchers[at], patternsOf(files, join(root, path, name), place));
  }
  return matchers ? { above: rules.above, prefix: rules.prefix, matchers } : rules;
}

/** `path` below the root, with a slash at the end for a directory. */
export function judge({ prefix, matchers }: IgnoreRules, path: string): Verdict {
  const full = prefix + path;
  for (let at = 0; at < matchers.length; at += 1) {
    const found = matchers[at]?.test(full);
    if (found?.ignored) return 'ignored';
    if (found?.unignored) return at === GIT ? undefined : 'wanted';
  }
  return undefined;
}

/** For what lies in a directory that is wanted: who ignores the directory itself would ignore all of it. */
export function rulesInWanted({ above, prefix, matchers }: IgnoreRules, path: string): IgnoreRules {
  const kept = matchers.map((each) => (each?.ignores(prefix + path) ? undefined : each));
  return { above, prefix, matchers: kept };
}

/** A later pattern overrides an earlier one, so those of the deeper file come last. */
function add(upper: Ignore | undefined, patterns: readonly string[]): Ignore | undefined {
  if (patterns.every((pattern) => pattern === '' || pattern.startsWith('#'))) return upper;
  const matcher = ignore({ ignorecase: false });
  if (upper) matcher.add(upper);
  return matcher.add(patterns);
}

function segmentsOf(path: string): string[] {
  return path === '' ? [] : path.split(sep === '/' ? '/' : /[\\/]/);
}

function repositoryAround(files: Files, root: string): Repository | undefined {
  let dir = root;
  for (let up = 0; up < MAX_UP; up += 1) {
    const repository = repositoryAt(files, dir);
    if (repository) return repository.system === 'git' ? repository : undefined;
    const parent = dirname(dir);
    if (parent === dir) return undefined;
    dir = parent;
  }
  return undefined;
}
