import { systemClock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import { nextTurn } from '../../platform/timers.ts';
import { messageOf } from '../../text/message-of.ts';
import type { FileParser } from '../parse/parse-file.ts';
import type { Resolve } from './derive.ts';
import type { Progress } from './indexer.ts';
import { createPerformer, WAIT_MS } from './perform-request.ts';
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
const PROGRESS_MS = 100;

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
  let working: Promise<void> | undefined;
  let isStopped = false;
  const performer = createPerformer({ ...options, isStopped: () => isStopped });

  async function answer({ request, ids }: Waiting): Promise<void> {
    const started = micros();
    let told = now();
    const onProgress = (progress: Progress): void => {
      if (progress.done < progress.total && now() - told < PROGRESS_MS) return;
      told = now();
      for (const id of ids) reply({ id, progress });
    };
    try {
      const found = await performer.perform(request, onProgress);
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
        async whileWriting(location, waitMs, write) {
          const lease = await performer.waitForLease(location, waitMs);
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
    close: performer.close,
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
