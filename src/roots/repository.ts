import { followGitFile, readSmall, sharedDir } from '../git/repository.ts';
import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { dirname, join, resolve } from '../platform/paths.ts';
import { repositoryMarkerAt } from './markers.ts';

export interface Repository {
  readonly system: 'git' | 'hg' | 'jj' | 'svn';
  readonly top: string;
  /**
   * Where the repository keeps what its work trees share. Never a key of trust, nor of state that decides anything: work trees
   * have advice in common by it.
   * Absent when `.git` points at a repository that does not itself name this tree.
   */
  readonly commonDir?: string;
  /** A linked work tree of a repository that has its main checkout elsewhere. */
  readonly worktree: boolean;
}

const MAX_CONFIG_BYTES = 64 * 1024;
const SYSTEMS = { '.git': 'git', '.hg': 'hg', '.jj': 'jj', '.svn': 'svn' } as const;

/** The repository whose top is `dir`, which must be canonical. */
export function repositoryAt(files: Files, dir: string): Repository | undefined {
  const marker = repositoryMarkerAt(files, dir);
  if (marker === undefined) return undefined;
  const system = SYSTEMS[marker];
  const entry = join(dir, marker);
  const kind = files.lstat(entry)?.kind;
  if (kind === 'dir') return { system, top: dir, commonDir: entry, worktree: false };
  const linked = system === 'git' && kind === 'file' ? followLink(files, dir, entry) : undefined;
  return { system, top: dir, worktree: false, ...linked };
}

/**
 * A `.git` file may come with an unpacked archive and name any repository of this machine, so a link
 * counts only when its other end, which an archive cannot write, names this tree as well.
 */
function followLink(files: Files, top: string, entry: string): Pick<Repository, 'commonDir' | 'worktree'> | undefined {
  const named = followGitFile(files, entry);
  const gitDir = named === undefined ? undefined : files.realpath(named);
  if (gitDir === undefined) return undefined;

  const shared = sharedDir(files, gitDir);
  if (shared !== undefined) {
    const commonDir = canonicalPath(files, shared);
    const back = readSmall(files, join(gitDir, 'gitdir')) ?? '';
    const isOurs =
      dirname(gitDir) === join(commonDir, 'worktrees') && canonicalPath(files, resolve(gitDir, back)) === entry;
    return isOurs ? { commonDir, worktree: true } : undefined;
  }

  const config = files.readText(join(gitDir, 'config'), MAX_CONFIG_BYTES) ?? '';
  const tree = /^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*$/m.exec(config)?.[1];
  const isOurs = tree !== undefined && canonicalPath(files, resolve(gitDir, tree)) === top;
  return isOurs ? { commonDir: gitDir, worktree: false } : undefined;
}
