import type { GraphCounts } from '../../graph/query/graph-reader.ts';
import { holderOf } from '../../graph/store/lease.ts';
import type { Holder } from '../../graph/store/lease.ts';
import { ANSWERS_FROM } from '../../graph/store/made-by.ts';
import { readGraph } from '../../graph/store/open-graph.ts';
import { graphPlace } from '../../graph/store/place.ts';
import { createReader } from '../../graph/store/reader.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';
import { changedFiles } from './changed-files.ts';
import type { GraphRoot } from './graph-root.ts';

export interface GraphStatus {
  readonly root: string;
  readonly reason: GraphRoot['reason'];
  readonly state: 'none' | 'stable' | 'stale';
  /** Absent when there is no graph. */
  readonly counts?: GraphCounts;
  /** Why what lies there is not used. */
  readonly problem?: string;
  /** Files that are not as they were when they were indexed. */
  readonly stale: number;
  /** What walking leaves out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly format: string;
  /** When anything was last written, in milliseconds since the epoch. */
  readonly indexedAt?: number;
  /** The process that writes at present. */
  readonly holder?: Holder;
  readonly place: string;
}

const PROBLEMS = {
  none: undefined,
  damaged: 'it is damaged',
  foreign: 'it is that of another directory',
  other: 'it was made by another version of fairlead',
};

/** With `look`, the files of the root are held against it. */
export function readStatus({ paths }: CliWorld, { path: root, reason }: GraphRoot, look: boolean): GraphStatus {
  const place = graphPlace(paths.state, root);
  const stats = nodeFiles.list(place.dir).flatMap((name) => nodeFiles.stat(join(place.dir, name)) ?? []);
  const bytes = stats.reduce((sum, { size }) => sum + size, 0);
  const holder = holderOf(nodeFiles, place);
  const about = { root, reason, bytes, place: place.dir, ...(holder && { holder }) };
  const stored = readGraph(nodeFiles, place, root, ANSWERS_FROM);
  if (typeof stored === 'string') {
    const problem = PROBLEMS[stored];
    return { ...about, state: 'none', stale: 0, skipped: {}, format: '', ...(problem && { problem }) };
  }
  const reader = createReader(stored.snapshot, stored.delta);
  const { paths: changed, skipped } = look ? changedFiles(nodeFiles, reader, () => false) : { paths: [], skipped: {} };
  const { counts } = reader;
  reader.close();
  return {
    ...about,
    state: changed.length > 0 ? 'stale' : 'stable',
    counts,
    stale: changed.length,
    skipped,
    format: stored.snapshot.madeBy,
    indexedAt: Math.round(Math.max(...[place.snapshot, place.delta].map((path) => nodeFiles.stat(path)?.mtimeMs ?? 0))),
  };
}
