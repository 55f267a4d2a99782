import type { Copy } from './manifest.ts';
import type { Store } from './store.ts';

/** How much is kept. */
export interface StoreLimits {
  readonly days: number;
  readonly megabytes: number;
  readonly copies: number;
}

export const STORE_LIMITS: StoreLimits = { days: 14, megabytes: 2_048, copies: 1_000 };

const DAY_MS = 86_400_000;
const MEGABYTE = 1 << 20;

/** Removes what is over age, number or size, oldest first; never the newest of a session. */
export function prune(store: Store, limits: StoreLimits, now: number): void {
  for (const number of overLimits(store.list(), limits, now)) store.remove(number);
  store.sweep(now);
}

/** The numbers of the copies that have to go. Contents that several copies share count for each of them. */
export function overLimits(copies: readonly Copy[], limits: StoreLimits, now: number): readonly number[] {
  const sessions = new Set<string>();
  let count = 0;
  let bytes = 0;
  const gone: number[] = [];
  for (const copy of copies) {
    count += 1;
    bytes += copy.bytes;
    const isNewest = !sessions.has(copy.session);
    sessions.add(copy.session);
    const isOver = count > limits.copies || bytes > limits.megabytes * MEGABYTE || copy.at < now - limits.days * DAY_MS;
    if (isOver && !isNewest) {
      gone.push(copy.number);
      bytes -= copy.bytes;
      count -= 1;
    }
  }
  return gone.toReversed();
}
