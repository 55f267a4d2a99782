import { systemClock } from '../../platform/clock.ts';
import { isDamage } from '../../platform/database.ts';
import type { Files } from '../../platform/files.ts';
import { nextTurn, pause } from '../../platform/timers.ts';
import { messageOf } from '../../text/message-of.ts';
import { DamagedBytes } from '../format/byte-reader.ts';
import type { FileParser } from '../parse/parse-file.ts';
import { holderOf, takeLease } from '../store/lease.ts';
import type { Lease } from '../store/lease.ts';
import { keepScope, scopeOf } from '../store/scope.ts';
import { graphPaths } from '../store/graph-paths.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import type { Resolve } from './derive.ts';
import { findNothing, removeFacts, removeStored } from './empty-root.ts';
import { inScope } from './in-scope.ts';
import { createIndexer } from './indexer.ts';
import type { Indexer, Progress, Work } from './indexer.ts';
import type { DrawWorld } from './draw-request.ts';
import type { DrawRequest, DrawResult, IndexReply, NumberedDrawRequest, NumberedRequest } from './request.ts';

export interface ServeOptions {
  readonly state: string;
  readonly files: Files;
  readonly parser: FileParser;
  readonly resolve: Resolve;
  readonly pid: number;
  /** What draws is loaded when the first picture is asked for. */
  loadDrawing(): Promise<Drawing>;
  reply(reply: IndexReply): void;
}

export interface Drawing {
  drawRequested(request: DrawRequest, world: DrawWorld): Promise<DrawResult>;
  renderPng(svg: string): Promise<Uint8Array>;
}

export interface Serving {
  take(request: NumberedRequest | NumberedDrawRequest): void;
  /** Resolves when everything that was taken is answered. */
  idle(): Promise<void>;
  /** Stops between two files. */
  stop(): void;
  /** Folds in what changed, where that was not done, and closes everything. */
  close(): void;
}

const { now, micros } = systemClock;
const BREATH_MICROS = 20_000;
const PROGRESS_MS = 100;
const WAIT_MS = 10_000;
const LOOK_MS = 50;
const MAX_OPEN = 2;

interface Open {
  readonly indexer: Indexer;
  readonly place: GraphPaths;
  readonly options: string;
}

interface Waiting {
  request: NumberedRequest;
  readonly ids: number[];
}

interface WaitingDrawing {
  request: NumberedDrawRequest;
  readonly ids: number[];
}

/** Works through requests one after the other; what is asked for twice is done once. */
export function serveRequests(options: ServeOptions): Serving {
  const { files, reply } = options;
  const queue: Waiting[] = [];
  /** Only when nothing else waits. */
  const drawings: WaitingDrawing[] = [];
  const opened = new Map<string, Open>();
  let working: Promise<void> | undefined;
  let isStopped = false;
  let breathed = micros();

  async function breathe(): Promise<void> {
    if (micros() - breathed < BREATH_MICROS) return;
    await nextTurn();
    breathed = micros();
    if (isStopped) throw new Error('the indexing process was told to end');
  }

  function drop(root: string): void {
    opened.get(root)?.indexer.close();
    opened.delete(root);
  }

  function openFor({ walk, maxFile }: NumberedRequest, root: string, place: GraphPaths): Indexer {
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
    const indexer = createIndexer({ root, files, place, parser, resolve, micros, breathe, ...more });
    opened.set(root, { indexer, place, options: chosen });
    return indexer;
  }

  async function waitForLease(place: GraphPaths, waitMs = WAIT_MS): Promise<Lease> {
    const self = { pid: options.pid, since: now() };
    const until = now() + waitMs;
    let lease = takeLease(files, place, self);
    while (lease === undefined && now() < until && !isStopped) {
      await pause(LOOK_MS);
      lease = takeLease(files, place, self);
    }
    if (lease !== undefined) return lease;
    const holder = holderOf(files, place);
    throw new Error(`the index is being written by ${holder ? `process ${holder.pid}` : 'another process'}`);
  }

  async function perform(asked: NumberedRequest, onProgress: (progress: Progress) => void): Promise<Work> {
    const root = files.realpath(asked.root);
    if (root === undefined || files.stat(root)?.kind !== 'dir') throw new Error(`${asked.root} is not a directory`);
    const place = graphPaths(options.state, root);
    const lease = await waitForLease(place, asked.waitMs);
    try {
      const { request, scope } = inScope(files, place, root, asked);
      const found = await performThere(request, root, place, onProgress);
      if (found.skipped) keepScope(files, place, scopeOf(root, found.skipped, asked.walk, scope));
      else if (scope) keepScope(files, place, scope);
      return found;
    } finally {
      lease.release();
    }
  }

  async function performThere(
    request: NumberedRequest,
    root: string,
    place: GraphPaths,
    onProgress: (progress: Progress) => void,
  ): Promise<Work> {
    try {
      return await attempt();
    } catch (error) {
      if (!isDamage(error) && !(error instanceof DamagedBytes)) throw error;
      removeFacts(files, place);
      const found = await attempt();
      return { ...found, notices: [...found.notices, (error as Error).message] };
    }

    async function attempt(): Promise<Work> {
      const nothing = request.do === 'refresh' ? undefined : findNothing(files, root, request.walk);
      if (nothing) {
        drop(root);
        removeStored(files, place);
        return nothing;
      }
      try {
        const indexer = openFor(request, root, place);
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

  async function answer({ request, ids }: Waiting): Promise<void> {
    const started = micros();
    let told = now();
    const onProgress = (progress: Progress): void => {
      if (progress.done < progress.total && now() - told < PROGRESS_MS) return;
      told = now();
      for (const id of ids) reply({ id, progress });
    };
    try {
      const found = await perform(request, onProgress);
      const tookMs = Math.round((micros() - started) / 1_000);
      for (const id of ids) reply({ id, done: { ...found, tookMs } });
    } catch (error) {
      fail(ids, error);
    }
  }

  async function answerAll(): Promise<void> {
    for (let next = queue.shift(); next && !isStopped; next = queue.shift()) await answer(next);
  }

  async function draw({ request, ids }: WaitingDrawing): Promise<void> {
    try {
      const { drawRequested, renderPng } = await options.loadDrawing();
      const drawn = await drawRequested(request, {
        state: options.state,
        files,
        now,
        renderPng,
        async giveWay() {
          await nextTurn();
          await answerAll();
        },
        async whileWriting(place, waitMs, write) {
          const lease = await waitForLease(place, waitMs);
          try {
            return write();
          } finally {
            lease.release();
          }
        },
      });
      for (const id of ids) reply({ id, drawn });
    } catch (error) {
      fail(ids, error);
    }
  }

  function fail(ids: readonly number[], error: unknown): void {
    const failed = messageOf(error);
    for (const id of ids) reply({ id, failed });
  }

  async function work(): Promise<void> {
    // Between the last look and the end nothing is awaited, or what is asked for meanwhile would be left lying.
    while (!isStopped && queue.length + drawings.length > 0) {
      await answerAll();
      const next = isStopped || queue.length > 0 ? undefined : drawings.shift();
      if (next) await draw(next);
    }
    working = undefined;
  }

  function takeIndexing(request: NumberedRequest): void {
    const same = queue.find(({ request: other }) => keyOf(other) === keyOf(request));
    if (same) {
      same.ids.push(request.id);
      const paths = new Set([...(same.request.paths ?? []), ...(request.paths ?? [])]);
      same.request = { ...same.request, paths: [...paths] };
    } else queue.push({ request, ids: [request.id] });
  }

  return {
    take(request) {
      // Whoever asked has an answer when the process is gone.
      if (isStopped) return;
      if (request.do === 'draw') takeDrawing(drawings, request);
      else takeIndexing(request);
      working ??= work();
    },
    async idle() {
      while (working) await working;
    },
    stop() {
      isStopped = true;
    },
    close() {
      for (const { indexer, place } of opened.values()) {
        const lease = takeLease(files, place, { pid: options.pid, since: now() });
        try {
          if (lease && indexer.isCurrent()) indexer.settle();
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

function keyOf({ id: _id, paths: _paths, ...request }: NumberedRequest): string {
  return JSON.stringify(request);
}

/** A picture that is asked for twice before it is drawn is drawn once, for the one who asked for more. */
function takeDrawing(drawings: WaitingDrawing[], request: NumberedDrawRequest): void {
  const { root, what, symbol } = request;
  const same = drawings.find(({ request: own }) => own.root === root && own.what === what && own.symbol === symbol);
  if (same === undefined) {
    drawings.push({ request, ids: [request.id] });
    return;
  }
  same.ids.push(request.id);
  const { isTextOnly = false, waitMs = WAIT_MS, origin } = same.request;
  same.request = {
    ...same.request,
    origin: request.origin === 'explicit' ? 'explicit' : origin,
    isTextOnly: isTextOnly && request.isTextOnly === true,
    waitMs: Math.max(waitMs, request.waitMs ?? WAIT_MS),
  };
}
