/** So long without an event is a rest. */
const QUIET_MS = 1_000;
/** The first collection frees what the busy time has left, the second gives the room back. */
const COLLECTIONS = 2;

/** Called now and then with the time since the last event; does its work when a busy time is over, and then no more. */
export function createIdleCollection(...works: readonly (() => void)[]): (quietMs: number) => void {
  let left = 0;
  return (quietMs) => {
    if (quietMs < QUIET_MS) left = COLLECTIONS;
    else if (left > 0) {
      left -= 1;
      for (const work of works) work();
    }
  };
}
