import { defineRule, joined, marker, own, record } from '../../engine/rule.ts';
import type { OwnWords, Turn } from '../../engine/rule.ts';
import { flat } from '../../text/quoted.ts';
import { shorten } from '../../text/shorten.ts';
import { MADE_HERE } from './command-cells.ts';
import { CONTEXT_DIR, contextPath, REMINDERS_FILE } from './files.ts';
import { nudge } from './nudge.ts';
import { oneOf, readGroup } from './options.ts';
import { isOwn } from './own.ts';
import { contextKey, contextRoot } from './place.ts';
import { dueReminders, parseStore } from './reminders.ts';
import type { Reminder } from './reminders.ts';
import { isLongAgo } from './repeat.ts';
import { ifWhole } from './whole.ts';

const DEFAULTS = { repeat: 'changed', again_after: 20 };
const MAX_BYTES = 1 << 20;
const MAX_SHOWN = 6;
/** All the stored text that one nudge shows. */
const MAX_CHARS = 420;

interface Shown {
  readonly ids: readonly number[];
  /** The prompt of the session at which they were shown. */
  readonly prompt: Turn;
}

export default defineRule({
  id: 'context/check-reminders',
  pack: 'context',
  summary: 'Shows reminders of the project that are due.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  nudge: 'deferrable',
  priority: 75,
  state: {
    shown: record<Shown>('context.reminders_shown'),
    today: marker('context.day.reminders', { scope: 'day' }),
    made: MADE_HERE,
  },
  options: { reminders: DEFAULTS },
  messages: {
    reminders:
      'Reminders of this project are due; quoted is what was written down:\n{reminderList}\nNext: fairlead remind dismiss <id>, when one is settled',
  },
  expect: { tool: 'shell', words: ['remind dismiss'], within: 40, until: 'session' },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const path = contextPath(root, REMINDERS_FILE);
    if (context.files.stat(path) === undefined) return context.pass('no reminders');
    if (!isOwn(context, root)) return context.pass('the reminders came with the repository, which is not trusted');
    const text = context.files.readText(path, MAX_BYTES);
    const store = text === undefined ? undefined : parseStore(text);
    if (!store) return context.pass(`${CONTEXT_DIR}/${REMINDERS_FILE} cannot be read`, 'remark');
    const due = dueReminders(store, context.today);
    if (due.length === 0) return context.pass('none is due');
    const { repeat, again_after: wait } = readGroup(context.options.reminders, DEFAULTS);
    const how = oneOf(repeat, ['changed', 'always', 'daily']);
    const { shown, today } = context.state;
    const here = contextKey(context.workspace, root);
    // Each context of a workspace numbers its own reminders.
    const keyOf = ({ id }: Reminder) => `${here}:${id}`;
    const before = ifWhole(shown.get(here), { ids: [] });
    const isNew = {
      always: () => true,
      changed: () => due.some(({ id }) => !before?.ids.includes(id)) || isLongAgo(before?.prompt, context.turn, wait),
      daily: () => due.some((one) => !today.isSet(keyOf(one))),
    }[how]();
    if (!isNew) return context.pass('shown before');
    shown.set({ ids: due.map(({ id }) => id), prompt: context.turn }, here);
    if (how === 'daily') for (const one of due) today.first(keyOf(one));
    return nudge(context, root, {
      variant: 'reminders',
      values: { reminderList: listOf(due) },
      relayed: { due: due.length },
    });
  },
});

/** The text is somebody's, so it stands in quotes, each on one line. */
function listOf(due: readonly Reminder[]): OwnWords {
  const shown = due.slice(0, MAX_SHOWN);
  const most = Math.floor(MAX_CHARS / shown.length);
  const lines = shown.map(({ id, message }) => own`[${id}] ${shorten(flat(message), most)}`);
  const rest = due.length - shown.length;
  return joined([...lines, ...(rest > 0 ? [own`and ${rest} more: fairlead remind list`] : [])], '\n');
}
