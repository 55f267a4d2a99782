import type { Line, Markdown } from '../../text/markdown.ts';
import { boxOf, lineNumberAt, readProse } from './markdown.ts';
import { criterionOf } from './spec.ts';
import { CRITERIA, taskNamed } from './tasks.ts';

const MOST_NAMED = 10;
/** Any dash will do: some editors and agents write ones that look the same. */
const TASK_HEADING = /^ {0,3}#{1,6}(?:[^\p{L}\p{N}]|\d+\.|task\b)*T[-\u2010-\u2015\u2212](\d+[A-Z]?)/iu;
const TASK_ITEM = /^(?:[-*+][ \t]+)?(?:\[[ xX]\][ \t]+)?(?:\*\*)?T-(\d+[A-Z]?)(?:\*\*:|:|\*\*$)/;
const LABEL = /^(?:[-*+][ \t]+)?\*\*([^*]{1,60})\*\*/;
const CRITERION = /^(?:\*\*)?`?(AC-[A-Z0-9-]+)/;

/** What a person takes for a task of tasks.md, or for a part of one, and the parser does not. */
export function unreadTasks(text: string): readonly string[] {
  const prose = readProse(text);
  const known = new Set(prose.lines.flatMap(({ heading }) => (heading && taskNamed(heading)?.id) ?? []));
  // A line about a task that has its heading elsewhere is no second one.
  const isTask = (line: Line) => {
    const number = (TASK_HEADING.exec(line.text) ?? TASK_ITEM.exec(line.text))?.[1]?.toUpperCase();
    return number !== undefined && !known.has(`T-${number}`);
  };
  return [
    ...unreadLines(text, prose.lines.filter(isTask), 'a task'),
    ...unreadLines(text, prose.lines.filter(namesCriteria), 'the criteria of a task'),
    ...behindUnclosed(text, prose, /^ {0,3}#{2,6}[ \t]+.*\bT-\d/m, 'tasks'),
  ];
}

/** The same for the acceptance criteria of spec.md. */
export function unreadCriteria(text: string): readonly string[] {
  const prose = readProse(text);
  const known = new Set(prose.lines.flatMap((line) => criterionOf(line)?.id ?? []));
  const isCriterion = (line: Line) => {
    const box = boxOf(line);
    const id = box && CRITERION.exec(line.text.slice(box.at - line.at + 2).trimStart())?.[1];
    return id !== undefined && !known.has(id);
  };
  return [
    ...unreadLines(text, prose.lines.filter(isCriterion), 'a criterion'),
    ...behindUnclosed(text, prose, /^[ \t]*[-*+][ \t]+\[[ xX]\].*\bAC-/m, 'criteria'),
  ];
}

function namesCriteria({ text }: Line): boolean {
  const label = LABEL.exec(text);
  if (label === null || CRITERIA.test(text)) return false;
  return /\bACs?\b|acceptance criteria/i.test(label[1] ?? '') && /\bAC-[A-Z0-9]/.test(text.slice(label[0].length));
}

function unreadLines(text: string, lines: readonly Line[], what: string): string[] {
  const named = lines
    .slice(0, MOST_NAMED)
    .map(({ at }) => `line ${lineNumberAt(text, at)} looks like ${what} and is not read`);
  const others = lines.length - named.length;
  return others > 0 ? [...named, `${others} more lines look like ${what} and are not read`] : named;
}

function behindUnclosed(text: string, { unclosed }: Markdown, pattern: RegExp, what: string): string[] {
  if (!unclosed || !pattern.test(text.slice(unclosed.at))) return [];
  return [
    `line ${lineNumberAt(text, unclosed.at)} begins a ${unclosed.what} that never ends, so the ${what} after it are not read`,
  ];
}
