import { within } from '../platform/timers.ts';
import type { IndexRequest } from './indexer/request.ts';
import type { Indexing } from './indexer/start-indexer.ts';

/** Whoever writes there is done with a small change by then, and with a large one not. */
const WRITER_MS = 2_000;

/** For whoever can do without: false when it could not be done, or not in time. */
export function tryToIndex(indexing: Pick<Indexing, 'ask'>, request: IndexRequest, limitMs: number): Promise<boolean> {
  const done = indexing.ask({ ...request, waitMs: Math.min(limitMs, WRITER_MS) }).then(
    ({ left }) => left === 0,
    () => false,
  );
  return within(limitMs, done, false);
}
