import { decodeMessage } from '../otlp/protobuf.ts';
import type { ProtoField } from '../otlp/protobuf.ts';
import { NEWEST_SEQUENCE } from '../record/chain.ts';
import type { Content, Value } from '../record/chain.ts';
import { textIn } from './exported.ts';
import type { Exported, Group, Newest, Pairs } from './exported.ts';

class NoMessage extends Error {}

const decoder = new TextDecoder('utf-8', { fatal: true });
const NOTHING = new Uint8Array();

/** The fields of one message by their numbers. */
class Message {
  readonly fields: readonly ProtoField[];

  constructor(bytes: Uint8Array) {
    const fields = decodeMessage(bytes);
    if (!fields) throw new NoMessage();
    this.fields = fields;
  }

  all(number: number): Uint8Array[] {
    return this.fields.flatMap(({ field, value }) => (field === number && typeof value !== 'number' ? [value] : []));
  }

  messages(number: number): Message[] {
    return this.all(number).map((bytes) => new Message(bytes));
  }

  /** An empty one where it is missing. */
  message(number: number): Message {
    return new Message(this.all(number).at(-1) ?? NOTHING);
  }

  text(number: number): string {
    return decoder.decode(this.all(number).at(-1) ?? NOTHING);
  }

  hex(number: number): string {
    return Buffer.from(this.all(number).at(-1) ?? NOTHING).toString('hex');
  }

  number(number: number): number {
    const found = this.fields.findLast(({ field, value }) => field === number && typeof value === 'number')?.value;
    return typeof found === 'number' ? found : 0;
  }

  /** Of four or eight bytes. */
  fixed(number: number): bigint {
    return (
      this.all(number)
        .at(-1)
        ?.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n) ?? 0n
    );
  }
}

/** The body of a request; undefined where it is none. Logs and metrics have the same shell, and only one of them what we look for. */
export function exportedInProtobuf(bytes: Uint8Array): Exported | undefined {
  try {
    const resources = new Message(bytes).messages(1);
    const groups = attempt(() => resources.flatMap(groupsIn));
    const newest = attempt(() => resources.flatMap(newestIn));
    return groups || newest ? { groups: groups ?? [], newest: newest ?? [] } : undefined;
  } catch {
    return undefined;
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function groupsIn(resourceLogs: Message): Group[] {
  const resource = pairsOf(resourceLogs.message(1), 1);
  return resourceLogs.messages(2).map((scopeLogs) => {
    const scope = scopeLogs.message(1);
    return {
      resource,
      scope: { name: scope.text(1), version: scope.text(2) },
      records: scopeLogs.messages(2).map(recordOf),
    };
  });
}

function recordOf(record: Message): Content {
  return {
    at: String(record.fixed(1)),
    severity: record.number(2),
    severityText: record.text(3),
    body: valueOf(record.message(5)),
    attributes: pairsOf(record, 6),
    flags: Number(record.fixed(8)),
    trace: record.hex(9),
    span: record.hex(10),
    name: record.text(12),
  };
}

function pairsOf(holder: Message, field: number): Pairs {
  return holder.messages(field).map((pair) => [pair.text(1), valueOf(pair.message(2))] as const);
}

function valueOf(any: Message): Value {
  const { field, value } = any.fields.at(-1) ?? { field: 1, value: NOTHING };
  if (any.fields.length < 2) {
    if (field === 1 && typeof value !== 'number') return decoder.decode(value);
    if (field === 2 && typeof value === 'number') return value === 1;
    if (field === 3 && typeof value === 'number') return value;
    if (field === 5 && typeof value !== 'number') return new Message(value).messages(1).map(valueOf);
  }
  return { unknown: JSON.stringify(any.fields.map((one) => [one.field, String(one.value)])) };
}

function newestIn(resourceMetrics: Message): Newest[] {
  const machine = textIn(pairsOf(resourceMetrics.message(1), 1), 'service.instance.id');
  if (machine === undefined) return [];
  return resourceMetrics
    .messages(2)
    .flatMap((scope) => scope.messages(2))
    .filter((metric) => attempt(() => metric.text(1)) === NEWEST_SEQUENCE)
    .flatMap((metric) => metric.message(5).messages(1))
    .map((point) => ({ machine, sequence: Number(point.fixed(6)) }));
}
