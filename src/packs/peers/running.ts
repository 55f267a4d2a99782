import { callName, flag, record } from '../../engine/rule.ts';
import type { Cells, Event } from '../../engine/rule.ts';
import type { Target } from './targets.ts';

/** A call that would change files and of which nobody has heard yet whether it ran. */
interface Running {
  readonly id: string;
  readonly targets: readonly Target[];
}

const MOST_RUNNING = 8;
const MOST_TARGETS = 20;

export const RUNNING = {
  running: record<readonly Running[]>('peers.running', { ttl: '1h' }),
  /** Wakes the rule that hears of the end. */
  anyRunning: flag('peers.any-running', { ttl: '1h' }),
} as const;

type Memory = Cells<typeof RUNNING>;

export function holdRunning(memory: Memory, event: Event, targets: readonly Target[]): void {
  if (targets.length === 0) return;
  const begun = targets.slice(0, MOST_TARGETS).map((target) => ({ ...target, since: event.receivedAt }));
  const call = { id: event.tool ? callName(event.tool) : '', targets: begun };
  memory.running.set([call, ...(memory.running.get() ?? [])].slice(0, MOST_RUNNING));
  memory.anyRunning.set();
}

export function takeRunning(memory: Memory, event: Event): readonly Target[] {
  const before = memory.running.get() ?? [];
  const id = event.tool ? callName(event.tool) : '';
  const call = before.find((each) => each.id === id);
  if (!call) return [];
  const others = before.filter((each) => each !== call);
  if (others.length > 0) memory.running.set(others);
  else {
    memory.running.clear();
    memory.anyRunning.clear();
  }
  return call.targets;
}
