import type { IndexEntry, IndexFile } from '../git/index-file.ts';
import { readIndex } from '../git/index-file.ts';
import { readSettings, recursesBy } from '../git/refs.ts';
import type { Repository } from '../git/repository.ts';
import { sharedDir } from '../git/repository.ts';
import type { FileStat, Files } from '../platform/files.ts';
import { sha1 } from '../platform/hash.ts';
import { join } from '../platform/paths.ts';
import { MOST_BY_GIT, MOST_FILES, readPersonSettings, Unseen, WHY } from './world.ts';
import type { LossWorld } from './world.ts';

const SUBMODULE = 0o160000;
const DIRECTORY = 0o040000;
const LINK = 0o120000;
/** So much is read to compare it. */
const MOST_BYTES = 8 << 20;
const MOST_INDEX_BYTES = 64 << 20;

export interface Tracked {
  readonly index: IndexFile | undefined;
  /** When the index was written. */
  readonly at: number;
}

/** Without an index nothing is tracked. */
export function readTracked({ files }: LossWorld, { gitDir }: Repository): Tracked {
  const path = join(gitDir, 'index');
  const stat = files.stat(path);
  if (!stat) return { index: undefined, at: 0 };
  const bytes = stat.size > MOST_INDEX_BYTES ? undefined : files.readBytes(path);
  const index = bytes && readIndex(bytes);
  if (!index) throw new Unseen(WHY.unreadable);
  return { index, at: stat.mtimeMs };
}

/**
 * Tracked files that lie in the work tree with another content than the index has; those that are missing there lose nothing.
 * Who deletes files takes those too that git is told to leave alone.
 */
export async function findChanged(
  world: LossWorld,
  repository: Repository,
  { index, at }: Tracked,
  paths: readonly string[],
  by: 'git' | 'others',
): Promise<readonly string[]> {
  const { files } = world;
  if (!index) return [];
  const entries = index.entriesBelow(paths, MOST_FILES) ?? (await suspects(world, repository, index, paths));
  const changed = new Set<string>();
  const { keepsModes, recurses } = readSettings(files, repository);
  // Then what git puts back, it puts back in submodules too.
  if (
    by === 'git' &&
    entries.some(({ mode }) => mode === SUBMODULE) &&
    (recurses || recursesBy(readPersonSettings(world).text))
  )
    throw new Unseen(WHY.submodules);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.mode === SUBMODULE || entry.mode === DIRECTORY || (entry.isLeftOut && by === 'git')) continue;
    const path = join(repository.top, entry.path);
    const stat = files.lstat(path);
    if (!stat) continue;
    if (entry.isUnmerged) changed.add(entry.path);
    else if (!isUntouched(entry, stat, at)) {
      if ((bytes += stat.size) > MOST_BYTES) throw new Unseen(WHY.tooMuch);
      const isOther = keepsModes && stat.kind === 'file' && stat.isExecutable !== ((entry.mode & 0o100) !== 0);
      if (isOther || !holdsSame(files, entry, path, stat)) changed.add(entry.path);
    }
  }
  if (changed.size > 0 && hasFilters(files, repository)) throw new Unseen(WHY.filters);
  return [...changed];
}

/** Those that git takes for changed by what the file system says of them. It might run what the settings of the repository name. */
async function suspects(
  world: LossWorld,
  repository: Repository,
  index: IndexFile,
  paths: readonly string[],
): Promise<readonly IndexEntry[]> {
  if (readSettings(world.files, repository).namesPrograms) throw new Unseen(WHY.tooMuch);
  const args = ['diff-files', '--name-only', '--diff-filter=d', '-z'];
  const named = await listByGit(world, repository, index, args, paths);
  if (named.length === 0) return [];
  const entries = named.length > MOST_FILES ? undefined : index.entriesBelow(named, MOST_FILES);
  if (!entries) throw new Unseen(WHY.tooMuch);
  return entries;
}

/** The paths that a git command names, each with a zero behind it. */
export async function listByGit(
  { git }: LossWorld,
  { top }: Repository,
  index: IndexFile,
  args: readonly string[],
  paths: readonly string[],
): Promise<readonly string[]> {
  if (index.countBelow(paths) > MOST_BY_GIT) throw new Unseen(WHY.tooMuch);
  const chosen = paths.filter((path) => path !== '');
  const text = await git(top, [...args, '--', ...(chosen.length < paths.length ? [] : chosen)]);
  if (text === undefined) throw new Unseen(WHY.tooMuch);
  return text.split('\0').filter((path) => path !== '');
}

const SAME_MS = 0.001;

/** A file that was written in the instant of the index may have changed again in it. */
function isUntouched(entry: IndexEntry, stat: FileStat, indexAt: number): boolean {
  return (
    entry.size === stat.size % 2 ** 32 &&
    Math.abs(entry.mtimeMs - stat.mtimeMs) < SAME_MS &&
    Math.abs(entry.ctimeMs - stat.ctimeMs) < SAME_MS &&
    entry.mtimeMs < indexAt
  );
}

/** Whether a file is as the index or a tree has it. */
export function holdsSame(
  files: Files,
  { mode, sha }: Pick<IndexEntry, 'mode' | 'sha'>,
  path: string,
  { kind }: FileStat,
): boolean {
  if (mode === LINK) return kind === 'other' && blobName(files.readLink(path) ?? '') === sha;
  const bytes = kind === 'file' ? files.readBytes(path) : undefined;
  if (!bytes) return false;
  // Where line ends are changed on the way in, the index has those of Unix.
  return blobName(bytes) === sha || (bytes.includes(13) && blobName(withoutReturns(bytes)) === sha);
}

function blobName(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return sha1(`blob ${bytes.length}\0`, bytes);
}

function withoutReturns(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== 13 || bytes[at + 1] !== 10);
}

/** Then what is stored is not what lies in the work tree. */
function hasFilters(files: Files, { top, gitDir }: Repository): boolean {
  const shared = sharedDir(files, gitDir) ?? gitDir;
  return [join(top, '.gitattributes'), join(shared, 'info/attributes')].some((path) =>
    /\s(?:filter=|ident\b|working-tree-encoding=)/.test(files.readText(path, 64 << 10) ?? ''),
  );
}
