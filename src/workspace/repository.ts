import { canonicalPath } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { dirname, join, resolve } from '../platform/paths.ts';
import { repositoryMarkerAt } from './markers.ts';

export interface Repository {
  readonly system: 'git' | 'hg' | 'jj' | 'svn';
  readonly top: string;
  /**
   * Where the repository keeps what its work trees share. For information only: never a key of trust or state.
   * Absent when `.git` points at a repository that does not itself name this tree.
   */
  readonly commonDir?: string;
  /** A linked work tree of a repository that has its main checkout elsewhere. */
  readonly worktree: boolean;
}

const MAX_POINTER_BYTES = 64 * 1024;
const SYSTEMS = { '.git': 'git', '.hg': 'hg', '.jj': 'jj', '.svn': 'svn' } as const;

/** The repository whose top is `dir`, which must be canonical. */
export function repositoryAt(files: Files, dir: string): Repository | undefined {
  const marker = repositoryMarkerAt(files, dir);
  if (marker === undefined) return undefined;
  const system = SYSTEMS[marker];
  const entry = join(dir, marker);
  const kind = files.lstat(entry)?.kind;
  if (kind === 'dir') return { system, top: dir, commonDir: entry, worktree: false };
  const linked = system === 'git' && kind === 'file' ? followGitFile(files, dir, entry) : undefined;
  return { system, top: dir, worktree: false, ...linked };
}

/**
 * A `.git` file may come with an unpacked archive and name any repository of this machine, so a link
 * counts only when its other end, which an archive cannot write, names this tree as well.
 */
function followGitFile(
  files: Files,
  top: string,
  entry: string,
): Pick<Repository, 'commonDir' | 'worktree'> | undefined {
  const named = /^gitdir: (.+?)\s*$/.exec(read(files, entry))?.[1];
  const gitDir = named === undefined ? undefined : files.realpath(resolve(top, named));
  if (gitDir === undefined) return undefined;

  const shared = read(files, join(gitDir, 'commondir')).trim();
  if (shared !== '') {
    const commonDir = canonicalPath(files, resolve(gitDir, shared));
    const back = read(files, join(gitDir, 'gitdir')).trim();
    const isOurs =
      dirname(gitDir) === join(commonDir, 'worktrees') && canonicalPath(files, resolve(gitDir, back)) === entry;
    return isOurs ? { commonDir, worktree: true } : undefined;
  }

  const tree = /^[ \t]*worktree[ \t]*=[ \t]*(.+?)[ \t]*$/m.exec(read(files, join(gitDir, 'config')))?.[1];
  const isOurs = tree !== undefined && canonicalPath(files, resolve(gitDir, tree)) === top;
  return isOurs ? { commonDir: gitDir, worktree: false } : undefined;
}

function read(files: Files, path: string): string {
  return files.readText(path, MAX_POINTER_BYTES) ?? '';
}
