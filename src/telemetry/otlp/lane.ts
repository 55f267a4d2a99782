import type { Outbox, OutboxState } from '../../ledger/outbox.ts';
import type { MachineKey } from '../record/machine-key.ts';
import type { Backoff } from './backoff.ts';
import type { Outcome } from './receiver.ts';
import type { OtlpSettings } from './settings.ts';

/** The way of one signal to the receiver. */
export interface Lane {
  readonly backoff: Backoff;
  /** One request. */
  send(state: OutboxState, items: readonly Uint8Array[], settings: OtlpSettings, key?: string): Promise<Outcome>;
  /** What the machine signs its records with, or why it cannot. */
  keyOf(state: OutboxState): MachineKey | { readonly problem: string };
  now(): number;
  /** The process ends: what comes back by now counts for nothing. */
  isEnding(): boolean;
  onFailure(what: string, error: unknown): void;
}

/** The log of failures gets the first of a row. */
export function tellProblem(lane: Lane, outbox: Outbox, problem: string, isNew: boolean): void {
  if (isNew) lane.onFailure('sending to the OTLP receiver', problem);
  outbox.failed(problem, lane.now());
}
