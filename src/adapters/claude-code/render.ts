import type { Event, EventName } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { isNeutral } from '../../event/verdict.ts';
import type { Reply } from '../adapter.ts';
import { EMPTY_REPLY } from '../adapter.ts';
import { spread } from '../spread.ts';
import { joinWithin } from '../text.ts';
import { CAPABILITIES } from './capabilities.ts';
import { ownName } from './names.ts';

/** The client replaces a longer text by a file name; 10,000 is its limit, the rest is margin. */
export const CONTEXT_CAP = 9000;

/** What is undefined in it is not written. */
type Output = Record<string, unknown>;

/** How an enforced verdict is written: at the top level, or in the event's own part. */
interface Form {
  readonly top?: Output;
  readonly own?: Output;
}

type Enforce = (decision: Decision, reason: string) => Form;

const block: Enforce = (_, reason) => ({ top: { decision: 'block', reason } });

const decline: Enforce = () => ({ own: { action: 'decline' } });

const permission: Enforce = ({ action }, reason) => ({
  own: { permissionDecision: action, permissionDecisionReason: given(reason) },
});

const toolPermission: Enforce = (decision, reason) => {
  const { action } = decision;
  const updatedInput = newInput(decision);
  if (action === 'rewrite') return updatedInput === undefined ? {} : { own: { updatedInput } };
  return { own: { permissionDecision: action, permissionDecisionReason: given(reason), updatedInput } };
};

const answerRequest: Enforce = (decision, reason) => {
  if (decision.action === 'ask') return {};
  if (decision.action === 'deny') return { own: { decision: { behavior: 'deny', message: reason } } };
  return { own: { decision: { behavior: 'allow', updatedInput: newInput(decision) } } };
};

/** One entry for each event that `CAPABILITIES` calls `enforced`. */
const ENFORCE: Partial<Readonly<Record<EventName, Enforce>>> = {
  'tool.before': toolPermission,
  'permission.request': answerRequest,
  'model.before': permission,
  'prompt.submit': block,
  'prompt.expand': block,
  'turn.stop': block,
  'subagent.stop': block,
  'teammate.idle': block,
  'task.created': block,
  'task.completed': block,
  'compact.before': block,
  'config.changed': block,
  elicitation: decline,
  'elicitation.result': decline,
};

/** The client takes the output of these events as it stands, JSON included, unless it blocks. */
const BARE: ReadonlySet<EventName> = new Set(['compact.before', 'compact.after']);

/** Writes a decision in the client's words; what the event cannot carry degrades as `CAPABILITIES` says. */
export function render(decision: Decision, event: Event): Reply {
  if (isNeutral(decision)) return EMPTY_REPLY;
  const { reason, model, person } = spread(decision, CAPABILITIES[event.name], CONTEXT_CAP);
  const form: Form = reason === undefined ? {} : (ENFORCE[event.name]?.(decision, reason) ?? {});
  if (BARE.has(event.name)) {
    // A blocked compaction has no use for the notes meant for its summary.
    const text =
      form.top === undefined ? asText(joinWithin([...model, ...person], CONTEXT_CAP)) : JSON.stringify(form.top);
    return { stdout: text, exitCode: 0 };
  }
  const systemMessage = given(joinWithin(person, CONTEXT_CAP));
  const additionalContext = given(joinWithin(model, CONTEXT_CAP));
  const hasOwn = form.own !== undefined || additionalContext !== undefined;
  if (!hasOwn && form.top === undefined && systemMessage === undefined) return EMPTY_REPLY;
  const own = hasOwn ? { hookEventName: ownName(event.name), ...form.own, additionalContext } : undefined;
  try {
    return { stdout: JSON.stringify({ systemMessage, ...form.top, hookSpecificOutput: own }), exitCode: 0 };
  } catch {
    // Only a rule's new input can be something JSON does not know; the rest of the decision still goes out.
    const { input: _, ...rest } = decision;
    return decision.input === undefined ? EMPTY_REPLY : render(rest, event);
  }
}

function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** The client replaces the whole input, so the whole is sent; a stopped call needs none. */
function newInput({ action, input }: Decision): unknown {
  return action === 'deny' ? undefined : input;
}

/** A leading brace would make the client read the text as JSON. */
function asText(text: string): string {
  return /^\s*\{/.test(text) ? `Note: ${text}` : text;
}
