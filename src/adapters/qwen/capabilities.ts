import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';
import { SILENT, TOLD } from '../usual-reach.ts';

/** The model is told. The client takes a message to the person on every event, and shows it at the end of a turn alone. */
const HEARD: Capabilities = { ...TOLD, warn: 'none' };

/** What becomes of each verdict, as client 0.24.4 was seen to do it. An event that is not here has no channel. */
export const CAPABILITIES: Readonly<Partial<Record<EventName, Capabilities>>> = {
  'session.start': HEARD,
  'prompt.submit': { ...HEARD, deny: 'enforced' },
  'prompt.expand': { ...HEARD, deny: 'enforced' },
  // It asks where somebody can answer, else it denies. A new input and words to the model have no effect; whether a call
  // is granted is settled before.
  'tool.before': { ...SILENT, ask: 'enforced', deny: 'enforced' },
  'tool.after': HEARD,
  'tool.failed': HEARD,
  // A block here ends the turn before the model hears of it, so a deny is told instead.
  'tool.batch': HEARD,
  // The dialog is the asking: an ask leaves it alone.
  'permission.request': { ...SILENT, allow: 'enforced', ask: 'enforced', deny: 'enforced' },
  // A deny keeps the turn going with its reason; there is no other room for words.
  'turn.stop': { ...SILENT, deny: 'enforced', warn: 'person' },
  'subagent.stop': { ...SILENT, deny: 'enforced' },
  // Joins the instructions for the summary.
  'compact.before': { ...SILENT, note: 'advised' },
};
