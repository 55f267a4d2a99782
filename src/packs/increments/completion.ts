import { coverageOf } from './ac-sync.ts';
import type { Coverage } from './ac-sync.ts';
import { readSpec, tickedById } from './spec.ts';
import { countTasks, isComplete, readTasks } from './tasks.ts';
import type { CompleteWhen, Task, TaskCounts } from './tasks.ts';

/** What stands between an increment and its completion. */
export interface CompletionFacts {
  readonly tasks: TaskCounts;
  readonly criteria: { readonly total: number; readonly ticked: number };
  readonly openTasks: readonly Task[];
  /** Ids. */
  readonly openCriteria: readonly string[];
  /** Ticked criteria with open tasks. */
  readonly conflicts: readonly Coverage[];
  readonly isComplete: boolean;
}

export interface IncrementTexts {
  readonly tasks?: string | undefined;
  readonly spec?: string | undefined;
}

/** A file that is missing has nothing open in it. */
export function completionFacts({ tasks = '', spec = '' }: IncrementTexts, when: CompleteWhen): CompletionFacts {
  const all = readTasks(tasks);
  const { criteria } = readSpec(spec);
  const ticked = tickedById(criteria);
  const openCriteria = [...ticked].filter(([, isTicked]) => !isTicked).map(([id]) => id);
  const openTasks = all.filter((task) => !isComplete(task, when));
  const someTicked = new Set(criteria.filter((each) => each.ticked).map(({ id }) => id));
  const conflicts = [...coverageOf(all, when).values()].filter(
    ({ id, completed, total }) => completed < total && someTicked.has(id),
  );
  return {
    tasks: countTasks(all, when),
    criteria: { total: ticked.size, ticked: ticked.size - openCriteria.length },
    openTasks,
    openCriteria,
    conflicts,
    isComplete: openTasks.length + openCriteria.length + conflicts.length === 0,
  };
}

/** `2 open tasks (T-001, T-002), 1 unticked criterion (AC-US1-01)`; at most three ids of each, empty when nothing is open. */
export function describeOpen({ openTasks, openCriteria, conflicts }: CompletionFacts): string {
  const parts = [
    listed(
      'open task',
      'open tasks',
      openTasks.map(({ id }) => id),
    ),
    listed('unticked criterion', 'unticked criteria', openCriteria),
    listed(
      'criterion ticked with tasks open',
      'criteria ticked with tasks open',
      conflicts.map(({ id }) => id),
    ),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function listed(one: string, many: string, ids: readonly string[]): string {
  if (ids.length === 0) return '';
  return `${ids.length} ${ids.length === 1 ? one : many} (${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''})`;
}
