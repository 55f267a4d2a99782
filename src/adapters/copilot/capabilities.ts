import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';
import { SILENT } from '../usual-reach.ts';

/** The model reads context here. The client shows nothing of a hook to a person but questions and why a prompt was stopped. */
const TOLD: Capabilities = { ...SILENT, ask: 'advised', deny: 'advised', note: 'advised' };

/** What becomes of each verdict, as client 1.0.102 was seen to do it. An event that is not here has no channel. */
export const CAPABILITIES: Readonly<Partial<Record<EventName, Capabilities>>> = {
  'session.start': TOLD,
  'prompt.submit': { ...TOLD, deny: 'enforced' },
  // Where nobody sits at it, the client itself makes a denial of a question.
  'tool.before': { ...TOLD, allow: 'enforced', rewrite: 'enforced', ask: 'enforced', deny: 'enforced' },
  'tool.after': TOLD,
  'tool.failed': TOLD,
  // It comes also where the client was told to ask nobody; there the call would run.
  'permission.request': { ...SILENT, allow: 'enforced', ask: 'denied', deny: 'enforced' },
  // A deny keeps the turn going with its reason; there is no other room for words.
  'turn.stop': { ...SILENT, deny: 'enforced' },
  'subagent.start': TOLD,
  'subagent.stop': { ...SILENT, deny: 'enforced' },
};
