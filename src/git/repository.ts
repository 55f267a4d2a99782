import { dirname, join, resolve } from 'node:path';

/** What is read of a repository's own directory; git itself is not asked. */
export interface GitFiles {
  readText(path: string, maxBytes?: number): string | undefined;
  stat(path: string): { readonly kind: string; readonly size: number } | undefined;
  readRange(path: string, from: number, bytes: number): Uint8Array | undefined;
}

export interface Repository {
  /** Where its files lie. */
  readonly top: string;
  /** Its own directory; a worktree has one inside that of its repository. */
  readonly gitDir: string;
}

type Reader = Pick<GitFiles, 'readText'>;
type Finder = Pick<GitFiles, 'readText' | 'stat'>;

/** A path or the name of a commit needs no more. */
const MAX_BYTES = 8 << 10;

/** The repository that a command in `dir` is about. */
export function findRepository(files: Finder, dir: string): Repository | undefined {
  for (let top = dir; ; top = dirname(top)) {
    const found = repositoryAt(files, join(top, '.git'), top);
    if (found || dirname(top) === top) return found;
  }
}

/** A repository without a work tree that `dir` is the own directory of. */
export function findBare(files: Finder, dir: string): Repository | undefined {
  const isOne = ['HEAD', 'objects', 'refs'].every((name) => files.stat(join(dir, name)));
  return isOne ? { top: dir, gitDir: dir } : undefined;
}

/** The repository whose own directory, or the file that leads there, is `path`. */
export function repositoryAt(files: Finder, path: string, top: string): Repository | undefined {
  const kind = files.stat(path)?.kind;
  if (kind === undefined) return undefined;
  const gitDir = kind === 'file' ? followGitFile(files, path) : path;
  return gitDir !== undefined && files.stat(join(gitDir, 'HEAD')) ? { top, gitDir } : undefined;
}

/** Where a `.git` that is a file leads. */
export function followGitFile(files: Reader, path: string): string | undefined {
  const named = /^gitdir: (.+)$/.exec(readSmall(files, path) ?? '')?.[1];
  return named === undefined ? undefined : resolve(dirname(path), named);
}

/** What a repository shares with its worktrees; undefined for a directory that is not that of a worktree. */
export function sharedDir(files: Reader, gitDir: string): string | undefined {
  const named = readSmall(files, join(gitDir, 'commondir'));
  return named ? resolve(gitDir, named) : undefined;
}

/** A file of one line, without its line end. */
export function readSmall(files: Reader, path: string): string | undefined {
  return files.readText(path, MAX_BYTES)?.trim();
}
