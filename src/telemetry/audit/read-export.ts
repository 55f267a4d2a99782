import { readChunks } from '../../platform/read-chunks.ts';
import { messageOf } from '../../text/message-of.ts';
import { textIn } from './exported.ts';
import type { Exported, Group, Newest, Pairs } from './exported.ts';
import { exportedInProtobuf } from './protobuf-export.ts';
import { NEWEST_SEQUENCE } from '../record/chain.ts';
import type { Content, Value } from '../record/chain.ts';

/** Whatever stands in a file. */
type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(objectOf) : []);
/** Numbers of 64 bits are texts in JSON. */
const digitsOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A line as the file exporter of a collector writes it, or the body of a request in JSON. */
export function exportedInJson(value: unknown): Exported {
  const all = Array.isArray(value) ? listOf(value) : [objectOf(value)];
  return {
    groups: all.flatMap(({ resourceLogs }) => listOf(resourceLogs).flatMap(groupsIn)),
    newest: all.flatMap(({ resourceMetrics }) => listOf(resourceMetrics).flatMap(newestIn)),
  };
}

function groupsIn({ resource, scopeLogs }: Json): Group[] {
  return listOf(scopeLogs).map(({ scope, logRecords }) => ({
    resource: pairsOf(objectOf(resource)['attributes']),
    scope: { name: textOf(objectOf(scope)['name']), version: textOf(objectOf(scope)['version']) },
    records: listOf(logRecords).map(recordOf),
  }));
}

function recordOf(raw: Json): Content {
  return {
    at: digitsOf(raw['timeUnixNano']),
    severity: Number(raw['severityNumber'] ?? 0),
    severityText: textOf(raw['severityText']),
    body: valueOf(raw['body']),
    attributes: pairsOf(raw['attributes']),
    flags: Number(raw['flags'] ?? 0),
    trace: textOf(raw['traceId']).toLowerCase(),
    span: textOf(raw['spanId']).toLowerCase(),
    name: textOf(raw['eventName']),
  };
}

function pairsOf(attributes: unknown): Pairs {
  return listOf(attributes).map(({ key, value }) => [textOf(key), valueOf(value)] as const);
}

function valueOf(any: unknown): Value {
  const entries = Object.entries(objectOf(any));
  // An empty text is what a missing one says.
  if (entries.length === 0) return '';
  const [[kind, value] = ['', undefined]] = entries;
  if (entries.length === 1) {
    if (kind === 'stringValue' && typeof value === 'string') return value;
    if (kind === 'boolValue' && typeof value === 'boolean') return value;
    if (kind === 'intValue' && /^-?\d{1,15}$/.test(digitsOf(value))) return Number(value);
    if (kind === 'arrayValue') return listOf(objectOf(value)['values']).map(valueOf);
  }
  return { unknown: JSON.stringify(any) };
}

function newestIn({ resource, scopeMetrics }: Json): Newest[] {
  const machine = textIn(pairsOf(objectOf(resource)['attributes']), 'service.instance.id');
  if (machine === undefined) return [];
  return listOf(scopeMetrics)
    .flatMap(({ metrics }) => listOf(metrics))
    .filter(({ name }) => name === NEWEST_SEQUENCE)
    .flatMap(({ gauge }) => listOf(objectOf(gauge)['dataPoints']))
    .map(({ asInt }) => ({ machine, sequence: Number(asInt) }))
    .filter(({ sequence }) => Number.isSafeInteger(sequence));
}

/** A piece of a file, as it was written there; without `exported` it cannot be read. */
export interface Piece {
  /** A line, or a message, counted from 1. */
  readonly at: number;
  readonly exported?: Exported;
  /** What is wrong with it. */
  readonly problem?: string;
}

const LINE_END = 10;
const [BRACE, BRACKET] = [0x7b, 0x5b];
const SPACES: ReadonlySet<number | undefined> = new Set([9, 10, 13, 32]);
/** No longer than a text may be. */
const LONGEST = 256 * 1024 * 1024;

/** The pieces of an export: lines of OTLP in JSON, messages in protobuf, either of them in gzip. Throws where nothing can be read. */
export async function* readExport(path: string): AsyncGenerator<Piece> {
  let count = 0;
  let rest: Uint8Array[] = [];
  let kind: 'lines' | 'whole' | 'protobuf' | undefined;
  try {
    for await (const chunk of readChunks(path)) {
      kind ??= kindOf(chunk);
      if (kind === undefined) continue;
      if (kind !== 'lines') rest.push(chunk);
      else {
        const lines = linesIn(chunk, rest);
        rest = lines.rest;
        for (const line of lines.whole) yield pieceOf(line, (count += 1));
      }
    }
  } catch (error) {
    if (count === 0 && rest.length === 0) throw error;
    yield { at: count + 1, problem: `ends before it should (${messageOf(error)})` };
  }
  const last = Buffer.concat(rest);
  if (kind === 'protobuf') yield* messagesIn(last);
  else if (last.length > 0) yield pieceOf(last, count + 1);
}

/** JSON that somebody has broken into lines is read as one. */
function kindOf(chunk: Uint8Array): 'lines' | 'whole' | 'protobuf' | undefined {
  const at = chunk.findIndex((byte) => !SPACES.has(byte));
  if (at < 0) return undefined;
  if (chunk[at] !== BRACE && chunk[at] !== BRACKET) return 'protobuf';
  const next = chunk.subarray(at + 1, at + 4);
  return next.length > 0 && SPACES.has(next[0]) && next.includes(LINE_END) ? 'whole' : 'lines';
}

function linesIn(
  chunk: Uint8Array,
  before: readonly Uint8Array[],
): { readonly whole: readonly Uint8Array[]; readonly rest: Uint8Array[] } {
  const whole: Uint8Array[] = [];
  let parts = [...before];
  let from = 0;
  for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
    whole.push(Buffer.concat([...parts, chunk.subarray(from, end)]));
    parts = [];
    from = end + 1;
  }
  return { whole, rest: [...parts, chunk.subarray(from)] };
}

function pieceOf(line: Uint8Array, at: number): Piece {
  if (line.length > LONGEST) return { at, problem: 'is too long' };
  const text = new TextDecoder().decode(line).trim();
  if (text === '') return { at, exported: { groups: [], newest: [] } };
  try {
    return { at, exported: exportedInJson(JSON.parse(text)) };
  } catch {
    return { at, problem: 'is cut off, or is no JSON' };
  }
}

/** Each with its length before it, as the file exporter writes them; else all is one. */
function* messagesIn(bytes: Buffer): Generator<Piece> {
  const first = bytes.length > 4 ? bytes.readUInt32BE(0) : 0;
  const isSized = first > 0 && first + 4 <= bytes.length && exportedInProtobuf(bytes.subarray(4, first + 4));
  if (!isSized) return yield messagePiece(bytes, 1);
  for (let from = 0, at = 1; from < bytes.length; at += 1) {
    const size = from + 4 <= bytes.length ? bytes.readUInt32BE(from) : Number.POSITIVE_INFINITY;
    if (from + 4 + size > bytes.length) return yield { at, problem: 'is cut off' };
    yield messagePiece(bytes.subarray(from + 4, from + 4 + size), at);
    from += 4 + size;
  }
}

function messagePiece(bytes: Uint8Array, at: number): Piece {
  const exported = exportedInProtobuf(bytes);
  return exported ? { at, exported } : { at, problem: 'is no message of OTLP' };
}
