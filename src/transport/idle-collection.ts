/**
 * After so long without an event it collects. The first frees what the busy time has left, the second gives the room back, the
 * others that of the young generation, which V8 does not shrink while the seconds since the last one were busy.
 */
const QUIET_MS = [1_000, 1_000, 6_000, 12_000] as const;

/** Called now and then with the time since the last event; does its work when a busy time is over, and then no more. */
export function createIdleCollection(...works: readonly (() => void)[]): (quietMs: number) => void {
  let done: number = QUIET_MS.length;
  return (quietMs) => {
    if (quietMs < QUIET_MS[0]) done = 0;
    else if (quietMs >= (QUIET_MS[done] ?? Number.POSITIVE_INFINITY)) {
      done += 1;
      for (const work of works) work();
    }
  };
}
