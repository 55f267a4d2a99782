import { nodeFiles } from '../../../platform/files.ts';
import type { CliWorld } from '../../../cli/command.ts';
import type { PackPage } from '../../../cli/pack-parts.ts';
import type { PackItem, PackView } from '../../../cli/page/shapes.ts';
import { quote } from '../../../shell/quote.ts';
import { completionFacts, describeOpen } from '../completion.ts';
import { incrementIds, readIncrement, readTexts } from '../increments.ts';
import type { Increment } from '../increments.ts';
import type { IncrementOptions } from '../options.ts';
import { readTasks, isComplete } from '../tasks.ts';
import { findIncrementsRoot, incrementOptions } from './increments-root.ts';

const MOST_SHOWN = 100;
const MOST_LINES = 40;

export const page: PackPage = { order: 20, title: 'Increments', show };

/** Active ones with their tasks; of the others how far they came. */
async function show(world: CliWorld): Promise<PackView> {
  const root = findIncrementsRoot(world.cwd, world.userHome);
  const options = root === undefined ? undefined : await incrementOptions(world, root);
  const ids = root === undefined ? [] : incrementIds(nodeFiles, root).toReversed();
  if (root === undefined || options === undefined || ids.length === 0)
    return { sections: [], start: { title: 'There is no increment here yet.', command: 'fairlead increment list' } };
  const all = ids.map((id) => readIncrement(nodeFiles, root, id, options.activeStatuses));
  const section = (isActive: boolean, title: string, none: string) => {
    const own = all.filter(({ active }) => active === isActive);
    const items = own.slice(0, MOST_SHOWN).map((increment) => itemOf(root, increment, options));
    return { title, none, items, more: own.length - items.length };
  };
  return {
    sections: [section(true, 'Active', 'No increment is active.'), section(false, 'Others', 'There are no others.')],
  };
}

function itemOf(root: string, increment: Increment, { completeWhen }: IncrementOptions): PackItem {
  const { id, standing, active, created } = increment;
  const texts = readTexts(nodeFiles, root, id);
  const facts = completionFacts(texts, completeWhen);
  const { tasks, criteria, unclear, conflicts, isComplete: isDone } = facts;
  const item: PackItem = {
    name: id,
    standing: standing.status ?? 'no status',
    ...(created !== undefined && { about: `since ${created.slice(0, 'yyyy-mm-dd'.length)}` }),
    progress: [
      { of: 'tasks', done: tasks.completed, total: tasks.total },
      { of: 'criteria', done: criteria.ticked, total: criteria.total },
    ].filter(({ total }) => total > 0),
  };
  if (!active) return item;
  const isUnclear = unclear.length > 0;
  return {
    ...item,
    edge: isDone ? 'save' : isUnclear || conflicts.length > 0 ? 'ask' : 'note',
    text: isDone ? 'Nothing is open.' : isUnclear ? unclear.join(', ') : `Open: ${describeOpen(facts).words}.`,
    lines: readTasks(typeof texts.tasks === 'string' ? texts.tasks : '')
      .slice(0, MOST_LINES)
      .map((task) => ({ text: `${task.id} ${task.title}`.trim(), isDone: isComplete(task, completeWhen) })),
    commands: [
      { label: 'All of it', text: `fairlead increment show ${quote(id)}` },
      ...(isDone ? [{ label: 'Complete it', text: `fairlead increment done ${quote(id)}` }] : []),
    ],
  };
}
