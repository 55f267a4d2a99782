import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { RootReason } from '../../roots/find-root.ts';
import { changedFiles } from './changed-files.ts';
import { readInitRecord } from '../store/init-record.ts';
import type { InitRecord, InitState } from '../store/init-record.ts';
import { nextAttempt } from '../resident/initialisation.ts';
import type { GraphCounts } from '../query/graph-reader.ts';
import { partOf, readScope, walkIn } from '../store/scope.ts';
import type { PartialScope } from '../store/scope.ts';
import { holderOf } from '../store/lease.ts';
import type { Holder } from '../store/lease.ts';
import { ANSWERS_FROM } from '../store/made-by.ts';
import { readGraph } from '../store/open-graph.ts';
import { graphPaths } from '../store/graph-paths.ts';
import { createReader } from '../store/reader.ts';
import type { WalkOptions } from '../walk/walk-options.ts';

/** The root that a question is about. */
export interface GraphRoot {
  readonly path: string;
  /** Why this directory is the root; `explicit` when it was named. */
  readonly reason: RootReason | 'explicit';
}

interface StatusOptions {
  readonly state: string;
  readonly files: Files;
  /** With this, the files of the root are held against it. */
  readonly look: boolean;
  /** False where nothing says that it is a project: then it is indexed on request alone. */
  readonly isMarked?: boolean;
  readonly walk?: WalkOptions | undefined;
}

/** How far a root is, and what is written down about how it came there; that is missing where nobody has tried. */
export interface Initialisation extends Partial<Omit<InitRecord, 'version' | 'root' | 'state' | 'settings'>> {
  readonly state: InitState;
  /** When an event may begin the next attempt; absent where none is due, or only an explicit one is. */
  readonly retryAt?: number;
}

export interface GraphStatus {
  readonly root: string;
  readonly reason: GraphRoot['reason'];
  /** `pending`: there is no graph, and none will be made unless somebody asks, as nothing marks it as a project. */
  readonly state: 'none' | 'pending' | 'stable' | 'stale';
  readonly initialisation: Initialisation;
  /** Absent when there is no graph. */
  readonly counts?: GraphCounts;
  /** Why what lies there is not used. */
  readonly problem?: string;
  /** Files that are not as they were when they were indexed. */
  readonly stale: number;
  /** What walking leaves out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Only where the root has more files than are indexed. */
  readonly scope?: PartialScope;
  readonly bytes: number;
  readonly format: string;
  /** When anything was last written, in milliseconds since the epoch. */
  readonly indexedAt?: number;
  /** The process that writes at present. */
  readonly holder?: Holder;
  /** The directory that holds it; it is printed under this name. */
  readonly place: string;
}

const PROBLEMS = {
  none: undefined,
  damaged: 'it is damaged',
  foreign: 'it is that of another directory',
  other: 'it was made by another version of fairlead',
};

export function readStatus({ path: root, reason }: GraphRoot, options: StatusOptions): GraphStatus {
  const { files, look, walk, isMarked = true } = options;
  const location = graphPaths(options.state, root);
  const stats = files.list(location.dir).flatMap((name) => files.stat(join(location.dir, name)) ?? []);
  const bytes = stats.reduce((sum, { size }) => sum + size, 0);
  const holder = holderOf(files, location);
  const about = { root, reason, bytes, place: location.dir, ...(holder && { holder }) };
  const record = readInitRecord(files, location, root);
  const stored = readGraph(files, location, root, ANSWERS_FROM);
  if (typeof stored === 'string') {
    const problem = PROBLEMS[stored];
    const { retryAt, ...known } = describe(holder ? 'indexing' : 'pending', record);
    return {
      ...about,
      initialisation: isMarked && retryAt !== undefined ? { ...known, retryAt } : known,
      state: !isMarked && known.state === 'pending' ? 'pending' : 'none',
      stale: 0,
      skipped: {},
      format: '',
      ...(problem && { problem }),
    };
  }
  const reader = createReader(stored.snapshot, stored.delta);
  const known = readScope(files, location, root);
  const scope = partOf(known);
  const { paths: changed, skipped } = look
    ? changedFiles(files, reader, () => false, walkIn(known, walk))
    : { paths: [], skipped: {} };
  const { counts } = reader;
  reader.close();
  return {
    ...about,
    initialisation: describe(changed.length > 0 ? 'initialised' : 'stable', record),
    state: changed.length > 0 ? 'stale' : 'stable',
    counts,
    stale: changed.length,
    skipped,
    ...(scope && { scope }),
    format: stored.snapshot.madeBy,
    indexedAt: Math.round(
      Math.max(...[location.snapshot, location.delta].map((path) => files.stat(path)?.mtimeMs ?? 0)),
    ),
  };
}

/** What lies there counts for more than what was written down, but for a failure. */
function describe(found: InitState, record: InitRecord | undefined): Initialisation {
  if (record === undefined) return { state: found };
  const { version: _version, root: _root, settings: _settings, state: written, ...rest } = record;
  const state = written === 'failed' && found !== 'indexing' ? written : found;
  const retryAt = state === 'pending' || state === 'failed' ? nextAttempt({ ...record, state }) : undefined;
  return { ...rest, state, ...(retryAt !== undefined && { retryAt }) };
}
