import { systemClock } from '../../platform/clock.ts';
import { isDamage } from '../../platform/database.ts';
import { nextTurn, pause } from '../../platform/timers.ts';
import { DamagedBytes } from '../format/byte-reader.ts';
import { graphPaths } from '../store/graph-paths.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import { holderOf, takeLease } from '../store/lease.ts';
import type { Lease } from '../store/lease.ts';
import { keepScope, scopeOf } from '../store/scope.ts';
import { inScope } from './in-scope.ts';
import { createIndexer } from './indexer.ts';
import type { Indexer, IndexerOptions, Progress, Work } from './indexer.ts';
import type { NumberedRequest } from './request.ts';
import type { Files } from '../../platform/files.ts';
import type { WalkOptions } from '../walk/walk-options.ts';
import { walkWorkspace } from '../walk/walk-workspace.ts';

/** What there is to say of a root without a file of code; undefined when it has one. Manifests alone are no code. */
function findNothing(files: Files, root: string, options: WalkOptions | undefined): Work | undefined {
  const walk = walkWorkspace(files, root, options);
  for (const { language } of walk) if (language !== 'manifest') return undefined;
  return { files: 0, parsed: 0, removed: 0, resolved: 0, left: 0, skipped: walk.skipped, notices: [] };
}

/** An index of nothing would look like one that knows there is nothing. */
function removeStored(files: Pick<Files, 'remove'>, location: GraphPaths): void {
  for (const path of [location.snapshot, location.delta]) files.remove(path);
  removeFacts(files, location);
}

/** With what a database keeps beside its file. */
function removeFacts(files: Pick<Files, 'remove'>, { facts }: GraphPaths): void {
  for (const suffix of ['', '-wal', '-shm']) files.remove(facts + suffix);
}

export interface PerformerOptions extends Pick<IndexerOptions, 'files' | 'parser' | 'resolve'> {
  readonly state: string;
  readonly pid: number;
  isStopped(): boolean;
}

/** Does what is asked for, one request at a time, and keeps the roots open that it was last asked about. */
export interface Performer {
  perform(request: NumberedRequest, onProgress: (progress: Progress) => void): Promise<Work>;
  waitForLease(location: GraphPaths, waitMs?: number): Promise<Lease>;
  /** Folds in what changed, where that was not done, and closes everything. */
  close(): void;
}

interface Open {
  readonly indexer: Indexer;
  readonly location: GraphPaths;
  readonly options: string;
}

const { now, micros } = systemClock;
const BREATH_MICROS = 20_000;
/** How long another process that writes is waited for, where nobody says. */
export const WAIT_MS = 10_000;
const LOOK_MS = 50;
const MAX_OPEN = 2;

export function createPerformer(options: PerformerOptions): Performer {
  const { files, isStopped } = options;
  const opened = new Map<string, Open>();
  let breathed = micros();

  async function breathe(): Promise<void> {
    if (micros() - breathed < BREATH_MICROS) return;
    await nextTurn();
    breathed = micros();
    if (isStopped()) throw new Error('the indexing process was told to end');
  }

  function drop(root: string): void {
    opened.get(root)?.indexer.close();
    opened.delete(root);
  }

  function openFor({ walk, maxFile }: NumberedRequest, root: string, location: GraphPaths): Indexer {
    const chosen = JSON.stringify([walk, maxFile]);
    const known = opened.get(root);
    if (known && known.options === chosen && known.indexer.isCurrent()) return known.indexer;
    drop(root);
    for (const other of opened.keys()) {
      if (opened.size < MAX_OPEN) break;
      drop(other);
    }
    const { parser, resolve } = options;
    const more = { ...(walk && { walk }), ...(maxFile !== undefined && { maxFile }) };
    const indexer = createIndexer({ root, files, location, parser, resolve, micros, breathe, ...more });
    opened.set(root, { indexer, location, options: chosen });
    return indexer;
  }

  async function waitForLease(location: GraphPaths, waitMs = WAIT_MS): Promise<Lease> {
    const self = { pid: options.pid, since: now() };
    const until = now() + waitMs;
    let lease = takeLease(files, location, self);
    while (lease === undefined && now() < until && !isStopped()) {
      await pause(LOOK_MS);
      lease = takeLease(files, location, self);
    }
    if (lease !== undefined) return lease;
    const holder = holderOf(files, location);
    throw new Error(`the index is being written by ${holder ? `process ${holder.pid}` : 'another process'}`);
  }

  async function perform(asked: NumberedRequest, onProgress: (progress: Progress) => void): Promise<Work> {
    const root = files.realpath(asked.root);
    if (root === undefined || files.stat(root)?.kind !== 'dir') throw new Error(`${asked.root} is not a directory`);
    const location = graphPaths(options.state, root);
    const lease = await waitForLease(location, asked.waitMs);
    try {
      const { request, scope } = inScope(files, location, root, asked);
      const found = await performThere(request, root, location, onProgress);
      if (found.skipped) keepScope(files, location, scopeOf(root, found.skipped, asked.walk, scope));
      else if (scope) keepScope(files, location, scope);
      return found;
    } finally {
      lease.release();
    }
  }

  async function performThere(
    request: NumberedRequest,
    root: string,
    location: GraphPaths,
    onProgress: (progress: Progress) => void,
  ): Promise<Work> {
    try {
      return await attempt();
    } catch (error) {
      if (!isDamage(error) && !(error instanceof DamagedBytes)) throw error;
      removeFacts(files, location);
      const found = await attempt();
      return { ...found, notices: [...found.notices, (error as Error).message] };
    }

    async function attempt(): Promise<Work> {
      const nothing = request.do === 'refresh' ? undefined : findNothing(files, root, request.walk);
      if (nothing) {
        drop(root);
        removeStored(files, location);
        return nothing;
      }
      try {
        const indexer = openFor(request, root, location);
        if (request.do === 'refresh') return await indexer.refresh(request.paths ?? []);
        if (request.do === 'sweep') return await indexer.sweep(request.budgetMs);
        if (request.do === 'verify') return await indexer.verify(onProgress);
        return await indexer.indexAll(onProgress, request.force);
      } catch (error) {
        // What it holds in memory may be ahead of what is stored.
        drop(root);
        throw error;
      }
    }
  }

  return {
    perform,
    waitForLease,
    close() {
      for (const { indexer, location } of opened.values()) {
        const lease = takeLease(files, location, { pid: options.pid, since: now() });
        try {
          if (lease && indexer.isCurrent()) indexer.compact();
        } catch {
          // The delta stays, and has all of it.
        } finally {
          lease?.release();
          indexer.close();
        }
      }
      opened.clear();
    },
  };
}
