import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';

export const SILENT: Capabilities = {
  allow: 'none',
  rewrite: 'none',
  ask: 'none',
  deny: 'none',
  note: 'none',
  warn: 'none',
};

/** No channel to the model: every text is shown to the person. */
const SHOWN: Capabilities = { ...SILENT, ask: 'person', deny: 'person', note: 'person', warn: 'person' };

/** The model reads context here, but what happened cannot be taken back. */
const TOLD: Capabilities = { ...SHOWN, ask: 'advised', deny: 'advised', note: 'advised' };

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
