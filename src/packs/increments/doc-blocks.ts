import { frontMatterOf } from './markdown.ts';

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

/**
 * The page's new text. What stands outside the marks is somebody's own and stays as it is; a page without marks gets the
 * block at its end. The front matter is ours only where it was made here, between marks of its own.
 */
export function writePage(before: string | undefined, page: DocPage): string {
  const { fields, kept = [], moving = [] } = page;
  if (before === undefined || before.trim() === '')
    return `${fields ? `---\n${frontBlock(fields)}\n---\n\n` : ''}${blockOf(page.part, page.lines)}\n`;
  const known = frontFields(before);
  const keep = (names: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(names.flatMap((name) => (known[name] ? [[name, known[name]]] : [])));
  const unmoved = replaceParts(before, { ...fields, ...keep([...kept, ...moving]) }, page);
  return unmoved === before ? before : replaceParts(before, { ...fields, ...keep(kept) }, page);
}

/** Says in the page that its subject is gone; nothing else in it changes. */
export function markRemoved(before: string, part: string, remark: string): string {
  const known = frontFields(before);
  const block = blockIn(before, part);
  if (!block || known['status'] === 'removed' || block.lines[0] === remark) return before;
  const fields = { ...known, status: 'removed' };
  return replaceParts(before, fields, { part, lines: [remark, '', ...block.lines] });
}

/** The parts that a page has blocks of. */
export function partsIn(text: string): string[] {
  return [...text.matchAll(/^<!-- fairlead:begin (\S+) -->\r?$/gm)].map((match) => match[1] as string);
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
  // With half of its marks gone nobody can tell what is generated; it is left to the person.
  if (text.includes(beginOf(part)) || text.includes(endOf(part))) return text;
  return `${text}${text.endsWith('\n') ? '' : newLine}${newLine}${made}${newLine}`;
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
  const from = text.indexOf(beginOf(part));
  const end = from < 0 ? -1 : text.indexOf(endOf(part), from);
  if (end < 0) return undefined;
  const inner = text.slice(from + beginOf(part).length, end).replaceAll('\r\n', '\n');
  return { from, to: end + endOf(part).length, lines: inner.replace(/^\n/, '').replace(/\n$/, '').split('\n') };
}

function frontBlock(fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${scalar(value)}`);
  return [FRONT_BEGIN, ...lines, FRONT_END].join('\n');
}

function frontRange(text: string): { readonly from: number; readonly to: number } | undefined {
  const limit = frontMatterOf(text)?.end ?? 0;
  const from = text.indexOf(FRONT_BEGIN);
  const end = from < 0 ? -1 : text.indexOf(FRONT_END, from);
  return end < 0 || end >= limit ? undefined : { from, to: end + FRONT_END.length };
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
