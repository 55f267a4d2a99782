import { readHead } from '../../git/head.ts';
import { movesSince } from '../../git/head-log.ts';
import type { HeadMove } from '../../git/head-log.ts';
import { findRepository, repositoryAt } from '../../git/repository.ts';
import type { GitFiles, Repository } from '../../git/repository.ts';
import type { CommitCall } from './commit-calls.ts';

/** HEAD of repositories, by their own directories. */
export type Heads = Readonly<Record<string, string>>;

export interface MadeCommit {
  /** Where the repository's files lie, when that could be told. */
  readonly top?: string;
  readonly sha?: string;
  readonly subject?: string;
}

interface Target {
  readonly repository: Repository | undefined;
  readonly isQuiet: boolean;
}

/** Where HEAD of the repositories stands that a command line commits to. */
export function readHeads(files: GitFiles, commits: readonly CommitCall[]): Heads {
  const heads = targetsOf(files, commits).flatMap(({ repository }): [string, string][] => {
    const head = repository && readHead(files, repository);
    return repository && head !== undefined ? [[repository.gitDir, head]] : [];
  });
  return Object.fromEntries(heads);
}

/** The newest commit that the command line made in each of the repositories it is about. */
export function findMade(
  files: GitFiles,
  commits: readonly CommitCall[],
  before: Heads,
  output: string,
): readonly MadeCommit[] {
  return targetsOf(files, commits).flatMap(({ repository, isQuiet }) => {
    const head = repository && readHead(files, repository);
    const old = repository && before[repository.gitDir];
    if (repository && head !== undefined && old !== undefined) return sinceHead(files, repository, old, head, output);
    const printed = printedCommit(output);
    if (printed) return [{ ...printed, ...(repository && { top: repository.top }) }];
    return isQuiet ? [newestIn(files, repository)] : [];
  });
}

/** One for each repository, and one for all whose place is unknown. */
function targetsOf(files: GitFiles, commits: readonly CommitCall[]): readonly Target[] {
  const targets = new Map<string, Target>();
  for (const { dir, gitDir, isQuiet } of commits) {
    const repository =
      dir === undefined
        ? undefined
        : gitDir === undefined
          ? findRepository(files, dir)
          : repositoryAt(files, gitDir, dir);
    const key = repository?.gitDir ?? '';
    targets.set(key, { repository, isQuiet: isQuiet && targets.get(key)?.isQuiet !== false });
  }
  return [...targets.values()];
}

function sinceHead(
  files: GitFiles,
  repository: Repository,
  old: string,
  head: string,
  output: string,
): readonly MadeCommit[] {
  if (head === old) return [];
  const { top } = repository;
  const moves = movesSince(files, repository, old);
  if (!moves) {
    const printed = printedCommit(output);
    return [{ top, sha: head, ...(printed && head.startsWith(printed.sha) && { subject: printed.subject }) }];
  }
  // HEAD also moves by a checkout, a pull or an amended commit.
  if (!moves.some(({ action }) => isCommit(action) && action !== 'commit (amend)')) return [];
  const newest = moves.findLast(({ action }) => isCommit(action));
  return newest ? [{ top, ...asMade(newest) }] : [];
}

function isCommit(action: string): boolean {
  return action === 'commit' || action.startsWith('commit (');
}

function asMade({ sha, about }: HeadMove): MadeCommit {
  return { sha, subject: about };
}

function newestIn(files: GitFiles, repository: Repository | undefined): MadeCommit {
  const move = repository && movesSince(files, repository, undefined)?.[0];
  const { top } = repository ?? {};
  return {
    ...(top !== undefined && { top }),
    ...(move && isCommit(move.action) && asMade(move)),
  };
}

/** `[main 1a2b3c4] Subject`, as git says it of the last commit. */
function printedCommit(output: string): { readonly sha: string; readonly subject: string } | undefined {
  const [, sha, subject] = [...output.matchAll(/^\[[^\]\n]+ ([0-9a-f]{4,64})\] (.*)$/gm)].at(-1) ?? [];
  return sha === undefined || subject === undefined ? undefined : { sha, subject };
}
