import type { Event, EventName } from '../event/event.ts';
import type { Decision } from '../event/verdict.ts';
import { isNeutral } from '../event/verdict.ts';
import type { AgentEvent, Capabilities, Reply } from './adapter.ts';
import { comesAs, EMPTY_REPLY } from './adapter.ts';
import { spread } from './spread.ts';
import { joinWithin } from './text.ts';
import { SILENT } from './usual-reach.ts';

/** What is undefined in it is not written. */
type Output = Record<string, unknown>;
type Form = { readonly top?: Output; readonly own?: Output };

/** How an agent is told to do what was decided: fields of the reply, and of what in it is for the event alone. */
export type Enforce = (decision: Decision, reason: string) => Form;

/** What there is to know of an agent that reads its replies as one object, with a part for the event alone. */
export interface ReplyWords {
  readonly events: readonly AgentEvent[];
  readonly capabilities: Readonly<Partial<Record<EventName, Capabilities>>>;
  /** The longest text that it takes as it is. */
  readonly cap: number;
  /** One for each event on which something is enforced. */
  readonly enforce: Partial<Readonly<Record<EventName, Enforce>>>;
}

export function replyWriter({ events, capabilities, cap, enforce }: ReplyWords) {
  const names: ReadonlyMap<EventName, string> = new Map(
    events.flatMap((event) => comesAs(event).map((name) => [name, event.name] as const)),
  );
  return function render(decision: Decision, event: Event): Reply {
    if (isNeutral(decision)) return EMPTY_REPLY;
    const { reason, model, person } = spread(decision, capabilities[event.name] ?? SILENT, cap);
    const { top, own }: Form = reason === undefined ? {} : (enforce[event.name]?.(decision, reason) ?? {});
    const systemMessage = joinWithin(person, cap) || undefined;
    const additionalContext = joinWithin(model, cap) || undefined;
    const hasOwn = own !== undefined || additionalContext !== undefined;
    if (!hasOwn && top === undefined && systemMessage === undefined) return EMPTY_REPLY;
    const specific = hasOwn ? { hookEventName: names.get(event.name), ...own, additionalContext } : undefined;
    try {
      return { stdout: JSON.stringify({ systemMessage, ...top, hookSpecificOutput: specific }), exitCode: 0 };
    } catch {
      // Only a rule's new input can be something JSON does not know; the rest of the decision still goes out.
      const { input: _, ...rest } = decision;
      return decision.input === undefined ? EMPTY_REPLY : render(rest, event);
    }
  };
}
