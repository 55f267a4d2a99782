import type { Pack } from './pack.ts';
import type { Delta, Snapshot } from './snapshot.ts';

/** The files of a snapshot with a delta laid over them, numbered by path as those of a graph made anew would be. */
export interface MergedFiles {
  readonly count: number;
  readonly numberOf: ReadonlyMap<string, number>;
  readonly paths: readonly string[];
  /** Number of the first symbol of each file, which is its module; one more at the end. */
  readonly first: Uint32Array;
  packOf(file: number): Pack;
  indexOf(file: number): number;
  /** Which file a file of the snapshot is; -1 when its record does not count any more. */
  readonly fromBase: Int32Array;
  /** The file of this path in the snapshot, also when its record was replaced; -1 when there was none. */
  readonly inBase: Int32Array;
  /** The files whose records come from the delta. */
  readonly changed: readonly number[];
}

export function mergeFiles(snapshot: Snapshot, delta: Delta | undefined): MergedFiles {
  const base = snapshot.pack;
  const over = delta?.pack;
  const removed = new Set(delta?.removed);
  const paths: string[] = [];
  const isOver: boolean[] = [];
  const indexes: number[] = [];
  const inBase: number[] = [];
  const fromBase = new Int32Array(base.paths.length).fill(-1);
  const changed: number[] = [];
  const [left, right] = [base.paths, over?.paths ?? []];
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const [mine, other] = [left[l], right[r]];
    const takesBase = mine !== undefined && (other === undefined || mine < other);
    if (takesBase && removed.has(mine)) {
      l += 1;
      continue;
    }
    const isBoth = !takesBase && mine === other;
    if (takesBase) fromBase[l] = paths.length;
    else changed.push(paths.length);
    paths.push((takesBase ? mine : other) as string);
    isOver.push(!takesBase);
    indexes.push(takesBase ? l : r);
    inBase.push(takesBase || isBoth ? l : -1);
    if (takesBase || isBoth) l += 1;
    if (!takesBase) r += 1;
  }
  const packOf = (file: number): Pack => (isOver[file] && over !== undefined ? over : base);
  const indexOf = (file: number): number => indexes[file] as number;
  const first = new Uint32Array(paths.length + 1);
  for (let file = 0; file < paths.length; file += 1)
    first[file + 1] = (first[file] as number) + 1 + packOf(file).totalOf(indexOf(file), 'symbols');
  const numberOf = new Map<string, number>();
  paths.forEach((path, file) => numberOf.set(path, file));
  return {
    count: paths.length,
    numberOf,
    paths,
    first,
    packOf,
    indexOf,
    fromBase,
    inBase: Int32Array.from(inBase),
    changed,
  };
}

/** The number of the file that a symbol is in. */
export function fileOf(files: Pick<MergedFiles, 'count' | 'first'>, id: number): number {
  let low = 0;
  let high = files.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((files.first[middle] as number) <= id) low = middle;
    else high = middle - 1;
  }
  return low;
}
