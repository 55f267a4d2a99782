import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';
import { SILENT } from '../usual-reach.ts';

/**
 * What becomes of each verdict, as client 2.1.0 was seen to do it. It waits for hooks on few events, and reads what they say on three.
 * An event that is not here has no channel.
 */
export const CAPABILITIES: Readonly<Partial<Record<EventName, Capabilities>>> = {
  // Shown to the person and given to the model.
  'prompt.submit': { ...SILENT, ask: 'advised', deny: 'enforced', note: 'advised', warn: 'advised' },
  'tool.before': { ...SILENT, ask: 'denied', deny: 'enforced' },
  // A deny keeps the turn going with its reason, once in a turn.
  'turn.stop': { ...SILENT, deny: 'enforced' },
};
