import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';
import { SHOWN, SILENT, TOLD } from '../usual-reach.ts';

/** What becomes of each verdict, as client 0.61.0 was seen to do it. An event that is not here has no channel. */
export const CAPABILITIES: Readonly<Partial<Record<EventName, Capabilities>>> = {
  'session.start': TOLD,
  'session.end': SHOWN,
  'prompt.submit': { ...TOLD, deny: 'enforced' },
  // Where nobody sits at it, an ask ends the whole run without a word; nothing tells whether somebody does.
  'tool.before': { ...SILENT, rewrite: 'enforced', ask: 'denied', deny: 'enforced', warn: 'person' },
  'tool.after': TOLD,
  'tool.failed': TOLD,
  // A deny keeps the turn going with its reason; there is no other room for words.
  'turn.stop': { ...SILENT, deny: 'enforced', warn: 'person' },
};
