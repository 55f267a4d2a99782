import type { Event, EventName } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { isNeutral } from '../../event/verdict.ts';
import type { Reply } from '../adapter.ts';
import { EMPTY_REPLY } from '../adapter.ts';
import { spread } from '../spread.ts';
import { joinWithin } from '../text.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { EVENTS } from './names.ts';

/** The client puts more than 2,500 tokens into a file and hands over its name. */
const CONTEXT_CAP = 9000;

/** What is undefined in it is not written. A field that the client does not know makes it drop the whole reply. */
type Output = Record<string, unknown>;
type Form = { readonly top?: Output; readonly own?: Output };
type Enforce = (decision: Decision, reason: string) => Form;

const block: Enforce = (_, reason) => ({ top: { decision: 'block', reason } });

/** One for each event on which something is enforced. */
const ENFORCE: Partial<Readonly<Record<EventName, Enforce>>> = {
  'tool.before': ({ action, input }, reason) => {
    if (action !== 'rewrite') return { own: { permissionDecision: 'deny', permissionDecisionReason: reason } };
    return input === undefined ? {} : { own: { permissionDecision: 'allow', updatedInput: input } };
  },
  'permission.request': ({ action }, reason) => {
    if (action === 'ask') return {};
    const message = action === 'deny' ? reason : undefined;
    return { own: { decision: { behavior: action, message } } };
  },
  'prompt.submit': block,
  'turn.stop': block,
  'subagent.stop': block,
};

const NAMES: ReadonlyMap<EventName, string> = new Map(EVENTS.map(({ name, canonical }) => [canonical, name]));

export function render(decision: Decision, event: Event): Reply {
  if (isNeutral(decision)) return EMPTY_REPLY;
  const { reason, model, person } = spread(decision, CAPABILITIES[event.name] ?? SILENT, CONTEXT_CAP);
  const { top, own }: Form = reason === undefined ? {} : (ENFORCE[event.name]?.(decision, reason) ?? {});
  const systemMessage = joinWithin(person, CONTEXT_CAP) || undefined;
  const additionalContext = joinWithin(model, CONTEXT_CAP) || undefined;
  const hasOwn = own !== undefined || additionalContext !== undefined;
  if (!hasOwn && top === undefined && systemMessage === undefined) return EMPTY_REPLY;
  const specific = hasOwn ? { hookEventName: NAMES.get(event.name), ...own, additionalContext } : undefined;
  try {
    return { stdout: JSON.stringify({ systemMessage, ...top, hookSpecificOutput: specific }), exitCode: 0 };
  } catch {
    // Only a rule's new input can be something JSON does not know; the rest of the decision still goes out.
    const { input: _, ...rest } = decision;
    return decision.input === undefined ? EMPTY_REPLY : render(rest, event);
  }
}
