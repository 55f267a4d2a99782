import { completionFacts } from './completion.ts';
import { byAge, incrementIds, readIncrement, readTexts } from './increments.ts';
import type { ReadableFiles } from './increments.ts';
import { parseObject } from '../../text/json-text.ts';
import { nameOf } from './layout.ts';
import type { IncrementOptions } from './options.ts';

export interface StatusEntry {
  readonly id: string;
  readonly name: string;
  readonly completed: number;
  readonly total: number;
  readonly percentage: number;
  readonly acsCompleted: number;
  readonly acsTotal: number;
}

/** What `.specweave/state/status-line.json` holds. */
export interface StatusFile {
  readonly activeIncrements: readonly StatusEntry[];
  readonly openCount: number;
  readonly lastUpdate: string;
  readonly current: StatusEntry | null;
  readonly message?: string;
}

const SHOWN = 2;
export const NOTHING_ACTIVE = 'No active increment';

/** Counts afresh. Only the increments that are shown have their tasks read. */
export function countStatus(
  files: ReadableFiles,
  root: string,
  { activeStatuses, completeWhen }: Pick<IncrementOptions, 'activeStatuses' | 'completeWhen'>,
  lastUpdate: string,
): StatusFile {
  const active = incrementIds(files, root)
    .map((id) => readIncrement(files, root, id, activeStatuses))
    .filter((increment) => increment.active)
    .toSorted(byAge);
  const activeIncrements = active.slice(0, SHOWN).map(({ id }): StatusEntry => {
    const facts = completionFacts(readTexts(files, root, id), completeWhen);
    const { completed, total, percentage } = facts.tasks;
    const { ticked: acsCompleted, total: acsTotal } = facts.criteria;
    return { id, name: nameOf(id), completed, total, percentage, acsCompleted, acsTotal };
  });
  return {
    activeIncrements,
    openCount: active.length,
    lastUpdate,
    current: activeIncrements[0] ?? null,
    ...(active.length === 0 ? { message: NOTHING_ACTIVE } : {}),
  };
}

/** The file's new text; the one it has when only the time would change. */
export function statusText(before: string | undefined, status: StatusFile): string {
  const known = before === undefined ? undefined : parseObject(before);
  const same = known && JSON.stringify({ ...known, lastUpdate: '' }) === JSON.stringify({ ...status, lastUpdate: '' });
  return before !== undefined && same ? before : `${JSON.stringify(status, null, 2)}\n`;
}

/** Whatever the text is: entries that are not what they should be are left out. */
export function readStatus(text: string): StatusFile | undefined {
  const found = parseObject(text) as Partial<Record<keyof StatusFile, unknown>> | undefined;
  if (!found) return undefined;
  const given = Array.isArray(found.activeIncrements) ? (found.activeIncrements as readonly unknown[]) : [];
  const activeIncrements = given.flatMap(readEntry).slice(0, SHOWN);
  return {
    activeIncrements,
    openCount: Math.max(numberIn(found.openCount), activeIncrements.length),
    lastUpdate: typeof found.lastUpdate === 'string' ? found.lastUpdate : '',
    current: activeIncrements[0] ?? null,
    ...(typeof found.message === 'string' && found.message !== '' ? { message: found.message } : {}),
  };
}

function readEntry(value: unknown): StatusEntry[] {
  const entry = value as Partial<Record<keyof StatusEntry, unknown>> | null | undefined;
  if (typeof entry?.id !== 'string') return [];
  const { id, name } = entry;
  return [
    {
      id,
      name: typeof name === 'string' && name !== '' ? name : nameOf(id),
      completed: numberIn(entry.completed),
      total: numberIn(entry.total),
      percentage: numberIn(entry.percentage),
      acsCompleted: numberIn(entry.acsCompleted),
      acsTotal: numberIn(entry.acsTotal),
    },
  ];
}

function numberIn(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
