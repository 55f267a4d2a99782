import { createByteReader } from '../format/byte-reader.ts';
import type { ByteReader } from '../format/byte-reader.ts';
import { createByteWriter } from '../format/byte-writer.ts';
import type { ByteWriter } from '../format/byte-writer.ts';
import { EDGE_KINDS, KINDS, VISIBILITIES, WHYS } from '../format/codes.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import type { Edge, EdgeKind, FileLinks, Question, Why } from '../model/links.ts';
import { createStringTable, readStrings, skipStrings } from '../format/string-table.ts';
import type { StringTable } from '../format/string-table.ts';

/** Raised when the bytes of the same record change. */
export const RECORD_FORMAT = 2;

/**
 * What the graph has of one file, in bytes that depend on nothing else: its symbols, what leads out of it, and which
 * questions that depends on. In parts, so that a reader takes apart only what it is asked for.
 */
export interface RecordSymbols {
  readonly strings: readonly string[];
  readonly count: number;
  /** `SYMBOL` numbers for each. */
  readonly columns: Int32Array;
}

export interface RecordLinks {
  /** Read when the first is asked for: what leads here is found without. */
  readonly strings: readonly string[];
  /** `EDGE` numbers for each. */
  readonly edges: Int32Array;
  readonly possible: Int32Array;
  readonly unresolved: readonly (readonly [name: string, count: number])[];
  readonly outside: number;
}

export const SYMBOL = {
  name: 0,
  bits: 1,
  container: 2,
  repeat: 3,
  start: 4,
  at: 5,
  end: 6,
  signature: 7,
  doc: 8,
  width: 9,
} as const;
export const EDGE = { source: 0, bits: 1, path: 2, target: 3, at: 4, width: 5 } as const;

const out = createByteWriter(64 << 10);
const head = createByteWriter();

export function encodeRecord(facts: FileFacts, links: FileLinks): Uint8Array {
  return joined([encodeSymbols(facts), encodeLinks(links), encodeAsked(links.asked), encodeLines(facts)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  out.reset();
  for (const part of parts) out.count(part.length);
  for (const part of parts) out.bytes(part);
  return out.finish();
}

function encodeSymbols({ definitions }: FileFacts): Uint8Array {
  const strings = createStringTable();
  out.reset();
  out.count(definitions.length);
  for (const { name } of definitions) out.count(strings.numberOf(name.toWellFormed()));
  const repeats = repeatsOf(definitions);
  let last = 0;
  for (let index = 0; index < definitions.length; index += 1) {
    const each = definitions[index] as Definition;
    out.count(
      KINDS.indexOf(each.kind) |
        (each.exported ? 16 : 0) |
        (VISIBILITIES.indexOf(each.visibility) << 5) |
        (each.traits.includes('local') ? 128 : 0) |
        (each.traits.includes('declared') ? 256 : 0) |
        (each.traits.includes('test') ? 512 : 0),
    );
    out.count(index - each.container);
    out.count(repeats[index] ?? 0);
    out.signed(each.start - last);
    out.signed(each.at - each.start);
    out.signed(each.end - each.start);
    out.count(strings.numberOf(each.signature.toWellFormed()));
    out.count(each.doc === undefined ? 0 : strings.numberOf(each.doc.toWellFormed()) + 1);
    last = each.start;
  }
  return withStrings(strings, out);
}

function encodeLines({ lines }: FileFacts): Uint8Array {
  out.reset();
  out.count(lines.length);
  let last = 0;
  for (const line of lines) {
    out.count(line - last);
    last = line;
  }
  return out.finish();
}

/** How many before each have the same key but for its number, as `keysOf` counts them. */
function repeatsOf(definitions: readonly Definition[]): number[] {
  const keys: string[] = [];
  const seen = new Map<string, number>();
  const repeats: number[] = [];
  for (const { name, container } of definitions) {
    const outer = keys[container];
    const key = outer === undefined ? name : `${outer}.${name}`;
    const repeat = seen.get(key) ?? 0;
    seen.set(key, repeat + 1);
    keys.push(repeat === 0 ? key : `${key}~${repeat + 1}`);
    repeats.push(repeat);
  }
  return repeats;
}

function encodeLinks({ edges, possible, unresolved, outside }: Omit<FileLinks, 'asked'>): Uint8Array {
  const strings = createStringTable();
  out.reset();
  writeEdges(edges, strings);
  writeEdges(possible, strings);
  out.count(unresolved.length);
  for (const [name, count] of unresolved) {
    out.count(strings.numberOf(name.toWellFormed()));
    out.count(count);
  }
  out.count(outside);
  return withStrings(strings, out);
}

function writeEdges(edges: readonly Edge[], strings: StringTable): void {
  out.count(edges.length);
  let at = 0;
  let source = -1;
  for (const edge of edges) {
    out.signed(edge.at - at);
    out.signed(edge.source - source);
    out.count(EDGE_KINDS.indexOf(edge.kind) | (WHYS.indexOf(edge.why) << 3));
    out.count(strings.numberOf(edge.path));
    out.count(edge.target + 1);
    at = edge.at;
    source = edge.source;
  }
}

/** They are sorted: each shares its beginning with the one before it. */
function encodeAsked(asked: readonly Question[]): Uint8Array {
  out.reset();
  out.count(asked.length);
  const strings = createStringTable();
  let before = '';
  for (const each of asked) {
    const question = each.toWellFormed();
    let same = 0;
    while (same < before.length && same < question.length && before.charCodeAt(same) === question.charCodeAt(same))
      same += 1;
    out.count(same);
    out.count(strings.numberOf(question.slice(same)));
    before = question;
  }
  return withStrings(strings, out);
}

function withStrings(strings: StringTable, body: ByteWriter): Uint8Array {
  head.reset();
  strings.writeTo(head);
  head.bytes(body.finish());
  return head.finish();
}

/**
 * The same record where the definitions of another file have other numbers now. `gone` when it leads to one that has
 * none.
 */
export function withMoved(bytes: Uint8Array, path: string, moved: Int32Array): Uint8Array | 'same' | 'gone' {
  const { links, parts } = split(bytes);
  const { strings, edges, possible, unresolved, outside } = decodeLinks(links());
  const at = strings.indexOf(path);
  let isMoved = false;
  for (const columns of at < 0 ? [] : [edges, possible]) {
    for (let n = 0; n < columns.length; n += EDGE.width) {
      const target = columns[n + EDGE.target] as number;
      if (columns[n + EDGE.path] !== at || target < 0) continue;
      const now = moved[target] as number;
      if (now < 0) return 'gone';
      if (now !== target) isMoved = true;
      columns[n + EDGE.target] = now;
    }
  }
  if (!isMoved) return 'same';
  const listed = (columns: Int32Array): Edge[] => edgesIn(columns, strings);
  const [symbols, , asked, lines] = parts as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const made = { edges: listed(edges), possible: listed(possible), unresolved, outside };
  return joined([symbols, encodeLinks(made), asked, lines]);
}

function edgesIn(columns: Int32Array, strings: readonly string[]): Edge[] {
  const edges: Edge[] = [];
  for (let n = 0; n < columns.length; n += EDGE.width) {
    const bits = columns[n + EDGE.bits] as number;
    edges.push({
      source: columns[n] as number,
      kind: EDGE_KINDS[bits & 7] as EdgeKind,
      path: strings[columns[n + EDGE.path] as number] as string,
      target: columns[n + EDGE.target] as number,
      at: columns[n + EDGE.at] as number,
      why: WHYS[bits >> 3] as Why,
    });
  }
  return edges;
}

export interface FileRecord {
  /** Of all symbols, in order. */
  names(): readonly string[];
  symbols(): RecordSymbols;
  /** Where each line begins. */
  lines(): readonly number[];
  links(): RecordLinks;
  asked(): readonly Question[];
}

export function openRecord(bytes: Uint8Array): FileRecord {
  const { symbols, links, asked, lines } = split(bytes);
  return {
    lines: () => decodeLines(lines()),
    names: () => decodeNames(symbols()),
    symbols: () => decodeSymbols(symbols()),
    links: () => decodeLinks(links()),
    asked: () => decodeAsked(asked()),
  };
}

function split(bytes: Uint8Array) {
  const reader = createByteReader(bytes);
  const sizes = [reader.count(), reader.count(), reader.count(), reader.count()];
  let at = reader.at;
  const parts = sizes.map((size) => bytes.subarray(at, (at += size)));
  const part = (n: number) => () => createByteReader(parts[n] as Uint8Array);
  return { parts, symbols: part(0), links: part(1), asked: part(2), lines: part(3) };
}

function decodeNames(from: ByteReader): string[] {
  const strings = readStrings(from);
  const names: string[] = [];
  for (let left = from.count(); left > 0; left -= 1) names.push(strings[from.count()] as string);
  return names;
}

function decodeSymbols(from: ByteReader): RecordSymbols {
  const strings = readStrings(from);
  const count = from.count();
  const columns = new Int32Array(count * SYMBOL.width);
  for (let n = 0; n < columns.length; n += SYMBOL.width) columns[n] = from.count();
  let last = 0;
  for (let index = 0, n = 0; index < count; index += 1, n += SYMBOL.width) {
    columns[n + SYMBOL.bits] = from.count();
    columns[n + SYMBOL.container] = index - from.count();
    columns[n + SYMBOL.repeat] = from.count();
    last += from.signed();
    columns[n + SYMBOL.start] = last;
    columns[n + SYMBOL.at] = last + from.signed();
    columns[n + SYMBOL.end] = last + from.signed();
    columns[n + SYMBOL.signature] = from.count();
    columns[n + SYMBOL.doc] = from.count() - 1;
  }
  return { strings, count, columns };
}

function decodeLines(from: ByteReader): number[] {
  const lines: number[] = [];
  let last = 0;
  for (let left = from.count(); left > 0; left -= 1) lines.push((last += from.count()));
  return lines;
}

function decodeLinks(from: ByteReader): RecordLinks {
  const before = from.again();
  skipStrings(from);
  const edges = readEdges(from);
  const possible = readEdges(from);
  const counts: [number, number][] = [];
  for (let left = from.count(); left > 0; left -= 1) counts.push([from.count(), from.count()]);
  let strings: readonly string[] | undefined;
  return {
    get strings() {
      return (strings ??= readStrings(before));
    },
    edges,
    possible,
    get unresolved() {
      return counts.map(([name, count]) => [this.strings[name] as string, count] as const);
    },
    outside: from.count(),
  };
}

function readEdges(from: ByteReader): Int32Array {
  const count = from.count();
  const columns = new Int32Array(count * EDGE.width);
  let at = 0;
  let source = -1;
  for (let n = 0; n < columns.length; n += EDGE.width) {
    at += from.signed();
    source += from.signed();
    columns[n] = source;
    columns[n + EDGE.bits] = from.count();
    columns[n + EDGE.path] = from.count();
    columns[n + EDGE.target] = from.count() - 1;
    columns[n + EDGE.at] = at;
  }
  return columns;
}

function decodeAsked(from: ByteReader): Question[] {
  const strings = readStrings(from);
  const asked: Question[] = [];
  let before = '';
  for (let left = from.count(); left > 0; left -= 1) {
    before = before.slice(0, from.count()) + (strings[from.count()] as string);
    asked.push(before as Question);
  }
  return asked;
}
