import type { Memory } from '../ledger/open.ts';
import { isBusy } from '../platform/database.ts';
import { cellId } from '../state/cells.ts';
import { pruneSessions } from '../state/prune.ts';
import type { Kept } from '../state/prune.ts';
import type { FailClosedKeeper } from '../transport/fail-closed.ts';

export interface TidyingOptions {
  readonly resident: boolean;
  readonly closed: Pick<FailClosedKeeper, 'keep'>;
  /** Puts back what agents start us by. */
  lookAtWired(): void;
  /** Takes the room that counting on a full disk needs; true once it is there. */
  prepareCounts(): boolean;
  readonly memory: Memory;
  readonly sessions: Kept & { usualDays(): number };
  now(): number;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
}

const DAY_MS = 86_400_000;

/** What can wait until a reply is out: flags for clients that find no engine, and once a day the removal of what is over age. */
export function createTidying(options: TidyingOptions): () => Promise<void> {
  const { resident, closed, memory, prepareCounts, lookAtWired, sessions, now, isOff, onFailure } = options;
  let hasTidied = false;
  let canCount = false;
  return async () => {
    if (isOff(now())) return;
    lookAtWired();
    canCount ||= prepareCounts();
    await closed.keep().catch((error: unknown) => onFailure('writing what holds without an engine', error));
    try {
      const isDue = isFirstToday(memory, now());
      // A process that stays does so when it starts as well.
      const prunes = isDue || (resident && !hasTidied);
      hasTidied = true;
      if (isDue) memory.rotate(now());
      if (prunes) pruneSessions(sessions, sessions.usualDays(), now());
    } catch (error) {
      // Who holds the state has just come to it as well, and tidies, or the next event does.
      if (!isBusy(error)) onFailure('removing old state', error);
    }
  };
}

function isFirstToday({ store }: Memory, now: number): boolean {
  const id = cellId('user', '', 'tidied');
  if (store.get(id, now) !== undefined) return false;
  store.commit({ reads: new Map(), changes: [{ op: 'set', id, value: String(now), expires: now + DAY_MS }], now });
  return true;
}
