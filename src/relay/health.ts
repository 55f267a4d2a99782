import { cellId, parseCellId, parseValue, SEPARATOR } from '../state/cells.ts';
import type { Store } from '../state/store.ts';
import { commitMerged } from '../telemetry/commit-merged.ts';

/** What became of the records for one project's webhook. */
export interface WebhookHealth {
  readonly setUpAt?: number;
  readonly sent: number;
  readonly failed: number;
  /** Given up without an attempt, or in the middle of one. */
  readonly dropped: number;
  readonly sentAt?: number;
  readonly failedAt?: number;
  /** Why the last one did not arrive; absent once one did. */
  readonly problem?: string;
}

const CELL = 'relay.webhook';
const NEW: WebhookHealth = { sent: 0, failed: 0, dropped: 0 };

export function readHealth(store: Store, root: string, now: number): WebhookHealth {
  return toHealth(store.get(cellId('workspace', root, CELL), now));
}

/** Several processes send, so this is a step on whatever is stored by then. */
export function changeHealth(
  store: Store,
  root: string,
  now: number,
  change: (before: WebhookHealth) => WebhookHealth,
): void {
  const merged = (before: string | undefined) => JSON.stringify(change(toHealth(before)));
  commitMerged(store, [{ id: cellId('workspace', root, CELL), expires: 0, merged }], now);
}

/** The projects of this user that have had a webhook. */
export function webhookRoots(store: Store, now: number): string[] {
  return store
    .list(`workspace${SEPARATOR}`, now)
    .map(({ id }) => parseCellId(id))
    .flatMap(({ name, owner }) => (name === CELL ? [owner] : []));
}

function toHealth(value: string | undefined): WebhookHealth {
  const stored = parseValue(value);
  return typeof stored === 'object' && stored !== null ? { ...NEW, ...stored } : NEW;
}
