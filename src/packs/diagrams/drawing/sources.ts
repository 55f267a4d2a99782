import { firstFrom } from './boxes.ts';
import { commentsIn } from './comments.ts';
import { detailsIn } from './details.ts';
import type { Drawing } from './drawing.ts';
import { matchNearest } from './match-nearest.ts';
import type { Span } from './match-nearest.ts';
import { outlineOf, eachProseLine } from './outline.ts';
import type { Outline } from './outline.ts';

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
