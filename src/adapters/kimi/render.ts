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

/** Of a reply that stops, the client shows a message instead of the reason: so the reason holds all. */
export function render(decision: Decision, event: Event): Reply {
  if (isNeutral(decision)) return EMPTY_REPLY;
  const { reason, model } = spread(decision, CAPABILITIES[event.name] ?? SILENT, CONTEXT_CAP);
  const text = joinWithin(reason === undefined ? model : [reason, ...model], CONTEXT_CAP);
  if (text === '') return EMPTY_REPLY;
  const denial = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: text } };
  return { stdout: JSON.stringify(reason === undefined ? { message: text } : denial), exitCode: 0 };
}
