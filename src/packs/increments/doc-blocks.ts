import { afterMark, linesFrom } from '../../text/lines.ts';
import { frontMatterOf, readProse } from './markdown.ts';

/** A page of which some parts are generated. */
export interface DocPage {
  /** The part of the page that its block holds. */
  readonly part: string;
  /** Of the front matter; a page without them has none. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields that keep the value they have. */
  readonly kept?: readonly string[];
  /** Fields that only move when something else does. */
  readonly moving?: readonly string[];
  readonly lines: readonly string[];
}

const FRONT_BEGIN = '# fairlead:begin front-matter';
const FRONT_END = '# fairlead:end front-matter';

/** What becomes of a page. */
export interface Written {
  readonly text: string;
  /** Why it was left alone. */
  readonly problem?: string;
}

/**
 * The page's new text. What stands outside the marks is somebody's own and stays as it is; a page without marks gets the
 * block at its end. The front matter is ours only where it was made here, between marks of its own.
 */
export function writePage(before: string | undefined, page: DocPage): Written {
  const { fields, kept = [], moving = [] } = page;
  if (before === undefined || before.trim() === '')
    return { text: `${fields ? `---\n${frontBlock(fields)}\n---\n\n` : ''}${blockOf(page.part, page.lines)}\n` };
  const problem = problemIn(before, page.part);
  if (problem !== undefined) return { text: before, problem };
  const known = frontFields(before);
  const keep = (names: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(names.flatMap((name) => (known[name] ? [[name, known[name]]] : [])));
  const unmoved = replaceParts(before, { ...fields, ...keep([...kept, ...moving]) }, page);
  return { text: unmoved === before ? before : replaceParts(before, { ...fields, ...keep(kept) }, page) };
}

/** Says in the page that its subject is gone; nothing else in it changes. */
export function markRemoved(before: string, part: string, remark: string): Written {
  const problem = problemIn(before, part);
  if (problem !== undefined) return { text: before, problem };
  const known = frontFields(before);
  const block = blockIn(before, part);
  if (!block || known['status'] === 'removed' || block.lines[0] === remark) return { text: before };
  const fields = { ...known, status: 'removed' };
  return { text: replaceParts(before, fields, { part, lines: [remark, '', ...block.lines] }) };
}

/** The parts that a page has blocks of. */
export function partsIn(text: string): string[] {
  return marksIn(text).flatMap(({ kind, part }) => (kind === 'begin' ? [part] : []));
}

function replaceParts(
  before: string,
  fields: Readonly<Record<string, string>>,
  { part, lines }: Pick<DocPage, 'part' | 'lines'>,
): string {
  const newLine = before.includes('\r\n') ? '\r\n' : '\n';
  const local = (text: string) => text.replaceAll('\n', newLine);
  let text = before;
  const front = frontRange(text);
  if (front) text = text.slice(0, front.from) + local(frontBlock(fields)) + text.slice(front.to);
  const block = blockIn(text, part);
  const made = local(blockOf(part, lines));
  if (block) return text.slice(0, block.from) + made + text.slice(block.to);
  return `${text}${text.endsWith('\n') ? '' : newLine}${newLine}${made}${newLine}`;
}

/** A line that is a mark and nothing else. A mark that is mentioned within a line is text like any other. */
interface Mark {
  readonly kind: 'begin' | 'end';
  readonly part: string;
  readonly from: number;
  readonly to: number;
}

const MARK = /^([ \t]*)<!-- fairlead:(begin|end) (\S+) -->[ \t]*$/;

function marksIn(text: string): Mark[] {
  return [...linesFrom(text, afterMark(text))].flatMap((line): Mark[] => {
    const [, indent = '', kind, part] = MARK.exec(line.text) ?? [];
    if (kind === undefined || part === undefined) return [];
    const from = line.at + indent.length;
    return [{ kind: kind as Mark['kind'], part, from, to: line.at + line.text.trimEnd().length }];
  });
}

/** Why nobody can tell which text of a page is generated; such a page is left to the person. */
function problemIn(text: string, part: string): string | undefined {
  const fronts = frontMarks(text);
  if (fronts.length > 0 && !isPair(fronts)) return 'the marks in its front matter are not one pair';
  const all = marksIn(text);
  const own = all.filter((mark) => mark.part === part);
  if (own.length === 0) return undefined;
  if (!isPair(own)) return `its marks of ${part} are not one pair`;
  const [begin, end] = own;
  const isMixed = all.some(
    (mark) => mark.part !== part && begin && end && mark.from > begin.from && mark.from < end.from,
  );
  if (isMixed) return `other marks stand between those of ${part}`;
  return begin && isInFence(text, begin.from) ? `its marks of ${part} stand in code` : undefined;
}

function isPair(marks: readonly Pick<Mark, 'kind'>[]): boolean {
  return marks.map(({ kind }) => kind).join() === 'begin,end';
}

/** A page may show the marks, as an example in code. */
function isInFence(text: string, at: number): boolean {
  const { unclosed } = readProse(text.slice(0, at));
  return unclosed?.what === 'code fence';
}

const beginOf = (part: string) => `<!-- fairlead:begin ${part} -->`;
const endOf = (part: string) => `<!-- fairlead:end ${part} -->`;

function blockOf(part: string, lines: readonly string[]): string {
  return [beginOf(part), ...lines.map(harmless), endOf(part)].join('\n');
}

/** What is quoted from other files must not pass for a mark. */
function harmless(line: string): string {
  return line.replaceAll(/fairlead:(?=begin|end)/g, 'fairlead: ');
}

function blockIn(
  text: string,
  part: string,
): { readonly from: number; readonly to: number; readonly lines: readonly string[] } | undefined {
  const [begin, end] = marksIn(text).filter((mark) => mark.part === part);
  if (!begin || !end) return undefined;
  const inner = text.slice(begin.to, end.from).replaceAll('\r\n', '\n');
  return {
    from: begin.from,
    to: end.to,
    lines: inner
      .replace(/^[ \t]*\n/, '')
      .replace(/\n$/, '')
      .split('\n'),
  };
}

function frontBlock(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${scalar(value)}`);
  return [FRONT_BEGIN, ...lines, FRONT_END].join('\n');
}

function frontMarks(text: string): Omit<Mark, 'part'>[] {
  const limit = frontMatterOf(text)?.end ?? 0;
  return [...linesFrom(text.slice(0, limit), 0)].flatMap(({ at, text: line }) => {
    const mark = line.trimEnd();
    const kind = mark === FRONT_BEGIN ? 'begin' : mark === FRONT_END ? 'end' : undefined;
    return kind === undefined ? [] : [{ kind, from: at, to: at + mark.length }];
  });
}

function frontRange(text: string): { readonly from: number; readonly to: number } | undefined {
  const [begin, end] = frontMarks(text);
  return begin && end ? { from: begin.from, to: end.to } : undefined;
}

function frontFields(text: string): Readonly<Record<string, string>> {
  const range = frontRange(text);
  if (!range) return {};
  const fields = frontMatterOf(`---\n${text.slice(range.from, range.to)}\n---\n`)?.fields;
  return Object.fromEntries(fields ?? []);
}

const RESERVED = /^(?:true|false|null|yes|no|on|off)$/i;

/** Quoted unless it is words: the reader of the page may be any YAML parser. A quote inside would end it in simpler ones. */
function scalar(value: string): string {
  if (/^[A-Za-z][\w-]*(?: [\w-]+)*$/.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value.replaceAll('"', "'").replaceAll('\\', '/'));
}
