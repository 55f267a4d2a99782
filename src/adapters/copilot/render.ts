import type { Event, EventName } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { isNeutral } from '../../event/verdict.ts';
import type { Reply } from '../adapter.ts';
import { EMPTY_REPLY } from '../adapter.ts';
import { spread } from '../spread.ts';
import { joinWithin } from '../text.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { PATCH_KEY } from './tool.ts';

/** The client cuts context after 10,240 characters. */
const CONTEXT_CAP = 9000;

/** What is undefined in it is not written. All fields stand at the top: one that stands deeper the client passes over. */
type Output = Record<string, unknown>;
type Enforce = (decision: Decision, reason: string, event: Event) => Output;

const block: Enforce = (_, reason) => ({ decision: 'block', reason });

/** One for each event on which something is enforced. */
const ENFORCE: Partial<Readonly<Record<EventName, Enforce>>> = {
  'tool.before'({ action, input }, reason, { tool }) {
    if (action !== 'rewrite') return { permissionDecision: action, permissionDecisionReason: reason || undefined };
    const isText = tool !== undefined && Object.hasOwn(tool.input, PATCH_KEY);
    return input === undefined ? {} : { modifiedArgs: isText ? input[PATCH_KEY] : input };
  },
  'permission.request': ({ action }, reason) =>
    action === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: reason },
  'prompt.submit': block,
  'turn.stop': block,
  'subagent.stop': block,
};

export function render(decision: Decision, event: Event): Reply {
  if (isNeutral(decision)) return EMPTY_REPLY;
  const { reason, model } = spread(decision, CAPABILITIES[event.name] ?? SILENT, CONTEXT_CAP);
  const done = reason === undefined ? {} : (ENFORCE[event.name]?.(decision, reason, event) ?? {});
  const additionalContext = joinWithin(model, CONTEXT_CAP) || undefined;
  const output = { ...done, additionalContext };
  try {
    const stdout = JSON.stringify(output);
    return stdout === '{}' ? EMPTY_REPLY : { stdout, exitCode: 0 };
  } catch {
    // Only a rule's new input can be something JSON does not know; the rest of the decision still goes out.
    const { input: _, ...rest } = decision;
    return decision.input === undefined ? EMPTY_REPLY : render(rest, event);
  }
}
