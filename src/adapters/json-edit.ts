/** A place in a JSON text that was parsed; offsets count UTF-16 units. */
export type JsonNode = JsonContainer | JsonScalar;

export interface JsonScalar {
  readonly kind: 'scalar';
  readonly start: number;
  readonly end: number;
  readonly value: string | number | boolean | null;
}

export interface JsonContainer {
  readonly kind: 'object' | 'array';
  readonly start: number;
  readonly end: number;
  readonly items: readonly JsonItem[];
}

/** A member of an object, from its key on, or an element of an array. */
export interface JsonItem {
  readonly key?: string;
  readonly start: number;
  readonly end: number;
  readonly value: JsonNode;
  /** Where the comma after it is. */
  readonly comma?: number;
}

export interface Edit {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

export class JsonProblem extends Error {
  readonly line: number;
  readonly column: number;
  constructor(text: string, at: number, message: string) {
    super(message);
    const before = text.slice(0, at);
    this.line = before.split('\n').length;
    this.column = at - before.lastIndexOf('\n');
  }
}

/** Whatever may be meant as a text, a number or a word; `JSON.parse` says whether it is one. */
const SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"?|[-+.\w]+/y;

/**
 * Reads strict JSON, as `JSON.parse` does, keeping where everything is. A byte order mark may come first; with `comments`,
 * they may stand between.
 */
export function parseJson(text: string, comments = false): JsonNode {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const fail = (message: string, where = at): never => {
    throw new JsonProblem(text, where, message);
  };

  function skip(): void {
    for (;;) {
      while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1;
      if (text[at] !== '/' || !/[/*]/.test(text[at + 1] ?? '')) return;
      if (!comments) fail('a comment, which JSON does not have');
      const isLine = text[at + 1] === '/';
      const end = text.indexOf(isLine ? '\n' : '*/', at + 2);
      if (end < 0 && !isLine) fail('a comment that is not closed');
      at = end < 0 ? text.length : end + (isLine ? 1 : 2);
    }
  }

  function readScalar(): JsonScalar {
    const start = at;
    SCALAR.lastIndex = at;
    const found = SCALAR.exec(text)?.[0];
    if (found === undefined)
      return fail(at >= text.length ? 'the text ends too early' : `unexpected ${JSON.stringify(text[at])}`);
    let value: unknown;
    try {
      value = JSON.parse(found);
    } catch {
      fail(found.startsWith('"') ? 'a text that is not closed or not escaped' : `unexpected ${found}`);
    }
    at += found.length;
    return { kind: 'scalar', start, end: at, value: value as JsonScalar['value'] };
  }

  function readItem(kind: JsonContainer['kind']): JsonItem {
    const start = at;
    let key: string | undefined;
    if (kind === 'object') {
      if (text[at] === '}') fail('a comma with nothing after it');
      if (text[at] !== '"') fail(at >= text.length ? 'the text ends too early' : 'expected a key in double quotes');
      key = readScalar().value as string;
      skip();
      if (text[at] !== ':') fail('expected a colon after the key');
      at += 1;
      skip();
    } else if (text[at] === ']') fail('a comma with nothing after it');
    const value = readValue();
    return { ...(key === undefined ? {} : { key }), start, end: value.end, value };
  }

  function readContainer(kind: JsonContainer['kind'], close: string): JsonContainer {
    const start = at;
    const items: JsonItem[] = [];
    at += 1;
    skip();
    while (items.length === 0 ? text[at] !== close : true) {
      const item = readItem(kind);
      skip();
      const comma = text[at] === ',' ? at : undefined;
      items.push(comma === undefined ? item : { ...item, comma });
      if (comma === undefined) break;
      at += 1;
      skip();
    }
    if (text[at] !== close) fail(at >= text.length ? 'the text ends too early' : `expected a comma or "${close}"`);
    at += 1;
    return { kind, start, end: at, items };
  }

  function readValue(): JsonNode {
    if (text[at] === '{') return readContainer('object', '}');
    if (text[at] === '[') return readContainer('array', ']');
    return readScalar();
  }

  skip();
  const root = readValue();
  skip();
  if (at < text.length) fail('something follows after the end of the JSON');
  return root;
}

/** The object that a text holds; undefined when that is something else, or no JSON. */
export function objectIn(text: string, comments = false): JsonContainer | undefined {
  try {
    const root = parseJson(text, comments);
    return root.kind === 'object' ? root : undefined;
  } catch {
    return undefined;
  }
}

export function toValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(({ value }) => toValue(value));
  return Object.fromEntries(node.items.map(({ key, value }) => [key, toValue(value)]));
}

/** Of a key written twice, the last one counts. */
export function memberOf(node: JsonNode | undefined, key: string): JsonItem | undefined {
  return node?.kind === 'object' ? node.items.findLast((item) => item.key === key) : undefined;
}

/** How the file is laid out, so that what is added looks like the rest of it. */
export interface Layout {
  readonly newline: string;
  /** One step of indentation. */
  readonly unit: string;
  /** Everything is on one line. */
  readonly inline: boolean;
  /** A blank after colons and commas. */
  readonly spaced: boolean;
}

export function layoutOf(text: string, root: JsonContainer): Layout {
  const first = root.items[0];
  const inside = text.slice(root.start, root.end);
  const gap = first?.key === undefined ? ' ' : /:(\s*)$/.exec(text.slice(first.start, first.value.start))?.[1];
  return {
    newline: text.includes('\r\n') ? '\r\n' : '\n',
    unit: (first && ownLineIndent(text, first.start)) || '  ',
    inline: first !== undefined && !inside.includes('\n'),
    spaced: gap !== '',
  };
}

/** The indentation of what starts here, when nothing else stands before it on its line. */
function ownLineIndent(text: string, at: number): string | undefined {
  return /(?:^|\n)([ \t]*)$/.exec(
    text.slice(text.lastIndexOf('\n', at - 1) < 0 ? 0 : text.lastIndexOf('\n', at - 1), at),
  )?.[1];
}

function lineIndent(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? '';
}

export function render(value: unknown, layout: Pick<Layout, 'spaced'>): string {
  const blank = layout.spaced ? ' ' : '';
  const list = (parts: readonly string[]): string => parts.join(`,${blank}`);
  if (Array.isArray(value)) return `[${list(value.map((each) => render(each, layout)))}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}:${blank}${render(inner, layout)}`,
  );
  return `{${blank}${list(members)}${blank}}`;
}

/** Adds items, each given as text for the indentation it will have, at the end of a container. */
export function insertItems(
  text: string,
  container: JsonContainer,
  layout: Layout,
  items: readonly ((indent: string) => string)[],
): Edit {
  const last = container.items.at(-1);
  const base = lineIndent(text, container.start);
  const ownLine = last ? ownLineIndent(text, last.start) : layout.inline ? undefined : base + layout.unit;
  const lead = ownLine === undefined ? (layout.spaced && last ? ' ' : '') : layout.newline + ownLine;
  const between = ownLine === undefined ? (layout.spaced ? ' ' : '') : lead;
  const written = items.map((item) => item(ownLine ?? base)).join(`,${between}`);
  if (last) return { at: last.end, removed: '', inserted: `,${lead}${written}` };
  const inside = text.slice(container.start + 1, container.end - 1);
  const end = ownLine === undefined || inside.includes('\n') ? '' : layout.newline + base;
  return { at: container.start + 1, removed: '', inserted: `${lead}${written}${end}` };
}

/** Takes items out, with their commas and the blanks before them. What is left keeps every byte. */
export function removeItems(text: string, container: JsonContainer, gone: ReadonlySet<JsonItem>): Edit[] {
  const edits: Edit[] = [];
  const cut = (from: number, to: number): void => {
    if (to > from) edits.push({ at: from, removed: text.slice(from, to), inserted: '' });
  };
  const { items } = container;
  if (gone.size === 0) return edits;
  if (items.every((item) => gone.has(item))) {
    const [first = container] = items;
    const last = items.at(-1) ?? container;
    const around = text.slice(container.start + 1, first.start) + text.slice(last.end, container.end - 1);
    // A comment stays.
    if (around.trim() !== '') cut(blanksBefore(text, first.start), last.end);
    else cut(container.start + 1, container.end - 1);
    return edits;
  }
  const lastKept = items.findLast((item) => !gone.has(item));
  const keptEnd = lastKept ? items.indexOf(lastKept) : -1;
  // The first item of a line such as `[a, b]` has no blank before it, so it takes the one after it along.
  let takesAfter = items[0]?.start === container.start + 1;
  let done = container.start + 1;
  for (const [index, item] of items.entries()) {
    if (!gone.has(item)) takesAfter = false;
    else if (index < keptEnd) {
      const to = (item.comma ?? item.end - 1) + 1;
      const from = Math.max(done, blanksBefore(text, item.start));
      done = takesAfter ? blanksAfter(text, to) : to;
      cut(from, done);
    }
  }
  const tail = items.at(-1);
  if (lastKept && tail && keptEnd < items.length - 1) cut(lastKept.comma ?? lastKept.end, tail.end);
  return edits;
}

function blanksBefore(text: string, at: number): number {
  let from = at;
  while (/[ \t\r\n]/.test(text[from - 1] ?? '')) from -= 1;
  return from;
}

function blanksAfter(text: string, at: number): number {
  let to = at;
  while (/[ \t\r\n]/.test(text[to] ?? '')) to += 1;
  return to;
}

/** Edits of one text, in any order, none inside another. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return [...edits]
    .sort((a, b) => a.at - b.at)
    .reduceRight(
      (now, { at, removed, inserted }) => now.slice(0, at) + inserted + now.slice(at + removed.length),
      text,
    );
}

/** The edits that lead back from the text that these make. */
export function invertEdits(edits: readonly Edit[]): Edit[] {
  let shift = 0;
  return [...edits]
    .sort((a, b) => a.at - b.at)
    .map(({ at, removed, inserted }) => {
      const back = { at: at + shift, removed: inserted, inserted: removed };
      shift += inserted.length - removed.length;
      return back;
    });
}
