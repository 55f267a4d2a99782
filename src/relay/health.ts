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
  readonly droppedAt?: number;
  /** Why the last one did not arrive; absent once one did. */
  readonly problem?: string;
}

export type HealthStep = (before: WebhookHealth) => WebhookHealth;

export function arrived(now: number): HealthStep {
  return ({ problem: _past, ...before }) => ({ ...before, sent: before.sent + 1, sentAt: now });
}

export function failed(now: number, problem: string): HealthStep {
  return (before) => ({ ...before, failed: before.failed + 1, failedAt: now, problem });
}

export function dropped(now: number, by: number): HealthStep {
  return (before) => (by === 0 ? before : { ...before, dropped: before.dropped + by, droppedAt: now });
}

const CELL = 'relay.webhook';
const NEW: WebhookHealth = { sent: 0, failed: 0, dropped: 0 };

export function readHealth(store: Store, root: string, now: number): WebhookHealth {
  return toHealth(store.get(cellId('workspace', root, CELL), now));
}

/** Several processes send, so this is a step on whatever is stored by then. */
export function changeHealth(store: Store, root: string, now: number, change: HealthStep): void {
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
