import { replyWriter } from '../write-reply.ts';
import type { Enforce } from '../write-reply.ts';
import { CAPABILITIES } from './capabilities.ts';
import { EVENTS } from './names.ts';

const block: Enforce = (_, reason) => ({ top: { decision: 'block', reason } });

/** A field that the client does not know makes it drop the whole reply. */
export const render = replyWriter({
  events: EVENTS,
  capabilities: CAPABILITIES,
  // The client puts more than 2,500 tokens into a file and hands over its name.
  cap: 9000,
  enforce: {
    'tool.before': ({ action, input }, reason) => {
      if (action !== 'rewrite') return { own: { permissionDecision: 'deny', permissionDecisionReason: reason } };
      return input === undefined ? {} : { own: { permissionDecision: 'allow', updatedInput: input } };
    },
    'permission.request': ({ action }, reason) => {
      if (action === 'ask') return {};
      const message = action === 'deny' ? reason : undefined;
      return { own: { decision: { behavior: action, message } } };
    },
    'prompt.submit': block,
    'turn.stop': block,
    'subagent.stop': block,
  },
});
