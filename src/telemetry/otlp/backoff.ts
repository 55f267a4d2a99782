/** When to try again. Each failure doubles the wait, and chance keeps many machines from coming back at once. */
export interface Backoff {
  isDue(now: number): boolean;
  isFailing(): boolean;
  /** Nothing to do before so long. */
  rest(now: number, ms: number): void;
  ok(): void;
  fail(now: number, atLeastMs?: number): void;
}

const FIRST_MS = 1_000;
const MOST_MS = 300_000;
/** Longer than anybody waits: the clock was set back. */
const FOREVER_MS = 2 * 3_600_000;

export function createBackoff(random: () => number, mostMs = MOST_MS): Backoff {
  let failures = 0;
  let dueAt = 0;
  return {
    isDue: (now) => now >= dueAt || dueAt - now > FOREVER_MS,
    isFailing: () => failures > 0,
    rest(now, ms) {
      dueAt = now + ms;
    },
    ok() {
      failures = 0;
    },
    fail(now, atLeastMs = 0) {
      const wait = Math.min(mostMs, FIRST_MS * 2 ** failures) * (0.5 + random() / 2);
      failures = Math.min(failures + 1, 20);
      dueAt = now + Math.max(wait, atLeastMs);
    },
  };
}
