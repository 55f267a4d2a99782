import { parentPort } from 'node:worker_threads';
import { serveCopies } from './undo/serve-copies.ts';
import type { ToCopier } from './undo/serve-copies.ts';

/** Entry point of the thread that copies what a call would destroy, so that the engine's own thread never waits for a disk. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
const take = serveCopies((message) => parentPort?.postMessage(message));
parentPort?.on('message', (message: ToCopier) => take(message));
