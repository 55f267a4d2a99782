import { knownFlags } from '../../platform/node-flags.ts';
import { startLineProcess } from '../../platform/line-process.ts';
import type { LineProcess } from '../../platform/line-process.ts';
import { dirname } from '../../platform/paths.ts';
import type { Progress } from './indexer.ts';
import type { DrawRequest, DrawResult, IndexReply, IndexRequest, IndexResult } from './request.ts';

export interface IndexingOptions {
  readonly state: string;
  readonly node: string;
  /** The indexing process's program; it lies beside what runs here. */
  readonly program: string;
  /** For whoever nobody waits for: others come first. */
  readonly isBackground?: boolean;
  readonly idleMs?: number;
}

/** The way to the indexing process, which is started when there is something to ask. */
export interface Indexing {
  ask(request: IndexRequest, onProgress?: (progress: Progress) => void): Promise<IndexResult>;
  /** Resolves when evidence and pictures are written; rejects when there is no index, or no such symbol in it. */
  draw(request: DrawRequest): Promise<DrawResult>;
  readonly pid: number | undefined;
  /** How often it ended before it had answered. */
  readonly failures: number;
  /** It finishes the file at hand and ends; what is asked for and not answered is rejected. */
  close(): void;
}

/**
 * It lives for seconds: code that is optimised only when it has run for long takes a quarter less CPU in all, and a small
 * space for new objects keeps it small. Later versions of Node have no such flag for the first.
 */
export const NODE_FLAGS: readonly string[] = knownFlags([
  { flag: '--interrupt-budget=1000000', until: 20 },
  { flag: '--max-semi-space-size=4', until: Infinity },
]);

/** A request is given to this many processes before it counts as one that ends them. */
const TRIES = 2;

interface Pending {
  readonly line: string;
  tries: number;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  resolve(result: IndexResult | DrawResult): void;
  reject(error: Error): void;
}

export function createIndexing(options: IndexingOptions): Indexing {
  const pending = new Map<number, Pending>();
  let running: LineProcess | undefined;
  let lastId = 0;
  let failures = 0;
  let isClosed = false;

  function start(): LineProcess {
    const { node, program, state, isBackground = false, idleMs } = options;
    const args = [...NODE_FLAGS, program, '--state', state];
    if (isBackground) args.push('--background');
    if (idleMs !== undefined) args.push('--idle-ms', String(idleMs));
    const env = { PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`, MALLOC_ARENA_MAX: '1' };
    const started = startLineProcess(node, args, {
      env,
      onLine: take,
      onEnd(why) {
        if (running === started) running = undefined;
        recover(why);
      },
    });
    return started;
  }

  function take(line: string): void {
    const reply = JSON.parse(line) as IndexReply;
    const waiting = pending.get(reply.id);
    if (waiting === undefined) return;
    if ('progress' in reply) return waiting.onProgress?.(reply.progress);
    pending.delete(reply.id);
    if (pending.size === 0) running?.hold(false);
    if ('done' in reply) waiting.resolve(reply.done);
    else if ('drawn' in reply) waiting.resolve(reply.drawn);
    else waiting.reject(new Error(reply.failed));
  }

  /** What was not answered goes to the next process, unless it was there already when one before ended. */
  function recover(why: string): void {
    if (pending.size === 0) return;
    if (!isClosed) failures += 1;
    for (const [id, waiting] of pending) {
      if (!isClosed && waiting.tries < TRIES) continue;
      pending.delete(id);
      waiting.reject(new Error(`the indexing process did not answer: ${why}`));
    }
    for (const waiting of pending.values()) send(waiting);
  }

  function send(waiting: Pending): void {
    running ??= start();
    running.hold(true);
    waiting.tries += 1;
    running.send(waiting.line);
  }

  function pose(
    request: IndexRequest | DrawRequest,
    onProgress: Pending['onProgress'],
  ): Promise<IndexResult | DrawResult> {
    return new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error('no more is indexed'));
      const id = (lastId += 1);
      const waiting: Pending = { line: JSON.stringify({ ...request, id }), tries: 0, onProgress, resolve, reject };
      pending.set(id, waiting);
      return send(waiting);
    });
  }

  return {
    ask: (request, onProgress) => pose(request, onProgress) as Promise<IndexResult>,
    draw: (request) => pose(request, undefined) as Promise<DrawResult>,
    get pid() {
      return running?.pid;
    },
    get failures() {
      return failures;
    },
    close() {
      isClosed = true;
      running?.end();
      recover('it was told to end');
    },
  };
}
