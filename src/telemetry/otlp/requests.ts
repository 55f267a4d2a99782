import { VERSION } from '../../platform/build.ts';
import { HEAD, KEY, PREVIOUS, SIGNATURE } from '../record/chain.ts';
import type { Attributes, Content, Value } from '../record/chain.ts';
import { encodeMessage } from './protobuf.ts';
import type { ProtoWriter } from './protobuf.ts';

/** The semantic conventions whose names are used; the last version of that registry that has those of generative AI. */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.41.0';
const SCOPE = 'fairlead';

/** Both signals have the same shell: a resource, a scope in it, and the items of the scope. Records say whose key signs them. */
export function encodeRequest(machine: string, items: readonly Uint8Array[], key?: string): Uint8Array {
  return encodeMessage((request) => {
    request.message(1, (inResource) => {
      inResource.message(1, (resource) =>
        writeAttributes(resource, 1, {
          'service.name': SCOPE,
          'service.version': VERSION,
          'service.instance.id': machine,
          [KEY]: key,
        }),
      );
      inResource.message(2, (inScope) => {
        inScope.message(1, (scope) => {
          scope.text(1, SCOPE);
          scope.text(2, VERSION);
        });
        for (const item of items) inScope.bytes(2, item);
        inScope.text(3, SCHEMA_URL);
      });
      inResource.text(3, SCHEMA_URL);
    });
  });
}

export function writeAttributes(writer: ProtoWriter, field: number, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined)
      writer.message(field, (pair) => {
        pair.text(1, key);
        pair.message(2, (any) => writeValue(any, value));
      });
}

function writeValue(any: ProtoWriter, value: Value): void {
  if (typeof value === 'string') any.text(1, value);
  else if (typeof value === 'boolean') any.uint(2, Number(value));
  else if (typeof value === 'number') any.uint(3, value);
  else if (!('unknown' in value))
    any.message(5, (list) => {
      for (const one of value) list.message(1, (inner) => writeValue(inner, one));
    });
}

/** Where a record stands in the chain. */
export interface ChainMark {
  readonly previous: string;
  readonly head: string;
  readonly signature: string;
}

export function encodeRecord(content: Content, { previous, head, signature }: ChainMark): Uint8Array {
  return encodeMessage((record) => {
    record.fixed64(1, BigInt(content.at));
    record.uint(2, content.severity);
    record.text(3, content.severityText);
    record.message(5, (body) => writeValue(body, content.body));
    writeAttributes(record, 6, Object.fromEntries(content.attributes));
    writeAttributes(record, 6, { [PREVIOUS]: previous, [HEAD]: head, [SIGNATURE]: signature });
    if (content.trace !== '') {
      record.fixed32(8, content.flags);
      record.bytes(9, Buffer.from(content.trace, 'hex'));
      record.bytes(10, Buffer.from(content.span, 'hex'));
    }
    record.text(12, content.name);
  });
}

export const nanosOf = (ms: number): bigint => BigInt(Math.max(0, Math.round(ms))) * 1_000_000n;
