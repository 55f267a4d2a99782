/** Called now and then with the time since the last event; does its work once for each of these times, when a busy time is over. */
export function createIdleWork(after: readonly [number, ...number[]], work: () => void): (quietMs: number) => void {
  let done = after.length;
  return (quietMs) => {
    if (quietMs < after[0]) done = 0;
    else if (quietMs >= (after[done] ?? Number.POSITIVE_INFINITY)) {
      done += 1;
      work();
    }
  };
}
