import { NEWEST_SEQUENCE } from '../record/chain.ts';
import type { Content, Value } from '../record/chain.ts';
import { textIn } from './exported.ts';
import type { Exported, Group, Newest, Pairs } from './exported.ts';

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
