import { ADAPTERS } from '../adapters/registry.ts';
import type { Adapter, Reply } from '../adapters/adapter.ts';
import type { Engine } from '../engine/engine.ts';
import type { Event } from '../event/event.ts';
import { handle } from '../handle.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import type { Change } from '../state/store.ts';
import type { CliWorld } from './command.ts';

export interface DryRun {
  readonly reply: Reply;
  readonly row: LedgerRow;
  readonly detail: LedgerDetail;
  /** What the event would have changed. */
  readonly changes: readonly Change[];
  readonly failures: readonly string[];
  /** The engine would have answered this event from the record of its first delivery. */
  readonly answeredBefore: boolean;
}

/** Sends one event the whole way through the engine and keeps nothing of it. */
export async function dryRun(
  payload: unknown,
  adapter: Adapter,
  engine: Engine,
  place: { cwd: string; home: string },
): Promise<DryRun> {
  const receivedAt = engine.clock.now();
  const failures: string[] = [];
  const changes: Change[] = [];
  let answeredBefore = false;
  let recorded: { row: LedgerRow; detail: LedgerDetail } | undefined;
  const dry: Engine = {
    ...engine,
    isOff: () => false,
    onFailure: (what, error) =>
      void failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`),
    store: {
      ...engine.store,
      answered(delivery) {
        answeredBefore = engine.store.answered(delivery) !== undefined;
        return undefined;
      },
      commit(commit) {
        changes.push(...commit.changes);
        return true;
      },
      remove: () => 0,
      prune: () => 0,
      close() {},
    },
    ledger: {
      nextId: () => 'ID',
      record(row, detail) {
        recorded = { row, detail: detail() };
      },
      relay() {},
      flush() {},
    },
    after() {},
  };
  const parse: Adapter['parse'] = isStoredEvent(payload) ? () => ({ ...payload, receivedAt }) : adapter.parse;
  const reply = await handle({ payload, ...place, depth: 0, receivedAt }, { ...adapter, parse }, dry);
  if (!recorded) throw new Error(failures.join('; ') || 'the event left no record');
  return { ...recorded, reply, changes, failures, answeredBefore };
}

/** Whether an agent sends such a payload, or sent what the ledger keeps as this event. */
export function isPayloadOf(
  adapter: Adapter,
  payload: unknown,
  { cwd, userHome: home }: Pick<CliWorld, 'cwd' | 'userHome'>,
): boolean {
  if (isStoredEvent(payload)) return payload.agent === adapter.name;
  if (ADAPTERS.some(({ marks }) => marks?.(payload) === true)) return adapter.marks?.(payload) === true;
  if (adapter.marks) return false;
  return adapter.parse({ payload, cwd, home, depth: 0, receivedAt: 0 }).name !== 'unknown';
}

/** Whether this is an event as the ledger keeps it, rather than an agent's payload. */
function isStoredEvent(value: unknown): value is Event {
  const { name, agentEvent, session } = (value ?? {}) as Record<string, unknown>;
  return [name, agentEvent, session].every((field) => typeof field === 'string');
}
