import type { Event, EventName } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { isNeutral } from '../../event/verdict.ts';
import type { Reach, Reply } from '../adapter.ts';
import { EMPTY_REPLY } from '../adapter.ts';
import { cutAtLine, joinWithin } from '../text.ts';
import { CAPABILITIES } from './capabilities.ts';
import { ownName } from './names.ts';

/** The client replaces a longer text by a file name; 10,000 is its limit, the rest is margin. */
export const CONTEXT_CAP = 9000;

type Output = Record<string, unknown>;

/** How an enforced verdict is written: at the top level, in the event's own part, or as a word to the person. */
interface Form {
  readonly top?: Output;
  readonly own?: Output;
  readonly person?: string;
}

type Enforce = (decision: Decision, reason: string) => Form;

const block: Enforce = (_, reason) => ({ top: { decision: 'block', reason } });

const decline: Enforce = (_, reason) => ({ own: { action: 'decline' }, person: reason });

const permission: Enforce = (decision, reason) => ({
  own:
    decision.action === 'rewrite'
      ? {}
      : { permissionDecision: decision.action, ...some('permissionDecisionReason', reason) },
});

const toolPermission: Enforce = (decision, reason) => ({
  own: { ...permission(decision, reason).own, ...newInput(decision) },
});

const answerRequest: Enforce = (decision, reason) => {
  if (decision.action === 'ask') return { person: reason };
  if (decision.action === 'deny') return { own: { decision: { behavior: 'deny', message: reason } } };
  return { own: { decision: { behavior: 'allow', ...newInput(decision) } } };
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

/** Writes a decision in the client's words; what the event cannot carry degrades as `CAPABILITIES` says. */
export function render(decision: Decision, event: Event): Reply {
  if (isNeutral(decision)) return EMPTY_REPLY;
  const reach = CAPABILITIES[event.name];
  const model: string[] = [];
  const person: string[] = [];
  const channels: Partial<Record<Reach, string[]>> = { advised: model, person };

  let form: Form = {};
  if (decision.action !== 'pass') {
    const reason = cutAtLine(reasonOf(decision), CONTEXT_CAP);
    const how = reach[decision.action];
    if (how === 'enforced') form = ENFORCE[event.name]?.(decision, reason) ?? {};
    else channels[how]?.push(reason);
  }
  if (form.person !== undefined) person.push(form.person);
  for (const warn of decision.warns) channels[reach.warn]?.push(warn.text);
  // A blocked compaction needs no instructions, and its reply has no field for them.
  const noteChannel = event.name === 'compact.before' && form.top !== undefined ? person : channels[reach.note];
  for (const note of decision.notes) noteChannel?.push(note.text);

  const context = joinWithin(model, CONTEXT_CAP);
  // Instructions for the summary are the bare output, so a warning beside them cannot be shown.
  if (event.name === 'compact.before' && context !== '') return { stdout: plain(context), exitCode: 0 };
  const own = { ...form.own, ...some('additionalContext', context) };
  const output: Output = { ...some('systemMessage', joinWithin(person, CONTEXT_CAP)), ...form.top };
  if (Object.keys(own).length > 0) output['hookSpecificOutput'] = { hookEventName: ownName(event.name), ...own };
  if (Object.keys(output).length === 0) return EMPTY_REPLY;
  try {
    return { stdout: JSON.stringify(output), exitCode: 0 };
  } catch {
    // Only a rule's new input can be something JSON does not know; the rest of the decision still goes out.
    const { input: _, ...rest } = decision;
    return decision.input === undefined ? EMPTY_REPLY : render(rest, event);
  }
}

function some(key: string, text: string): Output {
  return text === '' ? {} : { [key]: text };
}

/** The client replaces the whole input, so the whole is sent; a stopped call needs none. */
function newInput(decision: Decision): Output {
  return decision.input === undefined || decision.action === 'deny' ? {} : { updatedInput: decision.input };
}

/** An allow or a rewrite needs no reason; what holds the agent up always gives one. */
function reasonOf(decision: Decision): string {
  if (decision.reason) return decision.reason;
  const rule = decision.by[0] === undefined ? 'a rule' : `the rule ${decision.by[0]}`;
  if (decision.action === 'deny') return `Stopped by ${rule}.`;
  return decision.action === 'ask' ? `Held for confirmation by ${rule}.` : '';
}

/** A leading brace would make the client read the text as JSON. */
function plain(text: string): string {
  return /^\s*\{/.test(text) ? `Note: ${text}` : text;
}
