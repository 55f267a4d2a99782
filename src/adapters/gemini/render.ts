import type { Event, EventName } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { isNeutral } from '../../event/verdict.ts';
import type { Reply } from '../adapter.ts';
import { comesAs, EMPTY_REPLY } from '../adapter.ts';
import { spread } from '../spread.ts';
import { joinWithin } from '../text.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { EVENTS } from './names.ts';

/** The client takes texts of any length. */
const CONTEXT_CAP = 9000;

const NAMES: ReadonlyMap<EventName, string> = new Map(
  EVENTS.flatMap((event) => comesAs(event).map((name) => [name, event.name] as const)),
);

/** What is undefined in it is not written. */
export function render(decision: Decision, event: Event): Reply {
  if (isNeutral(decision)) return EMPTY_REPLY;
  const { reason, model, person } = spread(decision, CAPABILITIES[event.name] ?? SILENT, CONTEXT_CAP);
  const isRewrite = decision.action === 'rewrite';
  const stops = reason !== undefined && !isRewrite;
  const input = reason !== undefined && isRewrite ? decision.input : undefined;
  const systemMessage = joinWithin(person, CONTEXT_CAP) || undefined;
  const additionalContext = joinWithin(model, CONTEXT_CAP) || undefined;
  const hasOwn = input !== undefined || additionalContext !== undefined;
  if (!stops && !hasOwn && systemMessage === undefined) return EMPTY_REPLY;
  const own = hasOwn ? { hookEventName: NAMES.get(event.name), tool_input: input, additionalContext } : undefined;
  const top = stops ? { decision: 'deny', reason } : {};
  try {
    return { stdout: JSON.stringify({ systemMessage, ...top, hookSpecificOutput: own }), exitCode: 0 };
  } catch {
    // Only a rule's new input can be something JSON does not know; the rest of the decision still goes out.
    const { input: _, ...rest } = decision;
    return decision.input === undefined ? EMPTY_REPLY : render(rest, event);
  }
}
