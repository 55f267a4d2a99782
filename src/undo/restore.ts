import { keepPlanned } from './keep.ts';
import type { Kept } from '../event/keeping.ts';
import type { Copy } from './manifest.ts';
import type { PlannedPath } from './planned.ts';
import { compareFiles, obstacleTo, placeIn, putBack } from './restore-files.ts';
import type { FileStep } from './restore-files.ts';
import { addObjects, compareRepositories, planMoved, putRepositoryBack } from './restore-repository.ts';
import type { RepositoryStep } from './restore-repository.ts';
import type { Store } from './store.ts';
import type { UndoWorld } from './world.ts';

export interface RestoreOptions {
  /** Only what lies at or below this path. */
  readonly only?: string | undefined;
  /** Into this directory, instead of where it was. */
  readonly to?: string | undefined;
}

/** What putting a copy back would do. */
export interface Restoration {
  readonly files: readonly FileStep[];
  readonly repositories: readonly RepositoryStep[];
  readonly conflicts: readonly FileStep[];
}

export async function compare(copy: Copy, world: UndoWorld, options: RestoreOptions = {}): Promise<Restoration> {
  const files = compareFiles(copy, world, placeIn(copy, options), options.to);
  const isWhole = options.only === undefined && options.to === undefined;
  const repositories = isWhole ? await compareRepositories(copy, world) : [];
  return { files, repositories, conflicts: files.filter(({ isConflict }) => isConflict) };
}

export interface Restored {
  /** The copy of what was replaced; undefined when nothing was. */
  readonly saved: Kept | undefined;
  readonly files: number;
  /** What was not put back, and why. */
  readonly left: readonly string[];
}

/** Puts a copy back. What that replaces is kept first: without a whole copy of it nothing happens, and this throws. */
export async function restore(
  copy: Copy,
  store: Store,
  world: UndoWorld,
  { files, repositories }: Restoration,
): Promise<Restored> {
  const replaced = new Map<string, PlannedPath>();
  for (const { entry, path, now, isElsewhere } of files) {
    if (isElsewhere) continue;
    if (entry.kind === 'absent' && world.entries.look(path)?.kind === 'dir') continue;
    const at = now === 'other' ? path : now === 'missing' ? obstacleTo(world, path) : undefined;
    if (at !== undefined) replaced.set(at, { path: at, fate: 'changed' });
  }
  const moving = repositories.filter(({ refs, isAway, kept }) => refs.length > 0 || isAway || kept.index !== undefined);
  const saved = await keepPlanned(
    store,
    world,
    { paths: [...replaced.values()], repositories: await Promise.all(moving.map((step) => planMoved(world, step))) },
    {
      about: { ...aboutOf(copy), at: world.now(), command: `fairlead undo ${copy.number}` },
      budget: { ms: Infinity, bytes: Infinity },
      until: Infinity,
      excluded: [],
      undoes: copy.number,
    },
  );
  checkContents(copy, store, world, files);
  const left = [...(repositories.length === 0 ? [] : await addObjects(copy, store, world))];
  left.push(...putBack(copy, store, world, files));
  for (const step of repositories) left.push(...(await putRepositoryBack(copy, store, world, step)));
  return {
    saved: 'kept' in saved ? saved.kept : undefined,
    files: files.filter(({ now, entry, isElsewhere }) => now !== 'same' && entry.kind !== 'dir' && !isElsewhere).length,
    left,
  };
}

/** A content that is not what was copied is noticed before anything is changed. */
function checkContents(copy: Copy, store: Store, { entries }: UndoWorld, files: readonly FileStep[]): void {
  const shas = new Set(files.flatMap(({ entry, now }) => (now !== 'same' && entry.kind === 'file' ? [entry.sha] : [])));
  for (const sha of shas)
    if (entries.hash(store.contentOf(copy.number, sha)) !== sha) throw new Error(`copy ${copy.number} is damaged`);
}

function aboutOf({ session, root, agent }: Copy): Pick<Copy, 'session' | 'root' | 'agent'> {
  return { session, root, agent };
}
