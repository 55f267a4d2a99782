import { UNBORN } from '../git/head.ts';
import type { IndexEntry, IndexFile } from '../git/index-file.ts';
import type { TreeEntry } from '../git/objects.ts';
import type { Repository } from '../git/repository.ts';
import { dirname, basename } from '../platform/paths.ts';
import { readHistory } from './history.ts';
import { listByGit } from './tracked-files.ts';
import type { Tracked } from './tracked-files.ts';
import { MOST_FILES, Unseen, WHY } from './world.ts';
import type { LossWorld } from './world.ts';

/** What the index has and the last commit has not, by path; what was staged to be deleted is in that commit. */
export async function findStaged(
  world: LossWorld,
  repository: Repository,
  { index }: Tracked,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (!index) return [];
  const { head, objects } = readHistory(world, repository);
  const top = head === UNBORN ? '' : objects.commit(head)?.tree;
  if (top === undefined) throw new Unseen(WHY.unreadable);
  if (index.trees.get('') === top) return [];
  const entries = index.entriesBelow(paths, MOST_FILES);
  if (!entries)
    return listByGit(
      world,
      repository,
      index,
      ['diff-index', '--cached', '--name-only', '--diff-filter=d', '-z', 'HEAD'],
      paths,
    );
  const committed = openCommitted(index, top, objects.tree);
  return [...new Set(entries.filter((entry) => !isCommitted(entry, committed)).map(({ path }) => path))];
}

/** The tree of a directory in the last commit; `same` where the index has the same one, `none` where that has none. */
type Committed = (dir: string) => ReadonlyMap<string, TreeEntry> | 'same' | 'none';

function openCommitted(
  { trees }: IndexFile,
  top: string,
  treeOf: (sha: string) => ReadonlyMap<string, TreeEntry> | undefined,
): Committed {
  const known = new Map<string, ReturnType<Committed>>();
  const read = (dir: string, sha: string | undefined): ReturnType<Committed> => {
    if (sha === undefined || sha === '') return 'none';
    if (trees.get(dir) === sha) return 'same';
    const tree = treeOf(sha);
    if (!tree) throw new Unseen(WHY.unreadable);
    return tree;
  };
  const find: Committed = (dir) => {
    let found = known.get(dir);
    if (found === undefined) {
      const above = dir === '' ? undefined : find(parentOf(dir));
      found =
        above === undefined
          ? read('', top)
          : typeof above === 'string'
            ? above
            : read(dir, above.get(basename(dir))?.sha);
      known.set(dir, found);
    }
    return found;
  };
  return find;
}

function parentOf(path: string): string {
  return path.includes('/') ? dirname(path) : '';
}

function isCommitted({ path, mode, sha }: IndexEntry, committed: Committed): boolean {
  const tree = committed(parentOf(path));
  if (typeof tree === 'string') return tree === 'same';
  const before = tree.get(basename(path));
  return before?.sha === sha && before.mode === mode;
}
