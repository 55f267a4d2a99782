import { within } from '../../platform/timers.ts';
import { WRITER_MS } from '../indexer/request.ts';
import type { IndexRequest } from '../indexer/request.ts';
import type { Indexing } from '../indexer/start-indexer.ts';

/** For whoever can do without: false when it could not be done, or not in time. */
export function tryToIndex(indexing: Pick<Indexing, 'ask'>, request: IndexRequest, limitMs: number): Promise<boolean> {
  const done = indexing.ask({ ...request, waitMs: Math.min(limitMs, WRITER_MS) }).then(
    ({ left }) => left === 0,
    () => false,
  );
  return within(limitMs, done, false);
}
