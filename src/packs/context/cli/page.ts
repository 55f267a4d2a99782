import { nodeFiles } from '../../../platform/files.ts';
import { join } from '../../../platform/paths.ts';
import type { CliWorld } from '../../../cli/command.ts';
import { counted } from '../../../cli/table.ts';
import type { PackPage } from '../../../cli/pack-parts.ts';
import type { PackItem, PackView } from '../../../cli/page/shapes.ts';
import { dateOf } from '../dates.ts';
import { ENTRY_FILES, newestEntries } from '../entries.ts';
import type { EntryKind } from '../entries.ts';
import { contextPath, isInitialised, JOURNAL_DIR, newestJournal, REMINDERS_FILE } from '../files.ts';
import { isDue, parseStore, remindersIn } from '../reminders.ts';
import { openTasks } from '../tasks.ts';
import { findContext } from './context-place.ts';

const MOST_TASKS = 100;
const MOST_ENTRIES = 30;
const MOST_JOURNAL = 5;
const JOURNAL_SIGNS = 600;
const MAX_BYTES = 1_048_576;

export const page: PackPage = { order: 30, title: 'Context', show };

/** What the agent is given of the project's memory: tasks, reminders, decisions, learnings, journal. */
function show(world: CliWorld): PackView {
  const root = findContext(world)?.root;
  if (root === undefined || !isInitialised(nodeFiles, root))
    return { sections: [], start: { title: 'This project has no context yet.', command: 'fairlead context init' } };
  const read = (name: string) => nodeFiles.readText(contextPath(root, name), MAX_BYTES) ?? '';
  const tasks = openTasks(read('TASKS.md'));
  return {
    sections: [
      {
        title: 'Open tasks',
        none: 'No task is open.',
        items:
          tasks.length === 0
            ? []
            : [
                {
                  name: counted(tasks.length, 'open task'),
                  ...(tasks.length > MOST_TASKS && { about: `the first ${MOST_TASKS} of TASKS.md` }),
                  lines: tasks.slice(0, MOST_TASKS).map((text) => ({ text, isDone: false })),
                },
              ],
      },
      { title: 'Reminders', none: 'There is no reminder.', items: reminders(read(REMINDERS_FILE), world) },
      { title: 'Decisions', none: 'No decision was written down.', items: entries('decision', read) },
      { title: 'Learnings', none: 'No learning was written down.', items: entries('learning', read) },
      { title: 'Journal', none: 'The journal is empty.', items: journal(root, read) },
    ],
  };
}

function reminders(text: string, world: CliWorld): readonly PackItem[] {
  const today = dateOf(world.engine().clock.now());
  return remindersIn(parseStore(text) ?? []).map((reminder) => {
    const isNow = isDue(reminder, today);
    return {
      name: reminder.message,
      standing: isNow ? 'due' : `from ${reminder.after} on`,
      edge: isNow ? 'ask' : 'note',
      commands: [{ label: 'Dismiss it', text: `fairlead remind dismiss ${reminder.id}` }],
    };
  });
}

function entries(kind: EntryKind, read: (name: string) => string): readonly PackItem[] {
  return newestEntries(read(ENTRY_FILES[kind]), MOST_ENTRIES).map(({ stamp, title }) => ({
    name: title || 'without a title',
    about: stamp.slice(0, 'yyyy-mm-dd'.length),
  }));
}

function journal(root: string, read: (name: string) => string): readonly PackItem[] {
  return newestJournal(nodeFiles, root, MOST_JOURNAL).map((name) => ({
    name: name.replace(/\.md$/, ''),
    text: read(join(JOURNAL_DIR, name)).trim().slice(0, JOURNAL_SIGNS),
  }));
}
