import { NEVER } from '../event/facts.ts';
import type { Commits, LastCommit } from '../event/facts.ts';
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
  const counted = await git(dir, ['rev-list', '--count', ...chosen]);
  const count = Number.parseInt(counted ?? '', 10);
  if (Number.isNaN(count)) return undefined;
  // Most often there is none, and nothing more to ask.
  const newest = count === 0 ? '' : await git(dir, ['log', '-1', '--format=%s', ...chosen]);
  return newest === undefined ? undefined : { count, newest: newest.trimEnd() };
}

export async function lastCommitOf(git: Git, dir: string, path: string): Promise<LastCommit | undefined> {
  const text = await git(dir, ['log', '-1', '--format=%ct %H', 'HEAD', '--', path]);
  const [seconds = '', sha = ''] = text?.trim().split(' ') ?? [];
  if (text === undefined) return undefined;
  return seconds === '' ? NEVER : { sha, at: Number(seconds) * 1_000 };
}
