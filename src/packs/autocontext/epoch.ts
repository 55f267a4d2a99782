import { counter } from '../../engine/rule.ts';

/** How often the session's conversation was compacted: what was said in an earlier epoch is no longer before the agent. */
export const EPOCH = counter('autocontext.epoch');
