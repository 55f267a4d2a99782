import { joined, own } from '../../engine/rule.ts';
import type { MessageValue, OwnWords } from '../../engine/rule.ts';
import { coverageOf } from './ac-sync.ts';
import type { Coverage } from './ac-sync.ts';
import type { IncrementTexts, Unread } from './increments.ts';
import { readSpec, tickedById } from './spec.ts';
import { countTasks, isComplete, readTasks } from './tasks.ts';
import type { CompleteWhen, Task, TaskCounts } from './tasks.ts';
import { unreadTasks } from './unread.ts';

/** What stands between an increment and its completion. */
export interface CompletionFacts {
  readonly tasks: TaskCounts;
  readonly criteria: { readonly total: number; readonly ticked: number };
  readonly openTasks: readonly Task[];
  /** Ids. */
  readonly openCriteria: readonly string[];
  /** Ticked criteria with open tasks. */
  readonly conflicts: readonly Coverage[];
  /** Why it cannot be told whether more is open. */
  readonly unclear: readonly string[];
  readonly isComplete: boolean;
}

/**
 * One of the two files may be missing: some increments have no tasks, others no criteria. Both missing is no sign of being
 * done, and neither is a file that cannot be read.
 */
export function completionFacts(texts: IncrementTexts, when: CompleteWhen): CompletionFacts {
  const all = readTasks(textOf(texts.tasks));
  const { criteria } = readSpec(textOf(texts.spec));
  const ticked = tickedById(criteria);
  const openCriteria = [...ticked].filter(([, isTicked]) => !isTicked).map(([id]) => id);
  const openTasks = all.filter((task) => !isComplete(task, when));
  const someTicked = new Set(criteria.filter((each) => each.ticked).map(({ id }) => id));
  const conflicts = [...coverageOf(all, when).values()].filter(
    ({ id, completed, total }) => completed < total && someTicked.has(id),
  );
  const unclear = whyUnclear(texts, all.length);
  return {
    tasks: countTasks(all, when),
    criteria: { total: ticked.size, ticked: ticked.size - openCriteria.length },
    openTasks,
    openCriteria,
    conflicts,
    unclear,
    isComplete: openTasks.length + openCriteria.length + conflicts.length + unclear.length === 0,
  };
}

function textOf(text: string | Unread | undefined): string {
  return typeof text === 'string' ? text : '';
}

function whyUnclear({ tasks, spec }: IncrementTexts, count: number): string[] {
  if (tasks === undefined && spec === undefined) return ['it has neither tasks.md nor spec.md'];
  const unread = [
    ...(typeof tasks === 'object' ? [`tasks.md ${tasks.problem}`] : []),
    ...(typeof spec === 'object' ? [`spec.md ${spec.problem}`] : []),
  ];
  const [first] = count === 0 ? unreadTasks(textOf(tasks)) : [];
  return first === undefined ? unread : [...unread, `no task of tasks.md can be read: ${first}`];
}

/** `2 open tasks (T-001, T-002), 1 unticked criterion (AC-US1-01)`; at most three ids of each, empty when all is complete. */
export function describeOpen({ openTasks, openCriteria, conflicts, unclear }: CompletionFacts): OwnWords {
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
    ...unclear.map((each) => own(each)),
  ];
  return joined(
    parts.filter((part) => part !== undefined),
    ', ',
  );
}

function listed(one: string, many: string, ids: readonly string[]): OwnWords | undefined {
  if (ids.length === 0) return undefined;
  const some = joined(ids.slice(0, 3).map(idOf), ', ');
  return own`${ids.length} ${own(ids.length === 1 ? one : many)} (${some}${own(ids.length > 3 ? ', …' : '')})`;
}

/** As both kinds of files write ids; whatever else stands in their place is quoted. */
export function idOf(id: string): MessageValue {
  return /^[A-Z]{1,4}-[\w-]{1,30}$/.test(id) ? own(id) : id;
}
