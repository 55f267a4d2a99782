import type { Line } from '../../text/markdown.ts';
import { boxOf, frontMatterOf, proseLines } from './markdown.ts';

/** One acceptance criterion of spec.md. */
export interface Criterion {
  readonly id: string;
  readonly text: string;
  readonly ticked: boolean;
  /** Where the character in its box stands in the text. */
  readonly at: number;
  /** The story it stands under, else the one its id names, if the spec has that one. */
  readonly story?: string;
}

export interface Story {
  readonly id: string;
  readonly title: string;
  readonly priority?: string;
  /** What is said before the criteria. */
  readonly lines: readonly string[];
}

export interface Spec {
  readonly frontMatter: ReadonlyMap<string, string>;
  /** The first heading. */
  readonly title?: string;
  readonly overview: readonly string[];
  readonly stories: readonly Story[];
  readonly criteria: readonly Criterion[];
}

const ID = /^(?:\*\*)?`?(AC-[A-Z0-9-]+)`?/;
const STORY = /^US-(\d+[A-Z]?)(?![\w-])[ \t]*:?[ \t]*/;
const CRITERIA_LABEL = /^\*\*Acceptance Criteria/i;
const PRIORITY_LINE = /^\*\*Priority\*\*:[ \t]*(\S+)/;
const PRIORITY_IN_TITLE = / \((P\d)\)$/;
const OVERVIEW = /^(?:quick |executive )?(?:overview|summary)\b/i;
const NO_FIELDS: ReadonlyMap<string, string> = new Map();

type StoryDraft = { id: string; title: string; priority?: string; lines: string[] };
type CriterionDraft = { -readonly [Key in keyof Criterion]: Criterion[Key] };

/** Any text is fine; what is neither a story nor a criterion is passed over. */
export function readSpec(text: string): Spec {
  const stories: StoryDraft[] = [];
  const criteria: CriterionDraft[] = [];
  const intro: string[] = [];
  const overview: string[] = [];
  let title: string | undefined;
  let story: { readonly draft: StoryDraft; readonly level: number; told: boolean } | undefined;
  let section: string[] | undefined;
  for (const line of proseLines(text)) {
    const { heading } = line;
    if (heading) {
      if (story && heading.level <= story.level) story = undefined;
      else if (story) story.told = true;
      section = undefined;
      const found = heading.level < 2 ? undefined : storyOf(heading.text);
      if (found) {
        stories.push(found);
        story = { draft: found, level: heading.level, told: false };
      } else if (title === undefined && heading.level === 1) {
        title = heading.text;
        section = intro;
      } else if (overview.length === 0 && OVERVIEW.test(heading.text)) section = overview;
      continue;
    }
    const criterion = criterionOf(line);
    if (criterion) {
      criteria.push(story ? { ...criterion, story: story.draft.id } : criterion);
      if (story) story.told = true;
    } else if (story) tell(story, line.text.trim());
    else section?.push(line.text.trimEnd());
  }
  const byNumber = new Map(stories.toReversed().map(({ id }) => [Number.parseInt(id.slice(3), 10), id]));
  for (const criterion of criteria) {
    const named = criterion.story ?? byNumber.get(storyNumberIn(criterion.id));
    if (named !== undefined) criterion.story = named;
  }
  return {
    frontMatter: frontMatterOf(text)?.fields ?? NO_FIELDS,
    ...(title === undefined ? {} : { title }),
    overview: withoutEmptyEnds(overview.some((each) => each !== '') ? overview : intro),
    stories: stories.map((each) => ({ ...each, lines: withoutEmptyEnds(each.lines) })),
    criteria,
  };
}

/** Ids in the order of the text; an id that stands twice is ticked when all its boxes are. */
export function tickedById(criteria: readonly Criterion[]): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  for (const { id, ticked } of criteria) found.set(id, (found.get(id) ?? true) && ticked);
  return found;
}

export function criterionOf(line: Line): Criterion | undefined {
  const box = boxOf(line);
  if (!box) return undefined;
  const item = line.text.slice(box.at - line.at + 2).trim();
  const start = ID.exec(item);
  const text = start === null ? undefined : textAfterId(item.slice(start[0].length));
  if (text === undefined) return undefined;
  return { id: start?.[1] as string, text, ticked: box.ticked, at: box.at };
}

/** Between id and colon stand at most the end of bold and a parenthesis, in either order. */
function textAfterId(rest: string): string | undefined {
  let left = rest;
  for (let bold = false, parenthesis = false; ;) {
    left = left.trimStart();
    if (left.startsWith(':')) return left.slice(1).replace(/^\*\*/, '').trim();
    if (!bold && left.startsWith('**')) {
      bold = true;
      left = left.slice(2);
    } else if (!parenthesis && left.startsWith('(') && left.includes(')')) {
      parenthesis = true;
      left = left.slice(left.indexOf(')') + 1);
    } else return undefined;
  }
}

function storyOf(heading: string): StoryDraft | undefined {
  const match = STORY.exec(heading);
  if (match === null) return undefined;
  const whole = heading.slice(match[0].length);
  const priority = PRIORITY_IN_TITLE.exec(whole)?.[1];
  const title = priority === undefined ? whole : whole.slice(0, -priority.length - 3).trimEnd();
  return { id: `US-${match[1]}`, title, lines: [], ...(priority === undefined ? {} : { priority }) };
}

function tell(story: { readonly draft: StoryDraft; told: boolean }, text: string): void {
  const priority = PRIORITY_LINE.exec(text)?.[1];
  if (priority !== undefined) story.draft.priority ??= priority;
  else if (CRITERIA_LABEL.test(text)) story.told = true;
  else if (!story.told) story.draft.lines.push(text);
}

/** `AC-US1-02` belongs to the story with the number 1. */
function storyNumberIn(id: string): number {
  return Number(/^AC-US(\d+)[A-Z]?-/.exec(id)?.[1]);
}

function withoutEmptyEnds(lines: readonly string[]): string[] {
  const isFull = (line: string) => line.trim() !== '' && !/^[ \t]*-{3,}[ \t]*$/.test(line);
  return lines.slice(Math.max(lines.findIndex(isFull), 0), lines.findLastIndex(isFull) + 1);
}
