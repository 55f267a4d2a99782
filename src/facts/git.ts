import type { Commits } from '../engine/rule-facts.ts';
import type { FactSources } from '../platform/fact-sources.ts';

type Git = FactSources['git'];

/** Paths count from `dir` and are names, not patterns. */
export async function countCommits(
  git: Git,
  dir: string,
  since: number,
  paths: readonly string[],
): Promise<Commits | undefined> {
  const chosen = [`--max-age=${Math.floor(since / 1_000) + 1}`, 'HEAD', '--', ...paths];
  const [counted, newest] = await Promise.all([
    git(dir, ['rev-list', '--count', ...chosen]),
    git(dir, ['log', '-1', '--format=%s', ...chosen]),
  ]);
  const count = Number.parseInt(counted ?? '', 10);
  return Number.isNaN(count) || newest === undefined ? undefined : { count, newest: newest.trimEnd() };
}

/** 0 for a file that no commit has touched. */
export async function lastCommitOf(git: Git, dir: string, path: string): Promise<number | undefined> {
  const text = await git(dir, ['log', '-1', '--format=%ct', 'HEAD', '--', path]);
  if (text === undefined) return undefined;
  const seconds = Number.parseInt(text, 10);
  return Number.isNaN(seconds) ? 0 : seconds * 1_000;
}
