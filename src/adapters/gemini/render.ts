import { replyWriter } from '../write-reply.ts';
import type { Enforce } from '../write-reply.ts';
import { CAPABILITIES } from './capabilities.ts';
import { EVENTS } from './names.ts';

const deny: Enforce = (_, reason) => ({ top: { decision: 'deny', reason } });

export const render = replyWriter({
  events: EVENTS,
  capabilities: CAPABILITIES,
  // The client takes texts of any length.
  cap: 9000,
  enforce: {
    'tool.before': (decision, reason) => {
      if (decision.action !== 'rewrite') return deny(decision, reason);
      return decision.input === undefined ? {} : { own: { tool_input: decision.input } };
    },
    'prompt.submit': deny,
    'turn.stop': deny,
  },
});
