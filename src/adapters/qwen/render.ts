import { replyWriter } from '../write-reply.ts';
import type { Enforce } from '../write-reply.ts';
import { CAPABILITIES } from './capabilities.ts';
import { EVENTS } from './names.ts';

const block: Enforce = (_, reason) => ({ top: { decision: 'block', reason } });

export const render = replyWriter({
  events: EVENTS,
  capabilities: CAPABILITIES,
  // The client takes texts of any length on most events.
  cap: 9000,
  enforce: {
    // Of several hooks the last one has the decision, so that an allow of another would undo it. Not to go on holds whatever
    // others say, and is the end of this call alone.
    'tool.before': ({ action }, reason) => ({
      top: { continue: false, stopReason: reason },
      own: { permissionDecision: action === 'ask' ? 'ask' : 'deny', permissionDecisionReason: reason },
    }),
    'permission.request': ({ action }, reason) => {
      if (action === 'ask') return {};
      const message = action === 'deny' ? reason : undefined;
      return { own: { decision: { behavior: action, message } } };
    },
    'prompt.submit': block,
    'prompt.expand': block,
    'turn.stop': block,
    'subagent.stop': block,
  },
});
