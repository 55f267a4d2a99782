import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import * as generated from '@opentelemetry/otlp-transformer/build/src/generated/root.js';

interface Message {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
  toObject(message: object, how: object): Readonly<Record<string, unknown>>;
}

interface Services {
  readonly v1: Readonly<Record<string, Message>>;
}

/** Made of the official definitions by those who publish them. */
const { collector } = (
  generated as unknown as {
    readonly default: { readonly opentelemetry: { readonly proto: { readonly collector: Record<string, Services> } } };
  }
).default.opentelemetry.proto;

const messageOf = (signal: string, end: 'Request' | 'Response'): Message => {
  const name = `Export${signal === 'logs' ? 'Logs' : 'Metrics'}Service${end}`;
  return collector[signal]?.v1[name] as Message;
};

export type Attributes = Readonly<Record<string, unknown>>;

export interface ReceivedRecord {
  readonly name: string;
  readonly at: number;
  readonly severity: string;
  readonly body: string;
  readonly attributes: Attributes;
  /** In hex; empty without a trace. */
  readonly trace: string;
  readonly span: string;
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly {
    readonly attributes: Attributes;
    readonly value: number;
    readonly start: number;
    readonly at: number;
    readonly counts: readonly number[];
  }[];
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** `drip`: a head, and then a byte now and again. */
export type Behaviour = number | Answer | 'hang' | 'drip' | 'flood' | 'reset';

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly records: ReceivedRecord[];
  readonly metrics: ReceivedMetric[];
  /** The requests that it kept, as lines of a collector's file exporter. */
  readonly exported: { readonly signal: string; readonly line: string; readonly bytes: Uint8Array }[];
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly bytes: number;
    readonly resource: Attributes;
    readonly schemas: readonly string[];
  }[];
  /** What it does, in turn; the last one from then on. What it answers with 200, it keeps. */
  behaviours: Behaviour[];
  close(): Promise<void>;
}

export async function openReceiver(port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const behaviour = receiver.behaviours.length > 1 ? receiver.behaviours.shift() : receiver.behaviours[0];
      const isKept =
        behaviour === 200 || (typeof behaviour === 'object' && behaviour.status === 200) || behaviour === 'reset';
      take(receiver, request.url ?? '', request.headers, Buffer.concat(chunks), isKept);
      answer(response, behaviour);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    records: [],
    metrics: [],
    requests: [],
    exported: [],
    behaviours: [200],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** What a receiver answers that left some out. */
export function partialSuccess(rejectedLogRecords: number, errorMessage: string): Answer {
  const body = messageOf('logs', 'Response').encode({ partialSuccess: { rejectedLogRecords, errorMessage } }).finish();
  return { status: 200, body };
}

function take(receiver: Receiver, path: string, headers: IncomingHttpHeaders, sent: Uint8Array, isKept: boolean): void {
  const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
  const signal = path.endsWith('/v1/logs') ? 'logs' : 'metrics';
  const { resources, schemas } = readRequest(signal, bytes);
  const [first] = resources;
  receiver.requests.push({ path, headers, bytes: sent.length, resource: attributesOf(first?.resource), schemas });
  if (!isKept) return;
  receiver.exported.push({ signal, line: lineOf(signal, bytes), bytes });
  for (const { scopeLogs = [], scopeMetrics = [] } of resources) {
    for (const { logRecords = [] } of scopeLogs) receiver.records.push(...logRecords.map(toRecord));
    for (const { metrics = [] } of scopeMetrics) receiver.metrics.push(...metrics.map(toMetric));
  }
}

interface Raw {
  readonly [field: string]: unknown;
}
interface RawScope {
  readonly schemaUrl?: string;
  readonly logRecords?: readonly Raw[];
  readonly metrics?: readonly Raw[];
}
interface RawResource {
  readonly resource?: Raw;
  readonly schemaUrl?: string;
  readonly scopeLogs?: readonly RawScope[];
  readonly scopeMetrics?: readonly RawScope[];
}

/** Decoded by the official code, which would skip what it does not know: so it must come out as it came in. */
export function readRequest(
  signal: string,
  bytes: Uint8Array,
): { readonly resources: readonly RawResource[]; readonly schemas: readonly string[] } {
  const message = messageOf(signal, 'Request');
  const decoded = message.decode(bytes);
  if (!Buffer.from(message.encode(decoded).finish()).equals(bytes)) throw new Error('not as the definitions have it');
  const { resourceLogs, resourceMetrics } = message.toObject(decoded, {
    longs: Number,
    enums: String,
    bytes: Buffer,
  }) as {
    resourceLogs?: RawResource[];
    resourceMetrics?: RawResource[];
  };
  const resources = resourceLogs ?? resourceMetrics ?? [];
  const scopes = resources.flatMap(({ scopeLogs = [], scopeMetrics = [] }) => [...scopeLogs, ...scopeMetrics]);
  return { resources, schemas: [...resources, ...scopes].map(({ schemaUrl = '' }) => schemaUrl) };
}

/** As OTLP has it in JSON: ids in hex, numbers of 64 bits as texts. */
function lineOf(signal: string, bytes: Uint8Array): string {
  const message = messageOf(signal, 'Request');
  const how = { longs: String, enums: Number, bytes: Buffer };
  return JSON.stringify(message.toObject(message.decode(bytes), how), (_key, value: unknown) => {
    const isBytes = typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'Buffer';
    return isBytes ? Buffer.from((value as { data: number[] }).data).toString('hex') : value;
  });
}

function valueOf(any: Raw | undefined): unknown {
  const { stringValue, intValue, boolValue, arrayValue } = any ?? {};
  const list = (arrayValue as { values?: Raw[] } | undefined)?.values;
  return stringValue ?? intValue ?? boolValue ?? list?.map(valueOf);
}

function attributesOf(holder: Raw | undefined): Attributes {
  const pairs = (holder?.['attributes'] ?? []) as { key: string; value: Raw }[];
  return Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]));
}

const hex = (bytes: unknown): string => (bytes === undefined ? '' : Buffer.from(bytes as Uint8Array).toString('hex'));

function toRecord(raw: Raw): ReceivedRecord {
  return {
    name: String(raw['eventName']),
    at: Number(raw['timeUnixNano']) / 1e6,
    severity: String(raw['severityText']),
    body: String(valueOf(raw['body'] as Raw)),
    attributes: attributesOf(raw),
    trace: hex(raw['traceId']),
    span: hex(raw['spanId']),
  };
}

function toMetric(raw: Raw): ReceivedMetric {
  const data = (raw['sum'] ?? raw['histogram'] ?? raw['gauge']) as { dataPoints?: Raw[] };
  return {
    name: String(raw['name']),
    unit: String(raw['unit']),
    points: (data.dataPoints ?? []).map((point) => ({
      attributes: attributesOf(point),
      value: Number(point['asInt'] ?? point['count']),
      start: Number(point['startTimeUnixNano'] ?? 0) / 1e6,
      at: Number(point['timeUnixNano']) / 1e6,
      counts: ((point['bucketCounts'] ?? []) as number[]).map(Number),
    })),
  };
}

function answer(response: ServerResponse, behaviour: Behaviour = 200): void {
  response.on('error', () => {});
  if (behaviour === 'hang') return;
  if (behaviour === 'reset') return void response.destroy();
  if (behaviour === 'drip' || behaviour === 'flood') {
    response.writeHead(200);
    const write = () => {
      if (response.destroyed) return;
      response.write(Buffer.alloc(behaviour === 'flood' ? 65_536 : 1));
      setTimeout(write, behaviour === 'flood' ? 0 : 20).unref();
    };
    return write();
  }
  const { status, headers = {}, body = '' } = typeof behaviour === 'number' ? { status: behaviour } : behaviour;
  response.writeHead(status, headers).end(body);
}
