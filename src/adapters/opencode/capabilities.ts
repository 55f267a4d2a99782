import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';
import { SILENT, TOLD } from '../usual-reach.ts';

/** What becomes of each verdict, as client 1.18.18 was seen to do it. An event that is not here has no channel. */
export const CAPABILITIES: Readonly<Partial<Record<EventName, Capabilities>>> = {
  // Our plugin keeps the text for the first prompt of the session.
  'session.start': TOLD,
  'subagent.start': TOLD,
  'prompt.submit': { ...TOLD, deny: 'enforced' },
  // A plugin cannot have the client ask, and the model reads nothing before the result.
  'tool.before': { ...SILENT, rewrite: 'enforced', ask: 'denied', deny: 'enforced', warn: 'person' },
  'tool.after': TOLD,
  'tool.failed': TOLD,
  // A deny goes on with its reason as the next prompt.
  'turn.stop': { ...SILENT, deny: 'enforced', warn: 'person' },
  'compact.before': TOLD,
  'compact.after': TOLD,
};
