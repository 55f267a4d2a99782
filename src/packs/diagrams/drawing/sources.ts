import { firstFrom } from './boxes.ts';
import { commentsIn } from './comments.ts';
import type { Drawing } from './drawing.ts';
import { outlineOf, eachProseLine } from './outline.ts';
import type { Outline } from './outline.ts';
import { hasBox } from './characters.ts';

/** A `<details>` element. */
interface Details {
  readonly first: number;
  readonly last: number;
  /** Text of its summary in lower case, blanks collapsed. */
  readonly summary: string;
  /** Something stands in it besides fences, tags and blanks. */
  readonly hasBody: boolean;
  /** Some of that is no box drawing. */
  readonly hasText: boolean;
}

interface Open {
  readonly first: number;
  summary: string[];
  inSummary: boolean;
  hasBody: boolean;
  hasText: boolean;
}

/** Elements outside of code, in the order they end; one that is never closed lasts to the end of the text. */
function detailsIn({ text, lines, verbatim, frontMatter }: Outline): readonly Details[] {
  // One character is found many times as fast as a word in any case.
  if (!text.includes('<') || !/<details/i.test(text)) return [];
  const found: Details[] = [];
  const open: Open[] = [];
  const close = (last: number): void => {
    const inner = open.pop();
    if (inner === undefined) return;
    const { first, hasBody, hasText } = inner;
    found.push({ first, last, summary: collapse(inner.summary), hasBody, hasText });
    const outer = open.at(-1);
    if (outer !== undefined && hasBody) outer.hasBody = true;
    if (outer !== undefined && hasText) outer.hasText = true;
  };
  const addBody = (part: string): void => {
    const inner = open.at(-1);
    if (inner === undefined || part.trim() === '') return;
    if (inner.inSummary) inner.summary.push(part);
    else inner.hasBody = true;
    if (!inner.inSummary && !hasBox(part)) inner.hasText = true;
  };

  let next = 0;
  for (let at = frontMatter + 1; at <= lines.length; at += 1) {
    const block = verbatim[next];
    if (block?.first === at) {
      next += 1;
      at = block.last;
      if (open.length > 0) block.lines.forEach(addBody);
      continue;
    }
    const line = lines[at - 1] ?? '';
    if (open.length === 0 && !line.includes('<')) continue;
    readTags(line, addBody, (tag) => {
      const inner = open.at(-1);
      if (tag === '<details') open.push({ first: at, summary: [], inSummary: false, hasBody: false, hasText: false });
      else if (tag === '</details') close(at);
      else if (inner !== undefined && tag.endsWith('summary')) inner.inSummary = tag === '<summary';
    });
  }
  while (open.length > 0) close(lines.length);
  return found;
}

/** Splits a line into what it says and its tags, which come without attributes and in lower case. */
function readTags(line: string, onText: (text: string) => void, onTag: (tag: string) => void): void {
  let from = 0;
  for (let start = line.indexOf('<'); start >= 0; start = line.indexOf('<', from)) {
    const name = /^<\/?[a-z]*/.exec(line.slice(start, start + 12).toLowerCase())?.[0] ?? '<';
    const end = name === '<' ? start : line.indexOf('>', start);
    if (end < 0) break;
    onText(line.slice(from, start));
    if (name === '<') onText('<');
    else onTag(name);
    from = end + 1;
  }
  onText(line.slice(from));
}

const collapse = (parts: readonly string[]): string =>
  parts.join(' ').toLowerCase().split(/\s+/).filter(Boolean).join(' ');

/** Lines of a text, from 1. */
interface Span {
  readonly first: number;
  readonly last: number;
}

interface Matched<Wanting, Source> {
  readonly wanting: ReadonlySet<Wanting>;
  readonly sources: ReadonlySet<Source>;
}

interface Entry<Wanting, Source> {
  readonly span: Span;
  readonly wanting?: Wanting;
  readonly source?: Source;
  before: Entry<Wanting, Source> | undefined;
  after: Entry<Wanting, Source> | undefined;
}

/**
 * Gives each source to one that wants it, the nearest pair first. The nearest pair are always neighbours, and a pair
 * that become neighbours later are no nearer than those between them were; so one pass over the distances is enough.
 */
export function matchNearest<Wanting extends Span, Source extends Span>(
  wanting: readonly Wanting[],
  sources: readonly Source[],
  inReach: (wanting: Wanting, source: Source, distance: number) => boolean,
): Matched<Wanting, Source> {
  const matched = { wanting: new Set<Wanting>(), sources: new Set<Source>() };
  const pairs: (readonly [Entry<Wanting, Source>, Entry<Wanting, Source>])[][] = [];
  const consider = (
    one: Entry<Wanting, Source> | undefined,
    other: Entry<Wanting, Source> | undefined,
    from: number,
  ): void => {
    if (one === undefined || other === undefined || (one.source === undefined) === (other.source === undefined)) return;
    (pairs[Math.max(from, gap(one.span, other.span))] ??= []).push([one, other]);
  };

  let last: Entry<Wanting, Source> | undefined;
  for (const entry of inOrder(wanting, sources)) {
    entry.before = last;
    if (last !== undefined) last.after = entry;
    consider(last, entry, 0);
    last = entry;
  }
  for (let distance = 0; distance < pairs.length; distance += 1) {
    const near = pairs[distance] ?? []; // may grow while it is read
    for (const [one, other] of near) {
      const want = one.wanting ?? other.wanting;
      const source = one.source ?? other.source;
      if (want === undefined || source === undefined) continue;
      if (matched.wanting.has(want) || matched.sources.has(source) || !inReach(want, source, distance)) continue;
      matched.wanting.add(want);
      matched.sources.add(source);
      const { before } = one;
      const { after } = other;
      if (before !== undefined) before.after = after;
      if (after !== undefined) after.before = before;
      consider(before, after, distance);
    }
  }
  return matched;
}

function inOrder<Wanting extends Span, Source extends Span>(
  wanting: readonly Wanting[],
  sources: readonly Source[],
): readonly Entry<Wanting, Source>[] {
  const ends = { before: undefined, after: undefined };
  return [
    ...wanting.map((span) => ({ span, wanting: span, ...ends })),
    ...sources.map((span) => ({ span, source: span, ...ends })),
  ].sort((one, other) => one.span.first - other.span.first);
}

const gap = (one: Span, other: Span): number => Math.max(0, one.first - other.last, other.first - one.last);

/** Tells lines of different sections apart: a section begins with a heading of any level. */
function sectionsOf(outline: Outline): (line: number) => number {
  const headings: number[] = [];
  let previous = { line: '', at: 0 };
  eachProseLine(outline, (line, at) => {
    const mark = line.trimStart()[0];
    if (mark === '#' && isHeading(line)) headings.push(at);
    else if (isUnderline(line, mark) && previous.at === at - 1 && isText(previous.line)) headings.push(previous.at);
    previous = { line, at };
  });
  return (line) => firstFrom(headings, (heading) => heading > line);
}

const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line);

function isUnderline(line: string, mark: string | undefined): boolean {
  if (mark !== '=' && mark !== '-') return false;
  const text = line.trim();
  return text === mark.repeat(text.length);
}

const isText = (line: string): boolean =>
  line.trim() !== '' && !isHeading(line) && !isUnderline(line, line.trimStart()[0]);

export const DEFAULT_SOURCES: readonly string[] = [
  'graph-easy',
  'mermaid',
  'mermaid-ascii',
  'd2',
  'plantuml',
  'svgbob',
  'graphviz',
  'dot',
  'ditaa',
  'diagon',
];

export interface SourceOptions {
  /** Names of tools: in the summary of a details element, or as the label of a fence. */
  readonly sources: readonly string[];
  /** Whether a path, as it stands in the text, names a file of the workspace; asked once per path. */
  exists(path: string): boolean;
}

/** Tools whose input is box art. */
const TAKES_ART: ReadonlySet<string> = new Set(['svgbob', 'bob', 'ditaa']);
/** Other labels of fences → the tool. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['puml', 'plantuml'],
  ['uml', 'plantuml'],
  ['gv', 'graphviz'],
  ['bob', 'svgbob'],
]);
/** A source serves its section, and so many lines around it. */
const REACH = 40;

/** The drawings that have a source in the text. `drawings` are all of the file; the new ones choose first. */
export function sourcedBy(
  drawings: readonly Drawing[],
  text: string | Outline,
  options: SourceOptions,
  isNew: (drawing: Drawing) => boolean,
): ReadonlySet<Drawing> {
  const sourced = new Set(drawings.filter(({ fence }) => fence !== undefined && TAKES_ART.has(fence)));
  const wanting = drawings.filter((drawing) => !sourced.has(drawing));
  if (wanting.length === 0) return sourced;

  const outline = outlineOf(text);
  const taken = new Set(drawings.map((drawing) => drawing.first));
  const sources = findSources(outline, options, taken);
  if (sources.length === 0) return sourced;
  if (sources.length >= wanting.length) return new Set(drawings);

  const sectionOf = sectionsOf(outline);
  const inReach = (drawing: Span, source: Span, distance: number): boolean =>
    distance <= REACH || sectionOf(drawing.first) === sectionOf(source.first);
  const fresh = matchNearest(wanting.filter(isNew), sources, inReach);
  const left = sources.filter((source) => !fresh.sources.has(source));
  const known = matchNearest(
    wanting.filter((drawing) => !isNew(drawing)),
    left,
    inReach,
  );
  for (const drawing of [...fresh.wanting, ...known.wanting]) sourced.add(drawing);
  return sourced;
}

/** Accepted sources in their order. Fences that begin where a drawing begins are the drawing itself. */
function findSources(outline: Outline, options: SourceOptions, taken: ReadonlySet<number>): readonly Span[] {
  const tools = new Set(options.sources.map((tool) => tool.toLowerCase()));
  const elements = detailsIn(outline).filter(({ summary, hasBody, hasText }) => {
    const tool = summary.endsWith(' source') ? summary.slice(0, -' source'.length) : '';
    return tools.has(tool) && (hasText || (hasBody && TAKES_ART.has(tool)));
  });
  const inElement = coveredLines(elements);
  const fences = outline.verbatim.filter(
    ({ label = '', first, lines }) =>
      !taken.has(first) &&
      !inElement(first) &&
      (tools.has(label) || tools.has(ALIASES.get(label) ?? '')) &&
      lines.some((line) => line.trim() !== ''),
  );
  return [...elements, ...fences, ...namedFiles(outline, options)].sort((one, other) => one.first - other.first);
}

const NAMED = 'diagram-source:';

function namedFiles(outline: Outline, { exists }: SourceOptions): readonly Span[] {
  const known = new Map<string, boolean>();
  return commentsIn(outline).filter(({ text }) => {
    if (!text.toLowerCase().startsWith(NAMED)) return false;
    const path = text.slice(NAMED.length).trim();
    const there = known.get(path) ?? (path !== '' && exists(path));
    known.set(path, there);
    return there;
  });
}

/** Whether a line lies in one of these; they come in the order they end. */
function coveredLines(spans: readonly Span[]): (line: number) => boolean {
  const outermost: Span[] = [];
  for (const span of spans) {
    while ((outermost.at(-1)?.first ?? 0) > span.first) outermost.pop();
    outermost.push(span);
  }
  return (line) => {
    const span = outermost[firstFrom(outermost, ({ last }) => last >= line)];
    return span !== undefined && span.first <= line;
  };
}
