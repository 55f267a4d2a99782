import { readHead } from '../git/head.ts';
import { readSmall } from '../git/repository.ts';
import { join } from '../platform/paths.ts';
import type { Copy, KeptRepository } from './manifest.ts';
import { currentBranch, readAllRefs, sharedOf } from './repository-state.ts';
import { bringFiles } from './restore-work-tree.ts';
import type { Store } from './store.ts';
import type { UndoWorld } from './world.ts';

/**
 * A reflog as it was, followed by what came to it since. Lines count as the same whatever commit they say was there before:
 * git changes that where it takes lines out.
 */
function mergeLogs(saved: string, now: string): string {
  const left = new Map<string, number>();
  for (const line of linesOf(saved)) left.set(keyOf(line), (left.get(keyOf(line)) ?? 0) + 1);
  const added = linesOf(now).filter((line) => {
    const count = left.get(keyOf(line)) ?? 0;
    left.set(keyOf(line), count - 1);
    return count <= 0;
  });
  return [...linesOf(saved), ...added].map((line) => `${line}\n`).join('');
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function keyOf(line: string): string {
  return line.slice(line.indexOf(' ') + 1);
}

const LIMIT_MS = 120_000;
const MOST_BYTES = 64 << 20;
/** From this size on objects stay packed. */
const PACK_BYTES = 8 << 20;
/** Git looks at all files again. At zero it would look at none. */
const LONG_AGO_MS = 1_000;
export const NO_OBJECT = '0'.repeat(40);

/** A ref that stands elsewhere than in the copy, or is gone. */
export interface RefStep {
  readonly name: string;
  readonly sha: string;
  /** Where it stands now; undefined when it is gone. */
  readonly now: string | undefined;
}

export interface RepositoryStep {
  readonly kept: KeptRepository;
  readonly refs: readonly RefStep[];
  /** HEAD leads elsewhere than in the copy. */
  readonly isAway: boolean;
}

/** Compares what a copy has of repositories with what they say now. A repository that is gone is left out. */
export async function compareRepositories(copy: Copy, world: UndoWorld): Promise<readonly RepositoryStep[]> {
  const steps: RepositoryStep[] = [];
  for (const kept of copy.repositories) {
    const shared = sharedOf(world, kept);
    if (!world.files.stat(shared)) continue;
    const now = await readAllRefs(world, { top: shared });
    const refs = kept.refs
      .filter(({ name, sha }) => name !== 'HEAD' && now.get(name) !== sha)
      .map(({ name, sha }) => ({ name, sha, now: now.get(name) }));
    const isAway =
      kept.refs.some(({ name }) => name === 'HEAD') && readSmall(world.files, join(kept.gitDir, 'HEAD')) !== kept.head;
    steps.push({ kept, refs, isAway });
  }
  return steps;
}

/** Objects come first: they are in nobody's way. */
export async function addObjects(copy: Copy, store: Store, world: UndoWorld): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { gitDir, packs, ...rest } of copy.repositories) {
    const shared = sharedOf(world, { gitDir, ...rest });
    for (const sha of packs) {
      const inputFile = store.contentOf(copy.number, sha);
      const isLarge = (world.entries.look(inputFile)?.size ?? 0) > PACK_BYTES;
      const args = isLarge ? ['index-pack', '--stdin'] : ['unpack-objects', '-q'];
      const done = await world.feed(shared, args, { inputFile, limitMs: LIMIT_MS, maxBytes: MOST_BYTES });
      if (done === undefined) failed.push(`objects of ${gitDir}`);
    }
  }
  return failed;
}

/** Puts refs, reflogs and the index back, each only if it is still where the plan saw it. Says what was left as it is. */
export async function putRepositoryBack(
  copy: Copy,
  store: Store,
  world: UndoWorld,
  { kept, refs, isAway }: RepositoryStep,
): Promise<readonly string[]> {
  const { top, tip } = kept;
  const { files } = world;
  const shared = sharedOf(world, kept);
  const left: string[] = [];
  const before = readHead(files, kept);
  const logs = kept.logs.map(({ path, sha }) => ({
    path,
    text: mergeLogs(files.readText(store.contentOf(copy.number, sha)) ?? '', files.readText(path) ?? ''),
  }));
  const run = async (args: readonly string[], dir = shared): Promise<boolean> =>
    (await world.feed(dir, args, { input: '', limitMs: LIMIT_MS, maxBytes: MOST_BYTES })) !== undefined;
  const why = `fairlead undo ${copy.number}`;
  for (const { name, sha, now } of refs) {
    const isWhole = await run(['rev-list', '--objects', '--quiet', sha, '--not', '--all']);
    if (!isWhole) left.push(`${name}: commits that it is built on are gone from the repository`);
    else if (!(await run(['update-ref', '-m', why, name, sha, now ?? NO_OBJECT])))
      left.push(`${name}: git refused to move it`);
  }
  if (isAway && !(await moveHead(run, kept, why))) left.push('HEAD: git refused to move it');
  for (const { path, text } of logs) if (files.readText(path) !== text) writeLog(world, path, text);
  if (kept.index === undefined) return left;
  if (readHead(files, kept) !== tip) {
    left.push(`the index of ${top}: another commit is checked out by now`);
    return left;
  }
  if (!placeIndex(store.contentOf(copy.number, kept.index), world, kept)) {
    left.push(`the index of ${top}: another git command holds it`);
    return left;
  }
  const own = new Set(copy.entries.map(({ path }) => path));
  if (before !== undefined && before !== tip) left.push(...(await bringFiles(world, kept, before, own)));
  return left;
}

type Run = (args: readonly string[], dir?: string) => Promise<boolean>;

function moveHead(run: Run, { gitDir, head, tip }: KeptRepository, why: string): Promise<boolean> {
  const branch = /^ref: (refs\/.+)$/.exec(head)?.[1];
  return branch === undefined
    ? run(['update-ref', '--no-deref', '-m', why, 'HEAD', tip], gitDir)
    : run(['symbolic-ref', '-m', why, 'HEAD', branch], gitDir);
}

function writeLog({ files }: UndoWorld, path: string, text: string): void {
  files.makeDirLikeParent(join(path, '..'));
  files.writeAtomic(path, text, files.lstat(path) ? undefined : 0o644);
}

/**
 * As git does it: who makes the lock may write the index. It is as old as it was: git trusts what a younger one says of
 * a file, and would miss a change of the same size that was made in the moment of the last `git add`.
 */
function placeIndex(
  content: string,
  { files, entries }: UndoWorld,
  { gitDir, indexMtimeMs = LONG_AGO_MS }: KeptRepository,
): boolean {
  const path = join(gitDir, 'index');
  const lock = `${path}.lock`;
  if (entries.look(lock)) return false;
  const mode = entries.look(path)?.mode ?? 0o644;
  try {
    entries.copy(content, lock);
  } catch {
    return false;
  }
  entries.setMode(lock, mode);
  entries.setTime(lock, Math.floor(indexMtimeMs));
  entries.move(lock, path);
  return files.exists(path);
}

/** The refs that a restoration moves, and the commits that only they hold: kept before it begins. */
export async function planMoved(world: UndoWorld, { kept, refs, isAway }: RepositoryStep) {
  const all = await readAllRefs(world, { top: sharedOf(world, kept) });
  const there = refs.flatMap(({ name, now }) => (now === undefined ? [] : [{ name, now }]));
  const head = readHead(world.files, kept);
  const branch = currentBranch(world, kept);
  const isDetached = branch === undefined && head !== undefined && head !== '';
  const names = new Set(there.map(({ name }) => name));
  return {
    repository: { top: kept.top, gitDir: kept.gitDir },
    refs: [...(isAway || isDetached || (branch !== undefined && names.has(branch)) ? ['HEAD'] : []), ...names],
    logs: [],
    index: kept.index !== undefined,
    wants: [...there.map(({ now }) => now), ...(isAway && isDetached ? [head] : [])],
    haves: [...all].filter(([name]) => !names.has(name)).map(([, sha]) => sha),
    objects: [],
  };
}
