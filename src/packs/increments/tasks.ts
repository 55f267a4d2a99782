import type { Heading, Line } from '../../text/markdown.ts';
import { boxOf, proseLines } from './markdown.ts';

/** One task of tasks.md, with what its block says about being done. */
export interface Task {
  readonly id: string;
  readonly title: string;
  /** Ids of the acceptance criteria it names. */
  readonly criteria: readonly string[];
  readonly stories: readonly string[];
  readonly ticked: number;
  readonly unticked: number;
  /** What its `**Status**` line says, if it has one. */
  readonly status?: boolean;
}

/** `strict`: something is ticked and nothing is open. `status`: the `**Status**` line alone decides where there is one. */
export type CompleteWhen = 'strict' | 'status';

export interface TaskCounts {
  readonly total: number;
  readonly completed: number;
  readonly percentage: number;
}

const ID = /^(\*\*)?`?T-(\d+[A-Z]?)(?![\w-])`?(?:\*\*)?[ \t]*:?(?:\*\*)?[ \t]*/;
export const CRITERIA = labelled('AC|Satisfies ACs');
const STORIES = labelled('User Stor(?:y|ies)');
const STATUS = new RegExp(`${labelled('Status').source}[ \\t]*\\[([ xX])\\]`);
const COMPLETED = labelled('Completed');

/** `**Name**:` or `**Name:**`. */
function labelled(names: string): RegExp {
  return new RegExp(`\\*\\*(?:${names})(?:\\*\\*:|:\\*\\*)`);
}

interface Draft extends Omit<Task, 'criteria' | 'stories'> {
  criteria?: Set<string>;
  stories?: Set<string>;
  ticked: number;
  unticked: number;
  status?: boolean;
}

/** The tasks in a text, in its order. Any text is fine; what is no task is passed over. */
export function readTasks(text: string): readonly Task[] {
  const all: Draft[] = [];
  let open: { readonly task: Draft; readonly level: number }[] = [];
  for (const line of proseLines(text)) {
    const { heading } = line;
    if (heading) {
      open = open.filter(({ level }) => level < heading.level);
      const named = taskNamed(heading);
      if (!named) continue;
      const started: Draft = { ...named, ticked: 0, unticked: 0 };
      all.push(started);
      open.push({ task: started, level: heading.level });
    } else for (const { task } of open) readLine(line, task);
  }
  return all.map((task) => ({ ...task, criteria: [...(task.criteria ?? [])], stories: [...(task.stories ?? [])] }));
}

export function isComplete({ ticked, unticked, status }: Task, when: CompleteWhen): boolean {
  if (when === 'status' && status !== undefined) return status;
  return ticked > 0 && unticked === 0;
}

export function countTasks(tasks: readonly Task[], when: CompleteWhen): TaskCounts {
  const total = tasks.length;
  const completed = tasks.filter((task) => isComplete(task, when)).length;
  return { total, completed, percentage: total === 0 ? 0 : Math.floor((completed * 100) / total) };
}

/** The task that a heading begins. */
export function taskNamed({ level, text }: Heading): Pick<Task, 'id' | 'title'> | undefined {
  const found = level < 2 ? null : ID.exec(text);
  if (found === null) return undefined;
  const title = text.slice(found[0].length);
  const isBoldToTheEnd = found[1] !== undefined && title.endsWith('**') && !title.slice(0, -2).includes('**');
  return { id: `T-${found[2]}`, title: isBoldToTheEnd ? title.slice(0, -2) : title };
}

function readLine(line: Line, task: Draft): void {
  const { text } = line;
  const mark = (ticked: boolean) => {
    if (ticked) task.ticked += 1;
    else task.unticked += 1;
  };
  const box = boxOf(line);
  if (box) mark(box.ticked);
  if (!text.includes('**')) return;

  const status = STATUS.exec(text);
  if (status !== null) {
    const ticked = status[1] !== ' ';
    mark(ticked);
    task.status = (task.status ?? true) && ticked;
  }
  const completed = after(text, COMPLETED)?.trim() ?? '';
  if (completed !== '' && completed !== '[ ]') mark(true);
  for (const id of criteriaIn(after(text, CRITERIA) ?? '')) (task.criteria ??= new Set()).add(id);
  for (const [id] of (after(text, STORIES) ?? '').matchAll(/US-\d+[A-Z]?/g)) (task.stories ??= new Set()).add(id);
}

function after(text: string, label: RegExp): string | undefined {
  const found = label.exec(text);
  return found === null ? undefined : text.slice(found.index + found[0].length);
}

function criteriaIn(text: string): string[] {
  return text
    .split(/[\s,]/)
    .map((item) => withoutPunctuation(item.replace(/^(?:\*\*|`)+/, '')))
    .filter((item) => item.startsWith('AC-'));
}

function withoutPunctuation(item: string): string {
  let end = item.length;
  while (end > 0 && /[^A-Za-z0-9]/.test(item[end - 1] as string)) end -= 1;
  return item.slice(0, end);
}
