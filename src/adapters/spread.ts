import type { Decision } from '../event/verdict.ts';
import type { Capabilities, Reach } from './adapter.ts';
import { joinWithin } from './text.ts';

/** What of a decision goes where. */
export interface Spread {
  /** Of an action that the agent carries out: why. Absent where it carries out none. */
  readonly reason?: string;
  readonly model: readonly string[];
  readonly person: readonly string[];
}

/** Where the agent cannot do what was decided, its text goes where one is read. */
export function spread(decision: Decision, reach: Capabilities, cap: number): Spread {
  const { action, notes, warns } = decision;
  const model: string[] = [];
  const person: string[] = [];
  const channels: Partial<Record<Reach, string[]>> = { advised: model, person };
  const texts = notes.map((note) => note.text);
  let carried: string | undefined;
  if (action !== 'pass' && action !== 'save') {
    const how = reach[action];
    const isCarried = how === 'enforced' || how === 'denied';
    const told = isCarried && reach.note === 'none' && (action === 'deny' || how === 'denied') ? texts : [];
    const reason = joinWithin([reasonOf(decision), ...told], cap);
    if (isCarried) carried = reason;
    else channels[how]?.push(reason);
  }
  for (const warn of warns) channels[reach.warn]?.push(warn.text);
  channels[reach.note]?.push(...texts);
  return carried === undefined ? { model, person } : { reason: carried, model, person };
}

/** An allow or a rewrite needs no reason; what holds the agent up always gives one. */
function reasonOf({ action, by, reason }: Decision): string {
  if (reason !== undefined && reason.trim() !== '') return reason;
  const rule = by[0] === undefined ? 'a rule' : `the rule ${by[0]}`;
  if (action === 'deny') return `Stopped by ${rule}.`;
  return action === 'ask' ? `Held for confirmation by ${rule}.` : '';
}
