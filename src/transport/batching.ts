/** Events closer together than this are batched. */
const CLOSE_MS = 2;

export interface Batching {
  arrived(): void;
  /** Whether more events are on their way, going by those that have just come. */
  moreComing(): boolean;
}

/** One event alone is answered at once; of many at once, each is answered sooner if they take their steps together. */
export function createBatching(now: () => number): Batching {
  let last = 0;
  let before = 0;
  return {
    arrived() {
      before = last;
      last = now();
    },
    moreComing: () => last - before < CLOSE_MS,
  };
}
