import type { EntryStat } from '../platform/entries.ts';
import { basename, contains, dirname, join } from '../platform/paths.ts';
import type { Copy, KeptEntry } from './manifest.ts';
import type { Store } from './store.ts';
import { realDir } from './real-dir.ts';
import type { UndoWorld } from './world.ts';

/** What lies now where an entry of a copy was. */
export interface FileStep {
  readonly entry: KeptEntry;
  /** Where it is put. */
  readonly path: string;
  /** `other`: what is there now is saved before it is replaced. */
  readonly now: 'missing' | 'same' | 'other';
  /** Where its directory was really; should a link lead elsewhere by now, it is left alone. */
  readonly dir: string;
  readonly isElsewhere: boolean;
  /** Somebody has put there what neither the copy nor the call has. */
  readonly isConflict: boolean;
}

/** What was written so long after a copy is not from the call that it was made for. */
const CALL_MS = 60_000;

/** Compares a copy with what is there now. */
export function compareFiles(
  copy: Copy,
  world: UndoWorld,
  placed: (path: string) => string | undefined,
  to?: string,
): readonly FileStep[] {
  const dirOf = dirsOf(copy, world, to);
  /** Directories that are made first: what a link in their place leads to is nothing of theirs. */
  const made = new Set<string>();
  return copy.entries.flatMap((entry): readonly FileStep[] => {
    const path = placed(entry.path);
    if (path === undefined || entry.kind === 'special') return [];
    const isInMade = made.has(dirname(path));
    const dir = dirOf(entry.path, path);
    const isElsewhere = !isInMade && realDir(world.files, dirname(path)) !== dir;
    const stat = isInMade || isElsewhere ? undefined : world.entries.look(path);
    const about = { entry, path, dir, isElsewhere, isConflict: false };
    if (entry.kind === 'dir' && stat?.kind !== 'dir' && !isElsewhere) made.add(path);
    if (!stat) return [{ ...about, now: entry.kind === 'absent' ? 'same' : 'missing' }];
    if (isSame(world, entry, path, stat)) return [{ ...about, now: 'same' }];
    const isWrittenSince = stat.ctimeMs > copy.at + CALL_MS && stat.kind !== 'dir';
    return [{ ...about, now: 'other', isConflict: entry.fate === 'gone' || isWrittenSince }];
  });
}

/** Where the directory of an entry has to be really, so that nothing is written through a link that came later. */
function dirsOf(
  { root, links }: Copy,
  { files }: UndoWorld,
  to: string | undefined,
): (path: string, placed: string) => string {
  const known = new Map(links);
  // A copy of an earlier version does not say which links there were.
  const base = to ?? (links ? undefined : root);
  const real = base === undefined ? undefined : (realDir(files, base) ?? base);
  return (path, placed) => {
    const dir = dirname(placed);
    if (real === undefined || base === undefined || !contains(base, dir)) return known.get(dirname(path)) ?? dir;
    return join(real, dir.slice(base.length));
  };
}

function isSame({ entries }: UndoWorld, entry: KeptEntry, path: string, stat: EntryStat): boolean {
  if (stat.kind !== entry.kind) return false;
  if (entry.kind === 'dir') return true;
  if (entry.kind === 'link') return entries.readLink(path) === entry.target;
  if (entry.kind !== 'file' || stat.size !== entry.size) return false;
  try {
    return entries.hash(path) === entry.sha;
  } catch {
    return false;
  }
}

/** A file that lies where a step needs a directory; it has to make room. */
export function obstacleTo({ files }: UndoWorld, path: string): string | undefined {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const kind = files.lstat(at)?.kind;
    if (kind === undefined) continue;
    return kind === 'dir' || files.stat(at)?.kind === 'dir' ? undefined : at;
  }
  return undefined;
}

/**
 * Puts entries back: directories first, each file in one step under its own name, rights and times of directories last.
 * What is in the way has been saved. Stopped at any point, it can be run again.
 */
export function putBack(copy: Copy, store: Store, world: UndoWorld, all: readonly FileStep[]): readonly string[] {
  const { entries, files } = world;
  const steps = all.filter(({ isElsewhere }) => !isElsewhere);
  const left = all.filter(({ isElsewhere }) => isElsewhere).map(({ path }) => `${path}: ${ELSEWHERE}`);
  removeNew(world, steps);
  for (const { entry, path, now, dir } of steps) {
    if (entry.kind === 'absent') continue;
    // Once more, in the moment of writing.
    if (realDir(files, dirname(path)) !== dir) throw new Error(`${path}: ${ELSEWHERE}`);
    const obstacle = now === 'missing' ? obstacleTo(world, path) : undefined;
    if (obstacle !== undefined) entries.removeFile(obstacle);
    if (now === 'other' && (entry.kind === 'dir' || entries.look(path)?.kind === 'dir')) entries.removeTree(path);
    if (entry.kind === 'dir') {
      if (now !== 'same') makeDirs(world, path);
    } else if (now === 'same') setRights(world, entry, path);
    else writeEntry(copy, store, world, { entry, path }, steps);
  }
  for (const { entry, path } of steps.toReversed()) if (entry.kind === 'dir') setRights(world, entry, path);
  return left;
}

const ELSEWHERE = 'a link on the way leads elsewhere now';

/** What was not there goes: files, and directories that are empty then. */
function removeNew({ entries }: UndoWorld, steps: readonly FileStep[]): void {
  const fresh = steps.filter(({ entry, now }) => entry.kind === 'absent' && now === 'other').map(({ path }) => path);
  for (const path of fresh.toSorted((a, b) => b.length - a.length)) {
    if (entries.look(path)?.kind !== 'dir') entries.removeFile(path);
    else if (entries.names(path).length === 0) entries.removeTree(path);
  }
}

function makeDirs({ files }: UndoWorld, path: string): void {
  files.makeDir(path, 0o755);
}

function writeEntry(
  copy: Copy,
  store: Store,
  world: UndoWorld,
  { entry, path }: Pick<FileStep, 'entry' | 'path'>,
  steps: readonly FileStep[],
): void {
  const { entries } = world;
  const there = entries.look(path);
  if (entry.kind === 'file' && there && there.nlink > 1 && entry.inode === `${there.dev}:${there.ino}`) {
    entries.refill(store.contentOf(copy.number, entry.sha), path);
    return setRights(world, entry, path);
  }
  makeDirs(world, dirname(path));
  // Always the same name, so that a second attempt removes what the first one left.
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.fairlead-undo`);
  if (entries.look(temporary)) entries.removeFile(temporary);
  try {
    if (entry.kind === 'link') entries.makeLink(temporary, entry.target);
    if (entry.kind === 'file') {
      const twin = entry.twin === undefined ? undefined : steps.find((step) => step.entry.path === entry.twin)?.path;
      if (twin === undefined || !isTwin(world, entry, twin) || !entries.addName(twin, temporary)) {
        entries.copy(store.contentOf(copy.number, entry.sha), temporary);
      }
    }
    setRights(world, entry, temporary);
    entries.move(temporary, path);
    // Two names of one file: then the move leaves both.
    if (entries.look(temporary)) entries.removeFile(temporary);
  } catch (error) {
    if (entries.look(temporary)) entries.removeFile(temporary);
    throw error;
  }
}

function isTwin({ entries }: UndoWorld, { sha }: { readonly sha: string }, path: string): boolean {
  return entries.look(path)?.kind === 'file' && entries.hash(path) === sha;
}

function setRights({ entries }: UndoWorld, { kind, mode, mtimeMs, owner }: KeptEntry, path: string): void {
  try {
    if (owner) entries.setOwner(path, owner);
  } catch {
    // Only root gives files away; the rest of it is as it was.
  }
  if (kind !== 'link' && entries.look(path)?.mode !== mode) entries.setMode(path, mode);
  entries.setTime(path, mtimeMs);
}

/** Where entries go: to their own place, or below a directory by their path from the root. */
export function placeIn(
  { root }: Pick<Copy, 'root'>,
  { only, to }: { readonly only?: string | undefined; readonly to?: string | undefined },
): (path: string) => string | undefined {
  return (path) => {
    if (only !== undefined && !contains(only, path)) return undefined;
    if (to === undefined) return path;
    return join(to, contains(root, path) ? path.slice(root.length) : path);
  };
}
