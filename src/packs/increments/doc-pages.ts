import type { DocPage } from './doc-blocks.ts';
import type { Increment } from './increments.ts';
import { isActive } from './metadata.ts';
import type { Spec, Story } from './spec.ts';
import { isComplete } from './tasks.ts';
import type { CompleteWhen, Task } from './tasks.ts';

/** Makes a link out of an absolute path. */
type LinkTo = (path: string) => string;

interface Titled {
  readonly feature: string;
  readonly increments: readonly Documented[];
  readonly now: string;
}

/** An increment with what its pages are made of. */
export interface Documented extends Increment {
  readonly spec: Spec;
  readonly title: string;
  /** Paths of the story pages, by story. */
  readonly pages: ReadonlyMap<Story, string>;
}

const NO_PRIORITY = 'none';

/** The block of a story page names its increment, since two increments may both have a US-001. */
export function partOf(id: string, story: Story): string {
  return `${id}/${story.id}`;
}

export function describeFeature(
  { feature, increments, now }: Titled,
  specOf: (increment: Increment) => string,
  activeStatuses: readonly string[],
  linkTo: LinkTo,
): DocPage {
  const first = increments[0];
  const stories = increments.flatMap(({ spec, pages }) =>
    spec.stories.map((story) => `- [${text(`${story.id}: ${story.title}`)}](${linkTo(pages.get(story) ?? '')})`),
  );
  const rows = increments.map(
    (increment) =>
      `| [${cell(increment.id)}](${linkTo(specOf(increment))}) | ${cell(increment.title)} | ${cell(statusOf(increment))} |`,
  );
  const overview = increments.find(({ spec }) => spec.overview.length > 0)?.spec.overview ?? [];
  const created = increments.flatMap((each) => each.created ?? []).toSorted()[0] ?? now;
  return {
    part: 'feature',
    fields: {
      id: feature,
      title: first?.title ?? feature,
      type: first?.metadata?.type ?? first?.spec.frontMatter.get('type') ?? 'feature',
      status: featureStatus(increments, activeStatuses),
      priority: priorityOf(first),
      created,
      lastUpdated: now,
    },
    kept: increments.some((each) => each.created !== undefined) ? [] : ['created'],
    moving: ['lastUpdated'],
    lines: [
      `# ${feature}: ${text(first?.title ?? '')}`,
      '',
      '## Overview',
      '',
      ...(overview.length > 0 ? overview : ['The specs of its increments give none.']),
      '',
      '## Increments',
      '',
      '| Increment | Title | Status |',
      '|---|---|---|',
      ...rows,
      '',
      '## User stories',
      '',
      ...(stories.length > 0 ? stories : ['None yet.']),
    ],
  };
}

export function describePointer({ feature, increments }: Titled, featurePath: string, linkTo: LinkTo): DocPage {
  const title = increments[0]?.title ?? feature;
  return {
    part: 'readme',
    lines: [
      `# ${feature}: ${text(title)}`,
      '',
      `User stories of this project for the feature. What it is about: [FEATURE.md](${linkTo(featurePath)}).`,
    ],
  };
}

export function describeStory(
  parts: {
    readonly story: Story;
    readonly increment: Documented;
    readonly feature: string;
    readonly tasks: readonly Task[];
    readonly when: CompleteWhen;
    readonly now: string;
  },
  targets: { readonly spec: string; readonly tasks: string },
  linkTo: LinkTo,
): DocPage {
  const { story, increment, feature, when, now } = parts;
  const criteria = increment.spec.criteria.filter((each) => each.story === story.id);
  const ids = new Set(criteria.map(({ id }) => id));
  const tasks = parts.tasks.filter(
    (task) => task.stories.includes(story.id) || task.criteria.some((id) => ids.has(id)),
  );
  const boxes = [...criteria.map(({ ticked }) => ticked), ...tasks.map((task) => isComplete(task, when))];
  const done = boxes.filter(Boolean).length;
  const status = done === 0 ? 'planning' : done === boxes.length ? 'completed' : 'active';
  return {
    part: partOf(increment.id, story),
    fields: {
      id: story.id,
      feature,
      title: story.title || story.id,
      status,
      priority: story.priority ?? priorityOf(increment),
      created: increment.created ?? now,
    },
    kept: increment.created === undefined ? ['created'] : [],
    lines: [
      `# ${story.id}: ${text(story.title)}`,
      '',
      ...(story.lines.length > 0 ? [...story.lines, ''] : []),
      '## Acceptance criteria',
      '',
      ...orNone(criteria.map(({ id, ticked, text: said }) => `- ${box(ticked)} **${id}**: ${said}`)),
      '',
      '## Increment',
      '',
      `[${text(increment.id)}](${linkTo(targets.spec)})`,
      '',
      '## Tasks',
      '',
      ...orNone(
        tasks.map(
          (task) =>
            `- ${box(isComplete(task, when))} [${task.id}](${linkTo(targets.tasks)})${task.title ? `: ${task.title}` : ''}`,
        ),
      ),
    ],
  };
}

function statusOf({ standing }: Increment): string {
  return standing.status ?? 'unknown';
}

/** What is still worked on decides; else what all increments agree on. */
function featureStatus(increments: readonly Documented[], activeStatuses: readonly string[]): string {
  const known = increments.map(statusOf);
  const open = increments.find(({ standing }) => isActive(standing.status, activeStatuses));
  if (open) return statusOf(open);
  return known.find((status) => status !== 'completed') ?? known[0] ?? 'unknown';
}

function priorityOf(increment: Documented | undefined): string {
  return increment?.spec.frontMatter.get('priority') || increment?.metadata?.priority || NO_PRIORITY;
}

function box(ticked: boolean): string {
  return ticked ? '[x]' : '[ ]';
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length > 0 ? lines : ['None yet.'];
}

/** A title inside a link. */
function text(title: string): string {
  return title.replaceAll('[', '\\[').replaceAll(']', '\\]');
}

function cell(title: string): string {
  return text(title).replaceAll('|', '\\|');
}
