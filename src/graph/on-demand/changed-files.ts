import type { Files } from '../../platform/files.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import type { WalkOptions } from '../walk/walk-options.ts';
import { walkWorkspace } from '../walk/walk-workspace.ts';

export interface Changes {
  /** New, changed or gone since they were indexed; paths below the root. */
  readonly paths: readonly string[];
  /** What walking left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** False when there was no time to look at all files. */
  readonly complete: boolean;
}

/** Between two looks at the clock. */
const STRIDE = 64;

/** Holds the files of a root against its graph, by size and time. */
export function changedFiles(files: Files, reader: GraphReader, isLate: () => boolean, options?: WalkOptions): Changes {
  const walk = walkWorkspace(files, reader.root, options);
  const gone = new Set(reader.files().map(({ path }) => path));
  const paths: string[] = [];
  let seen = 0;
  for (const { path, size, mtimeMs } of walk) {
    if ((seen += 1) % STRIDE === 0 && isLate()) return { paths, skipped: walk.skipped, complete: false };
    gone.delete(path);
    const known = reader.file(path);
    if (known?.size !== size || known.mtimeMs !== mtimeMs) paths.push(path);
  }
  return { paths: [...paths, ...gone].sort(), skipped: walk.skipped, complete: true };
}
