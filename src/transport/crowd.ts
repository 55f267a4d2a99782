/** Events closer together than this belong to a crowd. */
const CLOSE_MS = 2;

export interface Crowd {
  arrived(): void;
  /** Whether more events are on their way, going by those that have just come. */
  isHere(): boolean;
}

/** One event alone is answered at once; of many at once, each is answered sooner if they take their steps together. */
export function createCrowd(now: () => number): Crowd {
  let last = 0;
  let before = 0;
  return {
    arrived() {
      before = last;
      last = now();
    },
    isHere: () => last - before < CLOSE_MS,
  };
}
