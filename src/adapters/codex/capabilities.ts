import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';
import { SHOWN, SILENT, TOLD } from '../usual-reach.ts';

/** What becomes of each verdict, as client 0.166.0 was seen to do it. An event that is not here has no channel. */
export const CAPABILITIES: Readonly<Partial<Record<EventName, Capabilities>>> = {
  'session.start': TOLD,
  'prompt.submit': { ...TOLD, deny: 'enforced' },
  // A hook that asks lets the call run, so an ask is a denial. A bare allow is refused, and the call asked about as ever.
  'tool.before': { ...TOLD, rewrite: 'enforced', ask: 'denied', deny: 'enforced' },
  'tool.after': TOLD,
  // The dialog is the asking: an ask leaves it alone.
  'permission.request': { ...SILENT, allow: 'enforced', ask: 'enforced', deny: 'enforced', warn: 'person' },
  // A deny keeps the turn going with its reason; there is no other room for words.
  'turn.stop': { ...SILENT, deny: 'enforced', warn: 'person' },
  'subagent.start': TOLD,
  'subagent.stop': { ...SILENT, deny: 'enforced', warn: 'person' },
  'compact.before': SHOWN,
  'compact.after': SHOWN,
};
