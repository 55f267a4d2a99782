import type { RelayRecord } from '../event/follow-up.ts';
import type { Policy, Seen } from '../engine/engine.ts';
import type { UnfitMessage } from '../engine/advice/messages.ts';
import type { Delivery, DeliveryOptions } from './delivery.ts';

/** What rules, jobs and observers say to those outside the session. */
export interface Relay {
  /** Takes the records of an event; whoever wants them gets them after the reply. */
  see(seen: Seen): void;
  /** `policy` is the one in force at the record's root, where that is at hand. */
  take(record: RelayRecord, policy?: Policy): void;
  /** Resolves when nothing is left to send. */
  idle(): Promise<void>;
  close(): void;
}

export interface RelayOptions extends Omit<DeliveryOptions, 'isOff' | 'isResident'> {
  /** The record that `fairlead log` shows. */
  log(record: RelayRecord): void;
  policyAt(root: string): Promise<Policy>;
  isOff(now: number): boolean;
  /** For a process that stays: runs work when the replies at hand are out. Without it `idle` does the work. */
  afterReply?(work: () => void): void;
}

interface Waiting {
  readonly record: RelayRecord;
  readonly policy: Policy | undefined;
}

/** Every record is logged; where nobody subscribed, that is all, and nothing that could send is loaded. */
export function createRelay(options: RelayOptions): Relay {
  const { policyAt, now, onFailure, afterReply } = options;
  const isOff = () => options.isOff(now());
  const reported = new WeakSet<readonly UnfitMessage[]>();
  let waiting: Waiting[] = [];
  let delivery: Delivery | undefined;
  let handing = Promise.resolve();
  let isDue = false;
  let isClosed = false;

  async function load(): Promise<Delivery> {
    const { createDelivery } = await import('./delivery.ts');
    return createDelivery({ ...options, isOff, isResident: afterReply !== undefined });
  }

  async function handOver(): Promise<void> {
    isDue = false;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        const { relay } = next.policy ?? (await policyAt(next.record.root));
        if (!relay || isOff()) continue;
        delivery ??= await load();
        if (isClosed) return;
        delivery.take(next.record, relay);
      } catch (error) {
        onFailure('relaying a record', error);
      }
    }
  }

  async function report(unfit: readonly UnfitMessage[]): Promise<void> {
    try {
      const { recordsOf } = await import('./unfit-messages.ts');
      for (const record of recordsOf(unfit, options.store, now())) take(record);
    } catch (error) {
      onFailure('noting messages that do not fit', error);
    }
  }

  const handAll = () => (handing = handing.then(handOver));

  function take(record: RelayRecord, policy?: Policy): void {
    options.log(record);
    if (isClosed || record.isLogOnly === true || (policy && !policy.relay)) return;
    waiting.push({ record, policy });
    if (isDue || !afterReply) return;
    isDue = true;
    afterReply(() => void handAll());
  }

  return {
    see({ followUps, place }) {
      for (const followUp of followUps)
        if (followUp.kind === 'relay')
          // An event that touches several workspaces is judged by the settings of the first.
          take(followUp.record, followUp.record.root === place.project ? place.policy : undefined);
      const { unfit } = place.policy;
      if (unfit === undefined || reported.has(unfit)) return;
      reported.add(unfit);
      handing = handing.then(() => report(unfit));
    },
    take,
    async idle() {
      await handAll();
      await delivery?.idle();
    },
    close() {
      isClosed = true;
      waiting = [];
      delivery?.close();
    },
  };
}
