import type { Files } from '../../platform/files.ts';
import { readGraph } from '../store/open-graph.ts';
import type { GraphFile } from '../store/pack.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import { openSnapshotBytes, writeDelta, writeSnapshot } from '../store/snapshot.ts';
import type { Derived } from './derive.ts';

/** Beyond these a delta takes more to write and to lay over than a snapshot does. */
const MAX_DELTA_FILES = 100;
const MAX_DELTA_BYTES = 1 << 20;

export interface GraphWriter {
  /** What readers see at present; empty when that is nothing. */
  readonly before: readonly GraphFile[];
  /** Which of them differ from the snapshot, and what it has beyond them. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Why what lies there was not used. */
  readonly notice: string | undefined;
  /** Lets readers see what was derived; `whole` folds everything into a snapshot. */
  write(derived: Derived, whole: boolean): void;
}

type WritingFiles = Pick<Files, 'readBytes' | 'writeDerived' | 'remove' | 'makeDir'>;

export function createGraphWriter(
  files: WritingFiles,
  location: GraphPaths,
  root: string,
  madeBy: string,
): GraphWriter {
  const found = readGraph(files, location, root, madeBy);
  const stored = typeof found === 'object' ? found : undefined;
  let base = stored?.snapshot.check;
  let baseBytes = 0;
  const over = new Set(stored?.delta?.pack.paths);
  const gone = new Set(stored?.delta?.removed);
  const before: GraphFile[] = [];
  stored?.snapshot.pack.paths.forEach((path, index) => {
    if (!over.has(path) && !gone.has(path)) before.push(stored.snapshot.pack.fileAt(index));
  });
  stored?.delta?.pack.paths.forEach((_, index) => before.push(stored.delta?.pack.fileAt(index) as GraphFile));
  const notices = {
    none: undefined,
    damaged: 'the snapshot could not be read',
    foreign: 'the snapshot is of another root',
    other: 'the snapshot was made by another version of fairlead',
  };

  function writeWhole({ files: all }: Derived): void {
    const bytes = writeSnapshot(root, madeBy, [...all.values()].sort(byPath));
    files.writeDerived(location.snapshot, bytes, 0o600);
    // A delta that stays names a snapshot that is gone: readers leave it out.
    base = openSnapshotBytes(bytes)?.check;
    baseBytes = bytes.length;
    files.remove(location.delta);
  }

  return {
    before,
    changed: [...over],
    removed: [...gone],
    notice: typeof found === 'string' ? notices[found] : found.notice,
    write(derived, whole) {
      files.makeDir(location.dir, 0o700);
      const { files: all, changed, removed } = derived;
      const some: GraphFile[] = [];
      let bytes = 0;
      for (const path of changed) {
        const file = all.get(path);
        if (file === undefined) continue;
        some.push(file);
        bytes += file.record.length;
      }
      const isLarge = some.length + removed.size > MAX_DELTA_FILES || bytes > Math.max(MAX_DELTA_BYTES, baseBytes / 8);
      if (base === undefined || isLarge || (whole && changed.size + removed.size > 0)) {
        writeWhole(derived);
        derived.resetChanges();
      } else if (changed.size + removed.size > 0) {
        files.writeDerived(location.delta, writeDelta(root, base, some.sort(byPath), [...removed].sort()), 0o600);
      }
    },
  };
}

function byPath(a: GraphFile, b: GraphFile): number {
  return a.path < b.path ? -1 : 1;
}
