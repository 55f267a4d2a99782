import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';

const SILENT: Capabilities = { allow: 'none', rewrite: 'none', ask: 'none', deny: 'none', note: 'none', warn: 'none' };

/** No channel to the model: every text is shown to the person. */
const SHOWN: Capabilities = { ...SILENT, ask: 'person', deny: 'person', note: 'person', warn: 'person' };

/** The model reads context here, but what happened cannot be taken back. */
const TOLD: Capabilities = { ...SHOWN, ask: 'advised', deny: 'advised', note: 'advised' };

/**
 * What becomes of each verdict on each event.
 * `rewrite` exists before a tool call only: on a permission request it would have to grant the call.
 * `allow` is never a default; where it is `none` the event has nothing to grant.
 */
export const CAPABILITIES: Readonly<Record<EventName, Capabilities>> = {
  'session.start': TOLD,
  'session.setup': TOLD,
  'session.end': SHOWN,
  'prompt.submit': { ...TOLD, deny: 'enforced' },
  'prompt.expand': { ...TOLD, deny: 'enforced' },
  'tool.before': { ...TOLD, allow: 'enforced', rewrite: 'enforced', ask: 'enforced', deny: 'enforced' },
  'tool.after': TOLD,
  'tool.failed': TOLD,
  // A block here ends the loop before the model hears of it, so a deny is told instead.
  'tool.batch': TOLD,
  // The dialog is the asking: an ask leaves it alone and says why.
  'permission.request': { ...SHOWN, allow: 'enforced', ask: 'enforced', deny: 'enforced' },
  'permission.denied': SHOWN,
  // A deny keeps the turn going. So does a note: the model gets it in one more request.
  'turn.stop': { ...TOLD, deny: 'enforced' },
  'subagent.stop': { ...TOLD, deny: 'enforced' },
  // The client ignores every output.
  'turn.failed': SILENT,
  'subagent.start': TOLD,
  'teammate.idle': { ...SHOWN, deny: 'enforced' },
  'task.created': { ...SHOWN, deny: 'enforced' },
  'task.completed': { ...SHOWN, deny: 'enforced' },
  // A note joins the instructions for the summary; the question of an ask has no place in them.
  'compact.before': { ...SHOWN, deny: 'enforced', note: 'advised' },
  'compact.after': SHOWN,
  'model.before': { ...SHOWN, allow: 'enforced', ask: 'enforced', deny: 'enforced' },
  'model.after': TOLD,
  notification: TOLD,
  elicitation: { ...SHOWN, deny: 'enforced' },
  'elicitation.result': { ...SHOWN, deny: 'enforced' },
  'config.changed': { ...SHOWN, deny: 'enforced' },
  'instructions.loaded': SHOWN,
  // Any output is taken for the path of the work tree.
  'worktree.create': SILENT,
  'worktree.remove': SHOWN,
  'cwd.changed': SHOWN,
  'file.changed': SHOWN,
  'directory.added': SHOWN,
  // Runs for every few lines on the screen; an output could only replace them.
  'message.display': SILENT,
  unknown: SILENT,
};
