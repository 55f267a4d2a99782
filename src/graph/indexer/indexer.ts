import { openFactsDb } from '../store/facts-db.ts';
import { MADE_BY } from '../store/made-by.ts';
import { openRecord } from '../store/record.ts';
import { graphStamp, readGraph } from '../store/open-graph.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import { isIndexed } from '../walk/is-indexed.ts';
import { MAX_FILES } from '../walk/walk-options.ts';
import type { WalkedFile, WalkOptions } from '../walk/walk-options.ts';
import { walkWorkspace } from '../walk/walk-workspace.ts';
import { createDerived } from './derive.ts';
import type { Resolve, Derived } from './derive.ts';
import { BATCH_FILES, createFactsIntake } from './facts-intake.ts';
import type { FactsIntake, FactsIntakeOptions } from './facts-intake.ts';
import { mayChangeWalk, pathBelow } from './changed-path.ts';
import type { Files } from '../../platform/files.ts';
import type { GraphFile } from '../store/pack.ts';
import { openSnapshotBytes, writeDelta, writeSnapshot } from '../store/snapshot.ts';

/** Beyond these a delta takes more to write and to lay over than a snapshot does. */
const MAX_DELTA_FILES = 100;
const MAX_DELTA_BYTES = 1 << 20;

interface GraphWriter {
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

function createGraphWriter(files: WritingFiles, location: GraphPaths, root: string, madeBy: string): GraphWriter {
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

export interface IndexerOptions extends Pick<FactsIntakeOptions, 'root' | 'files' | 'parser' | 'maxFile'> {
  readonly location: GraphPaths;
  readonly resolve: Resolve;
  readonly walk?: WalkOptions;
  readonly micros: () => number;
  /** Gives others a turn when it is time for that; rejects when this is to stop. */
  breathe(): Promise<void>;
}

export interface Progress {
  readonly phase: 'reading' | 'resolving';
  readonly done: number;
  readonly total: number;
}

export interface Work {
  readonly files: number;
  /** Files that were read and parsed, that were found gone, and that were resolved. */
  readonly parsed: number;
  readonly removed: number;
  readonly resolved: number;
  /** Files that are known to have changed and were not looked at within the budget. */
  readonly left: number;
  /** How many files and directories walking left out, by reason; absent when there was no walk. */
  readonly skipped?: Readonly<Record<string, number>>;
  /** What of the store could not be used and was made anew. */
  readonly notices: readonly string[];
}

export interface Indexer {
  /** Brings everything up to date; with `force`, from the files alone. */
  indexAll(progress?: (progress: Progress) => void, force?: boolean): Promise<Work>;
  /** Absolute paths of files that may have changed. */
  refresh(paths: readonly string[]): Promise<Work>;
  /** Looks at size and time of all files. */
  sweep(budgetMs?: number): Promise<Work>;
  /** Looks at the content of all files, also of those whose size and time are what they were. */
  verify(progress?: (progress: Progress) => void): Promise<Work>;
  /** Folds what changed into the snapshot. */
  compact(): void;
  /** False when another process has changed what this one has read: then it must be opened anew. */
  isCurrent(): boolean;
  close(): void;
}

type Look = 'changed' | 'content' | 'all';

/** The one writer of a root's graph; its caller holds the lease. */
export function createIndexer(options: IndexerOptions): Indexer {
  const { root, files, location, resolve, micros, breathe } = options;
  const db = openFactsDb(location.facts, root);
  const writer = createGraphWriter(files, location, root, MADE_BY);
  let notices = [db.notice, writer.notice].filter((notice) => notice !== undefined);
  const intake = createFactsIntake({
    ...options,
    roles: options.walk?.roles,
    db,
    onReplace: (path) => derived.remember(path),
    onChange: (path) => behind.add(path),
  });
  const { rows, world } = intake;
  const derived = createDerived({
    world,
    rows,
    before: writer.before,
    changed: writer.changed,
    removed: writer.removed,
    resolve,
    breathe,
  });
  for (const [path, row] of rows) {
    const known = derived.files.get(path);
    world.set(path, known?.facts === row.digest ? openRecord(known.record).names() : intake.namesIn(path));
  }
  /** Whose derived data may not fit their facts: a process was stopped between the two. */
  let behind = new Set([...rows.keys(), ...derived.files.keys()].filter(isBehind));

  let stamp = stampNow();

  function stampNow(): string {
    return `${db.version()} ${files.stat(location.facts)?.ino} ${graphStamp(files, location)}`;
  }

  function isBehind(path: string): boolean {
    return rows.get(path)?.digest !== derived.files.get(path)?.facts;
  }

  async function finish(
    parsed: number,
    removed: number,
    left: number,
    more: { skipped?: Work['skipped']; progress?: ((progress: Progress) => void) | undefined; whole?: boolean },
  ): Promise<Work> {
    intake.store();
    const due = behind;
    behind = new Set();
    let resolved: number;
    try {
      resolved = await derived.follow(due, (done, total) => more.progress?.({ phase: 'resolving', done, total }));
      writer.write(derived, more.whole ?? false);
    } catch (error) {
      behind = due;
      throw error;
    }
    stamp = stampNow();
    const said = notices;
    notices = [];
    const { skipped } = more;
    return { files: rows.size, parsed, removed, resolved, left, notices: said, ...(skipped && { skipped }) };
  }

  async function lookAtAll(look: Look, budgetMs: number, progress?: (progress: Progress) => void): Promise<Work> {
    const started = micros();
    const walk = walkWorkspace(files, root, options.walk);
    const gone = new Set(rows.keys());
    const due: WalkedFile[] = [];
    for (const found of walk) {
      gone.delete(found.path);
      const known = rows.get(found.path);
      if (look !== 'changed' || known?.size !== found.size || known.mtimeMs !== found.mtimeMs) due.push(found);
    }
    if (gone.size > 0) intake.forget([...gone]);
    let done = 0;
    let parsed = 0;
    try {
      for (const found of due) {
        if (micros() - started > budgetMs * 1_000) break;
        if (await intake.take(found, look === 'all')) parsed += 1;
        done += 1;
        progress?.({ phase: 'reading', done, total: due.length });
        await breathe();
      }
    } finally {
      // Whoever is told to stop leaves what was read.
      intake.store();
    }
    const isMuch = parsed > BATCH_FILES;
    const work = await finish(parsed, gone.size, due.length - done, { skipped: walk.skipped, progress, whole: isMuch });
    if (isMuch) db.checkpoint();
    return work;
  }

  return {
    indexAll: (progress, force = false) => lookAtAll(force ? 'all' : 'changed', Infinity, progress),
    async refresh(paths) {
      const found = changedFiles(options, rows, paths);
      if (found === undefined) return lookAtAll('changed', Infinity);
      const { changes, gone } = found;
      if (gone.length > 0) intake.forget(gone);
      let parsed = 0;
      for (const file of changes) if (await intake.take(file, false)) parsed += 1;
      return finish(parsed, gone.length, 0, {});
    },
    sweep: (budgetMs = Infinity) => lookAtAll('changed', budgetMs),
    verify: (progress) => lookAtAll('content', Infinity, progress),
    compact() {
      writer.write(derived, true);
      stamp = stampNow();
    },
    isCurrent: () => stamp === stampNow(),
    close() {
      db.close();
    },
  };
}

/** What these paths mean for the files that are indexed; undefined where only a look at all of them tells. */
function changedFiles(
  { root, files, walk }: Pick<IndexerOptions, 'root' | 'files' | 'walk'>,
  rows: FactsIntake['rows'],
  paths: readonly string[],
): { changes: WalkedFile[]; gone: string[] } | undefined {
  const maxFiles = walk?.maxFiles ?? MAX_FILES;
  const isDirectory = (path: string) => {
    for (const known of rows.keys()) if (known.startsWith(`${path}/`)) return true;
    return files.lstat(`${root}/${path}`)?.kind === 'dir';
  };
  const changes: WalkedFile[] = [];
  const gone: string[] = [];
  let added = 0;
  for (const path of new Set(paths.flatMap((each) => pathBelow(files, root, each) ?? []))) {
    const found = isIndexed(files, root, path, walk);
    const isThere = typeof found === 'object';
    if (!(isThere && rows.has(path)) && mayChangeWalk(files, root, path, isDirectory(path))) return undefined;
    if (isThere) changes.push(found);
    else if (rows.has(path)) gone.push(path);
    if (isThere && !rows.has(path)) added += 1;
  }
  // At the cap, a file that comes or goes changes which others are indexed.
  const isAtCap = rows.size + added > maxFiles || (rows.size >= maxFiles && gone.length > 0);
  return rows.size === 0 || isAtCap ? undefined : { changes, gone };
}
