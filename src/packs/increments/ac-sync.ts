import { parseObject, setMembers } from '../../text/json-text.ts';
import { readSpec } from './spec.ts';
import type { Criterion } from './spec.ts';
import { isComplete } from './tasks.ts';
import type { CompleteWhen, Task } from './tasks.ts';

/** How far the tasks that name a criterion are. */
export interface Coverage {
  readonly id: string;
  readonly completed: number;
  readonly total: number;
}

export interface CriteriaSync {
  /** spec.md as it should be; the very text that was given when nothing changes. */
  readonly text: string;
  /** Criteria that were ticked. */
  readonly changes: readonly Coverage[];
  /** Criteria that are ticked although tasks are open. They stay so: whoever ticked them may know more. */
  readonly conflicts: readonly Coverage[];
  readonly warnings: readonly string[];
}

/** One entry of `acSyncEvents` in metadata.json. */
export interface SyncEvent {
  readonly timestamp: string;
  readonly updated: readonly string[];
  readonly conflicts: readonly string[];
  readonly warnings: readonly string[];
  readonly changesCount: number;
}

const KEPT_EVENTS = 20;

/** Ticks the criteria whose tasks are all complete. Only the character in a box changes, and only from open to ticked. */
export function syncCriteria(tasks: readonly Task[], specText: string, when: CompleteWhen): CriteriaSync {
  const { criteria } = readSpec(specText);
  const coverage = coverageOf(tasks, when);
  const byId = new Map<string, Criterion[]>();
  for (const criterion of criteria) {
    const same = byId.get(criterion.id);
    if (same) same.push(criterion);
    else byId.set(criterion.id, [criterion]);
  }
  const boxes: Criterion[] = [];
  const changes: Coverage[] = [];
  const conflicts: Coverage[] = [];
  const warnings: string[] = [];
  for (const [id, own] of byId) {
    const open = own.filter(({ ticked }) => !ticked);
    const covered = coverage.get(id);
    if (!covered)
      warnings.push(`${id}: ${open.length < own.length ? 'ticked by hand, no task names it' : 'no task names it'}`);
    else if (covered.completed < covered.total) {
      if (open.length < own.length) conflicts.push(covered);
    } else if (open.length > 0) {
      boxes.push(...open);
      changes.push(covered);
    }
  }
  for (const id of coverage.keys()) if (!byId.has(id)) warnings.push(`${id}: named in tasks.md, not in spec.md`);
  return { text: tickBoxes(specText, boxes), changes, conflicts, warnings };
}

/** `AC-US1-01: [ ] → [x] (2/2 tasks complete)` */
export function describeChange({ id, completed, total }: Coverage): string {
  return `${id}: [ ] → [x] (${completed}/${total} tasks complete)`;
}

export function describeConflict({ id, completed, total }: Coverage): string {
  return `${id}: ticked, but only ${completed}/${total} tasks complete`;
}

/**
 * metadata.json with this run in its history and the time as last activity. The very text that was given when there is
 * nothing to tell: no change, and the same conflicts and warnings as the last time. It is for what has happened, so spec.md
 * is written first.
 */
export function recordSync(
  metadataText: string,
  { changes, conflicts, warnings }: Omit<CriteriaSync, 'text'>,
  timestamp: string,
): string {
  const events = parseObject(metadataText)?.['acSyncEvents'];
  const before = Array.isArray(events) ? (events as readonly unknown[]) : [];
  const last = before[0] as Partial<Record<keyof SyncEvent, unknown>> | null | undefined;
  const event: SyncEvent = {
    timestamp,
    updated: changes.map(({ id }) => id),
    conflicts: conflicts.map(describeConflict),
    warnings,
    changesCount: changes.length,
  };
  // A conflict is the same one while its tasks make progress.
  const isKnown =
    sameSet(idsOf(last?.conflicts), idsOf(event.conflicts)) && sameSet(textsOf(last?.warnings), event.warnings);
  if (changes.length === 0 && isKnown) return metadataText;
  const acSyncEvents = [event, ...before].slice(0, KEPT_EVENTS);
  return setMembers(metadataText, { lastActivity: timestamp, acSyncEvents }) ?? metadataText;
}

export function coverageOf(tasks: readonly Task[], when: CompleteWhen): ReadonlyMap<string, Coverage> {
  const found = new Map<string, Coverage>();
  for (const task of tasks) {
    for (const id of task.criteria) {
      const { completed, total } = found.get(id) ?? { completed: 0, total: 0 };
      found.set(id, { id, completed: completed + (isComplete(task, when) ? 1 : 0), total: total + 1 });
    }
  }
  return found;
}

function tickBoxes(text: string, boxes: readonly Criterion[]): string {
  if (boxes.length === 0) return text;
  let ticked = '';
  let from = 0;
  for (const { at } of boxes.toSorted((a, b) => a.at - b.at)) {
    ticked += `${text.slice(from, at)}x`;
    from = at + 1;
  }
  return ticked + text.slice(from);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function idsOf(value: unknown): readonly string[] {
  return textsOf(value).map((text) => text.split(':', 1)[0] ?? text);
}

function sameSet(some: readonly string[], others: readonly string[]): boolean {
  return [...new Set(some)].toSorted().join('\n') === [...new Set(others)].toSorted().join('\n');
}
