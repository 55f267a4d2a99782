import { VERSION } from '../../platform/build.ts';
import { encodeMessage } from './protobuf.ts';
import type { ProtoWriter } from './protobuf.ts';

/** The semantic conventions whose names are used; the last version of that registry that has those of generative AI. */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.41.0';
const SCOPE = 'fairlead';

export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Both signals have the same shell: a resource, a scope in it, and the items of the scope. */
export function encodeRequest(machine: string, items: readonly Uint8Array[]): Uint8Array {
  return encodeMessage((request) => {
    request.message(1, (inResource) => {
      inResource.message(1, (resource) =>
        writeAttributes(resource, 1, {
          'service.name': SCOPE,
          'service.version': VERSION,
          'service.instance.id': machine,
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

export function writeValue(any: ProtoWriter, value: AttributeValue): void {
  if (typeof value === 'string') any.text(1, value);
  else if (typeof value === 'boolean') any.uint(2, Number(value));
  else if (typeof value === 'number') any.uint(3, value);
  else
    any.message(5, (list) => {
      for (const one of value) list.message(1, (inner) => inner.text(1, one));
    });
}

export const nanosOf = (ms: number): bigint => BigInt(Math.max(0, Math.round(ms))) * 1_000_000n;
