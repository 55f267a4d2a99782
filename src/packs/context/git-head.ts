import { dirname, join, resolve } from 'node:path';

/** What is read of a repository's own directory. */
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

/** Before the first commit. */
export const UNBORN = '';

/** Refs may lead to refs; more than this many is a loop. */
const MAX_STEPS = 5;
const MAX_REF_BYTES = 4 << 10;
const MAX_PACKED_BYTES = 8 << 20;
/** A command line writes a few lines of the log at most. */
const LOG_BYTES = 16 << 10;
const SHA = /^[0-9a-f]{40,64}$/;

/** The repository that a command in `dir` is about. */
export function findRepository(files: GitFiles, dir: string): Repository | undefined {
  for (let top = dir; ; top = dirname(top)) {
    const found = repositoryAt(files, join(top, '.git'), top);
    if (found || dirname(top) === top) return found;
  }
}

/** The repository whose own directory, or the file that leads there, is `path`. */
export function repositoryAt(files: GitFiles, path: string, top: string): Repository | undefined {
  const entry = files.stat(path);
  if (entry?.kind === 'file') {
    const target = /^gitdir: (.+)$/m.exec(files.readText(path, MAX_REF_BYTES) ?? '')?.[1];
    return target === undefined ? undefined : repositoryAt(files, resolve(dirname(path), target.trimEnd()), top);
  }
  return entry?.kind === 'dir' && files.stat(join(path, 'HEAD')) ? { top, gitDir: path } : undefined;
}

/** The commit that HEAD stands for; undefined when its files do not tell. */
export function readHead(files: GitFiles, { gitDir }: Repository): string | undefined {
  const common = files.readText(join(gitDir, 'commondir'), MAX_REF_BYTES)?.trim();
  const shared = common === undefined ? gitDir : resolve(gitDir, common);
  let name = 'HEAD';
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const text = readRef(files, gitDir, shared, name);
    if (text === undefined)
      return step === 0 || !hasRefFiles(files, shared) ? undefined : readPacked(files, shared, name);
    if (SHA.test(text)) return text;
    const next = /^ref: (refs\/.+)$/.exec(text)?.[1];
    if (next === undefined) return undefined;
    name = next;
  }
  return undefined;
}

function readRef(files: GitFiles, gitDir: string, shared: string, name: string): string | undefined {
  const own = files.readText(join(gitDir, name), MAX_REF_BYTES);
  return (own ?? (shared === gitDir ? undefined : files.readText(join(shared, name), MAX_REF_BYTES)))?.trim();
}

/** Refs may also be kept in tables, of which this reads nothing. */
function hasRefFiles(files: GitFiles, shared: string): boolean {
  return files.stat(join(shared, 'reftable')) === undefined;
}

function readPacked(files: GitFiles, shared: string, name: string): string | undefined {
  const path = join(shared, 'packed-refs');
  const size = files.stat(path)?.size;
  if (size === undefined) return UNBORN;
  if (size > MAX_PACKED_BYTES) return undefined;
  const lines = files.readText(path)?.split('\n');
  const line = lines?.find((each) => each.endsWith(` ${name}`));
  return line === undefined ? lines && UNBORN : line.slice(0, line.indexOf(' '));
}

/** What moved HEAD. */
export interface HeadMove {
  readonly sha: string;
  /** `commit`, `commit (amend)`, `checkout`, … */
  readonly action: string;
  /** For a commit, its subject. */
  readonly about: string;
}

/**
 * How HEAD came from `before` to where it is, oldest first; its last move when that is not known. Undefined where no log is
 * kept or it does not tell.
 */
export function movesSince(
  files: GitFiles,
  { gitDir }: Repository,
  before: string | undefined,
): readonly HeadMove[] | undefined {
  const path = join(gitDir, 'logs', 'HEAD');
  const size = files.stat(path)?.size ?? 0;
  const bytes = files.readRange(path, Math.max(0, size - LOG_BYTES), LOG_BYTES);
  if (!bytes) return undefined;
  const moves: HeadMove[] = [];
  for (const line of new TextDecoder().decode(bytes).trimEnd().split('\n').toReversed()) {
    const [, old, sha, action = '', about = ''] = LOG_LINE.exec(line) ?? [];
    if (old === undefined || sha === undefined) return undefined;
    if (sha === before) return moves.toReversed();
    moves.push({ sha, action, about });
    if (before === undefined || old === before || (before === UNBORN && /^0+$/.test(old))) return moves.toReversed();
  }
  return undefined;
}

const LOG_LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*(?:\t([^:]*)(?:: ?(.*))?)?$/;
