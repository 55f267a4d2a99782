import { existsSync } from 'node:fs';
import type * as WorkerThreads from 'node:worker_threads';

/** Loaded with the first thread, because it takes a while. */
const threads = (): typeof WorkerThreads => process.getBuiltinModule('node:worker_threads');

export interface Thread<Sent> {
  post(message: Sent): void;
  end(): void;
}

export interface ThreadSetting<Told> {
  onMessage(message: Told): void;
  /** Once, when it is over, by itself or not. */
  onEnd(): void;
}

/** A thread of this process with an entry point of its own, which the process does not stay for; undefined where that is not there. */
export function startThread<Sent, Told>(path: string, setting: ThreadSetting<Told>): Thread<Sent> | undefined {
  if (!existsSync(path)) return undefined;
  const worker = new (threads().Worker)(path, { stdout: true, stderr: true });
  worker.on('message', (message: Told) => setting.onMessage(message));
  // Its end follows.
  worker.on('error', () => {});
  worker.on('exit', () => setting.onEnd());
  // After the listeners, which hold it.
  worker.unref();
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    post: (message) => worker.postMessage(message),
    end: () => void worker.terminate(),
  };
}
