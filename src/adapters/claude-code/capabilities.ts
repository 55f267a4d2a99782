import type { EventName } from '../../event/event.ts';
import type { Capabilities } from '../adapter.ts';
import { SHOWN, SILENT, TOLD } from '../usual-reach.ts';

/** The client acts on a deny and shows or passes on nothing else; notes beside a deny go along with its reason. */
const STOPPABLE: Capabilities = { ...SILENT, deny: 'enforced' };

/**
 * What becomes of each verdict on each event. A text counts as shown only where client 2.1.325 was seen to show it:
 * it accepts a message to the person on every event and drops it on many.
 * `rewrite` exists before a tool call only: on a permission request it would have to grant the call.
 * `allow` is never a default; where it is `none` the event has nothing to grant.
 */
export const CAPABILITIES: Readonly<Record<EventName, Capabilities>> = {
  'session.start': TOLD,
  'session.setup': TOLD,
  'session.end': SILENT,
  'prompt.submit': { ...TOLD, deny: 'enforced' },
  'prompt.expand': { ...TOLD, deny: 'enforced' },
  'tool.before': { ...TOLD, allow: 'enforced', rewrite: 'enforced', ask: 'enforced', deny: 'enforced' },
  'tool.after': TOLD,
  'tool.failed': TOLD,
  // A block here ends the loop before the model hears of it, so a deny is told instead.
  'tool.batch': TOLD,
  // The dialog is the asking: an ask leaves it alone.
  'permission.request': { ...STOPPABLE, allow: 'enforced', ask: 'enforced' },
  'permission.denied': SILENT,
  // A deny keeps the turn going. So does a note: the model gets it in one more request.
  'turn.stop': { ...TOLD, deny: 'enforced' },
  'subagent.stop': { ...TOLD, deny: 'enforced', warn: 'none' },
  // The client ignores every output.
  'turn.failed': SILENT,
  'subagent.start': { ...TOLD, warn: 'none' },
  'teammate.idle': STOPPABLE,
  'task.created': STOPPABLE,
  'task.completed': STOPPABLE,
  // Any output, JSON too, joins the instructions for the summary: the place for a note and for nothing else.
  'compact.before': { ...STOPPABLE, note: 'advised' },
  'compact.after': SHOWN,
  'model.before': { ...SHOWN, allow: 'enforced', ask: 'enforced', deny: 'enforced' },
  'model.after': TOLD,
  // The client takes context here and passes it to nobody.
  notification: SILENT,
  // A deny declines in the person's place; its reason has no reader.
  elicitation: STOPPABLE,
  'elicitation.result': STOPPABLE,
  'config.changed': STOPPABLE,
  'instructions.loaded': SILENT,
  // Any output is taken for the path of the work tree.
  'worktree.create': SILENT,
  'worktree.remove': SILENT,
  'cwd.changed': SILENT,
  'file.changed': SILENT,
  'directory.added': SILENT,
  // Runs for every few lines on the screen; an output could only replace them.
  'message.display': SILENT,
  unknown: SILENT,
};
