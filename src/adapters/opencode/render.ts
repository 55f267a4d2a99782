import type { Event } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import { isNeutral } from '../../event/verdict.ts';
import type { Reply } from '../adapter.ts';
import { EMPTY_REPLY } from '../adapter.ts';
import { spread } from '../spread.ts';
import { joinWithin } from '../text.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';

/** The client takes texts of any length. */
const CONTEXT_CAP = 9000;

/** What our plugin reads. */
export interface PluginReply {
  /** Why the call or the prompt is stopped, or the turn goes on. */
  readonly deny?: string;
  /** The whole new input of the call. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** For the model. */
  readonly note?: string;
  /** For the person. */
  readonly show?: string;
}

/** What is undefined in it is not written. */
export function render(decision: Decision, event: Event): Reply {
  if (isNeutral(decision)) return EMPTY_REPLY;
  const { reason, model, person } = spread(decision, CAPABILITIES[event.name] ?? SILENT, CONTEXT_CAP);
  const isRewrite = decision.action === 'rewrite';
  const reply: Partial<Record<keyof PluginReply, unknown>> = {
    deny: isRewrite ? undefined : reason,
    args: isRewrite && reason !== undefined ? decision.input : undefined,
    note: joinWithin(model, CONTEXT_CAP) || undefined,
    show: joinWithin(person, CONTEXT_CAP) || undefined,
  };
  if (Object.values(reply).every((value) => value === undefined)) return EMPTY_REPLY;
  try {
    return { stdout: JSON.stringify(reply), exitCode: 0 };
  } catch {
    // Only a rule's new input can be something JSON does not know; the rest of the decision still goes out.
    const { input: _, ...rest } = decision;
    return decision.input === undefined ? EMPTY_REPLY : render(rest, event);
  }
}
