import { basename, dirname, join, posix } from 'node:path';
import { writePage, markRemoved, partsIn } from './doc-blocks.ts';
import type { Written } from './doc-blocks.ts';
import { incrementIds, readIncrement, readWatched, readWhole } from './increments.ts';
import type { Increment, ReadableFiles } from './increments.ts';
import { parseObject } from '../../text/json-text.ts';
import { incrementFile, nameOf, numberOf, SPECWEAVE } from './layout.ts';
import { frontMatterOf } from './markdown.ts';
import type { IncrementOptions } from './options.ts';
import { readSpec } from './spec.ts';
import type { Spec, Story } from './spec.ts';
import { describeFeature, describePointer, describeStory, partOf } from './doc-pages.ts';
import type { Documented } from './doc-pages.ts';
import { readTasks } from './tasks.ts';

/** A page that is not as it should be. */
export interface DocWrite {
  readonly path: string;
  readonly before: string | undefined;
  readonly text: string;
}

export interface LivingDocs {
  readonly writes: readonly DocWrite[];
  /** Pages that are left alone, and why. */
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
}

interface Page extends Written {
  readonly path: string;
  readonly before: string | undefined;
}

export interface DocsWorld {
  readonly files: ReadableFiles;
  readonly root: string;
  readonly options: Pick<IncrementOptions, 'activeStatuses' | 'completeWhen' | 'livingDocs'>;
  /** ISO. */
  readonly now: string;
}

const MAX_PAGES = 2_000;
/** A spec with more is not written by people; the rest gets no pages. */
const MAX_STORIES = 500;
const HEAD_BYTES = 16_384;
const NOTHING: LivingDocs = { writes: [], problems: [] };
const STORY_PAGE = /^us-\d+[a-z]?(?:-.*)?\.md$/;

/** The pages about one increment that have to be written; none without its spec.md. */
export function livingDocs(id: string, world: DocsWorld): LivingDocs {
  const { files, root, options, now } = world;
  const specText = readWatched(files, root, id, 'spec.md');
  if (specText === undefined) return NOTHING;
  const spec = readSpec(specText);
  const feature = featureOf(id, spec.frontMatter);
  const docs = join(root, ...options.livingDocs.root.split('/'));
  const dirOf = (each: Spec) => join(docs, projectOf(each, world), feature);
  const featurePath = join(docs, '_features', feature, 'FEATURE.md');

  const all = incrementsOf(feature, id, world).map((increment) => documented(increment, dirOf, world));
  const own = all.find((increment) => increment.id === id);
  if (!own) return NOTHING;
  const dir = dirOf(spec);
  const known = pagesIn(files, dir);

  const tasks = readTasks(readWatched(files, root, id, 'tasks.md') ?? '');
  const linkFrom = (page: string) => (target: string) => linkTo(dirname(page), target);
  const storyPages = own.spec.stories.map((story): Page => {
    const path = own.pages.get(story) ?? '';
    const before = known.texts.get(basename(path));
    const parts = { story, increment: own, feature, tasks, when: options.completeWhen, now };
    const targets = { spec: incrementFile(root, id, 'spec.md'), tasks: incrementFile(root, id, 'tasks.md') };
    return { path, before, ...writePage(before, describeStory(parts, targets, linkFrom(path))) };
  });
  const current = new Set(own.spec.stories.map((story) => partOf(id, story)));
  const gone = [...known.pageOf].flatMap(([part, name]): Page[] => {
    if (!part.startsWith(`${id}/`) || current.has(part)) return [];
    const before = known.texts.get(name) ?? '';
    const link = linkTo(dir, incrementFile(root, id, 'spec.md'));
    return [{ path: join(dir, name), before, ...markRemoved(before, part, `No longer in [spec.md](${link}).`) }];
  });
  const readmePath = join(dir, 'README.md');
  const readme = readWhole(files, readmePath);
  const featureText = readWhole(files, featurePath);
  const titled = { feature, increments: all, now };
  const specOf = (each: Increment) => incrementFile(root, each.id, 'spec.md');
  const pages: readonly Page[] = [
    {
      path: featurePath,
      before: featureText,
      ...writePage(featureText, describeFeature(titled, specOf, options.activeStatuses, linkFrom(featurePath))),
    },
    {
      path: readmePath,
      before: readme,
      ...writePage(readme, describePointer(titled, featurePath, linkFrom(readmePath))),
    },
    ...storyPages,
    ...gone,
  ];
  const isOurs = ({ path, before }: Page) => before !== undefined || files.stat(path) === undefined;
  return {
    writes: pages.filter((page) => page.text !== page.before && isOurs(page)),
    problems: pages.flatMap(({ path, problem }) => (problem === undefined ? [] : [{ path, problem }])),
  };
}

/** Named by the front matter, else by the increment's number. It becomes a directory, so not every name will do. */
export function featureOf(id: string, frontMatter: ReadonlyMap<string, string>): string {
  const named = ['feature', 'epic', 'feature_id'].map((key) => frontMatter.get(key) ?? '').find(isDirName);
  return named ?? `FS-${String(numberOf(id)).padStart(3, '0')}`;
}

function projectOf({ frontMatter }: Spec, { files, root }: DocsWorld): string {
  const config = parseObject(files.readText(join(root, SPECWEAVE, 'config.json')) ?? '')?.['project'];
  const configured = (config as { readonly name?: unknown } | null | undefined)?.name;
  const names = [frontMatter.get('project'), configured, basename(root)];
  return names.map((name) => (typeof name === 'string' ? dirName(name) : '')).find(isDirName) ?? 'project';
}

function dirName(text: string): string {
  return text
    .slice(0, 200)
    .trim()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-._]+|-+$/g, '')
    .slice(0, 80);
}

function isDirName(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,79}$/u.test(text);
}

/** In the order of their numbers. */
function incrementsOf(feature: string, own: string, { files, root, options }: DocsWorld): Increment[] {
  return incrementIds(files, root)
    .filter((id) => {
      if (id === own) return true;
      const head = files.readText(incrementFile(root, id, 'spec.md'), HEAD_BYTES);
      return head !== undefined && featureOf(id, frontMatterOf(head)?.fields ?? new Map()) === feature;
    })
    .map((id) => readIncrement(files, root, id, options.activeStatuses));
}

function documented(increment: Increment, dirOf: (spec: Spec) => string, { files, root }: DocsWorld): Documented {
  const { id } = increment;
  const whole = readSpec(readWatched(files, root, id, 'spec.md') ?? '');
  const first = new Map(whole.stories.toReversed().map((story) => [story.id, story]));
  const stories = whole.stories.filter((story) => first.get(story.id) === story).slice(0, MAX_STORIES);
  const spec = { ...whole, stories };
  const dir = dirOf(spec);
  const known = pagesIn(files, dir);
  const title = spec.frontMatter.get('title') || spec.title || nameOf(id);
  const pages = new Map(stories.map((story) => [story, join(dir, pageName(id, story, known))]));
  return { ...increment, spec, title, pages };
}

/** The story pages that are there. */
interface StoryPages {
  readonly texts: ReadonlyMap<string, string>;
  /** File names by the parts they have blocks of. */
  readonly pageOf: ReadonlyMap<string, string>;
}

function pagesIn(files: ReadableFiles, dir: string): StoryPages {
  const texts = new Map<string, string>();
  const pageOf = new Map<string, string>();
  for (const name of files.list(dir, MAX_PAGES).filter((each) => STORY_PAGE.test(each))) {
    const text = readWhole(files, join(dir, name));
    if (text === undefined) continue;
    texts.set(name, text);
    for (const part of partsIn(text)) pageOf.set(part, name);
  }
  return { texts, pageOf };
}

/** A page keeps its name when the title changes; one of another increment is not taken over. */
function pageName(id: string, story: Story, { texts, pageOf }: StoryPages): string {
  const mine = pageOf.get(partOf(id, story));
  if (mine !== undefined) return mine;
  const slug = dirName(story.title.toLowerCase().replaceAll('.', '-')).slice(0, 50).replace(/-+$/, '');
  const name = [story.id.toLowerCase(), slug].filter((part) => part !== '').join('-');
  const isTaken = partsIn(texts.get(`${name}.md`) ?? '').length > 0;
  return isTaken ? `${name}-${id.split('-', 1)[0]?.toLowerCase()}.md` : `${name}.md`;
}

function linkTo(from: string, target: string): string {
  const path = posix.relative(from, target).split('/').map(encodeURIComponent).join('/');
  return path.replaceAll('(', '%28').replaceAll(')', '%29');
}
