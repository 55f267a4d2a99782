import { LAST_REMINDER } from '../../command-cells.ts';
import { dateOf, isDate } from '../../dates.ts';
import { contextPath, REMINDERS_FILE } from '../../files.ts';
import {
  addReminder,
  dismissReminders,
  highestId,
  isDue,
  parseStore,
  remindersIn,
  storeText,
} from '../../reminders.ts';
import type { Reminder, ReminderStore } from '../../reminders.ts';
import { changeState } from '../../../../cli/change-state.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../../../../cli/command.ts';
import type { CliWorld, Command, VerbFile } from '../../../../cli/command.ts';
import { requireContext, workspaceCell } from '../context-place.ts';
import type { ContextPlace } from '../context-place.ts';
import { alone, editContextFile, readExactly } from '../edit-context.ts';
import { counted, printableLine, printTable } from '../../../../cli/table.ts';

const MAX_IDS = 1_000;

export const add: Command = {
  summary: 'leave a reminder for sessions to come',
  usage: '<text>',
  details: 'It is shown in every session of this project, from the day of --after on, until it is dismissed.',
  args: [1, 1],
  options: { after: { type: 'string', value: 'YYYY-MM-DD', help: 'not before this day' }, ...JSON_OPTION },
  async run(input, world) {
    const message = (input.args[0] ?? '').replaceAll(/\s+/g, ' ').trim();
    if (message === '') throw new UsageError('a reminder wants a text');
    const after = input.text('after') ?? null;
    if (after !== null && !isDate(after))
      throw new UsageError(`--after wants a day such as 2026-03-10, not "${after}"`);
    const place = requireContext(world);
    const created = new Date(world.engine().clock.now()).toISOString();
    const reminder = await alone(world, place, () => {
      let made: Reminder | undefined;
      editStore(place, (store) => {
        const added = addReminder(store, idsGiven(world, place, store), { message, after, created });
        // Ahead of the file: an id that was kept and not used is lost, one that was used and not kept would come again.
        keepId(world, place, added.reminder.id);
        made = added.reminder;
        return added.store;
      });
      return made;
    });
    if (input.has('json')) return printJson(world, reminder);
    world.out(`Reminder ${reminder?.id}${after === null ? '' : `, from ${after} on`}: ${printableLine(message)}\n`);
  },
};

export const list: Command = {
  summary: 'the reminders of this project',
  options: JSON_OPTION,
  run(input, world) {
    const place = requireContext(world);
    const path = contextPath(place.root, REMINDERS_FILE);
    const today = dateOf(world.engine().clock.now());
    const all = remindersIn(readStore(path, readExactly(path)));
    if (input.has('json'))
      return printJson(
        world,
        all.map((reminder) => ({ ...reminder, due: isDue(reminder, today) })),
      );
    if (all.length === 0) return world.out('No reminders.\n');
    printTable(
      world,
      [{ title: 'id', align: 'right' }, { title: 'due' }, { title: 'text', shrinksTo: 20 }],
      all.map((reminder) => [reminder.id, isDue(reminder, today) ? 'now' : `${reminder.after}`, reminder.message]),
    );
  },
};

export const dismiss: Command = {
  summary: 'take reminders away',
  usage: '<id>…',
  args: [0, MAX_IDS],
  options: { all: { type: 'boolean', help: 'every one' }, ...JSON_OPTION },
  async run(input, world) {
    const ids = input.has('all') ? ('all' as const) : input.args.map(toId);
    if (ids === 'all' && input.args.length > 0) throw new UsageError('give ids or --all, not both');
    if (ids.length === 0) throw new UsageError('expected <id>… or --all');
    const place = requireContext(world);
    const { dismissed, unknown } = await alone(world, place, () => {
      let result: ReturnType<typeof dismissReminders> | undefined;
      editStore(place, (store) => {
        keepId(world, place, idsGiven(world, place, store));
        result = dismissReminders(store, ids);
        return result.store;
      });
      return result ?? { dismissed: [], unknown: [] };
    });
    if (input.has('json')) printJson(world, { dismissed: dismissed.map(({ id }) => id), unknown });
    else {
      world.out(
        `${counted(dismissed.length, 'reminder')} dismissed${dismissed.length === 0 ? '' : `: ${dismissed.map(({ id }) => id).join(', ')}`}.\n`,
      );
      if (unknown.length > 0)
        world.err(`No reminder has the id ${unknown.join(', ')}; \`fairlead remind list\` shows them.\n`);
    }
    return unknown.length > 0 ? 1 : 0;
  },
};

function toId(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id)) throw new UsageError(`"${text}" is no id of a reminder`);
  return id;
}

function readStore(path: string, text: string | undefined): ReminderStore {
  const store = parseStore(text);
  if (!store) throw new CommandError(`${path} is not a JSON list; mend it first`);
  return store;
}

/** A change that leaves nothing different leaves the file as it was, down to its spaces. */
function editStore(place: ContextPlace, change: (store: ReminderStore) => ReminderStore): void {
  const path = contextPath(place.root, REMINDERS_FILE);
  editContextFile(place, REMINDERS_FILE, (before) => {
    const store = readStore(path, before);
    const after = change(store);
    return after.length === store.length ? before : storeText(after);
  });
}

/** The highest id that is, or was, in use. */
function idsGiven(world: CliWorld, place: ContextPlace, store: ReminderStore): number {
  const kept = changeState(world, (draft) => workspaceCell(LAST_REMINDER, draft, place).get());
  return Math.max(highestId(store), typeof kept === 'number' ? kept : 0);
}

function keepId(world: CliWorld, place: ContextPlace, id: number): void {
  changeState(world, (draft) => {
    const cell = workspaceCell(LAST_REMINDER, draft, place);
    if ((cell.get() ?? 0) < id) cell.set(id);
  });
}

export default {
  order: 250,
  groups: { remind: 'reminders for sessions to come: add, list, dismiss' },
  verbs: { 'remind add': add, 'remind list': list, 'remind dismiss': dismiss },
} satisfies VerbFile;
