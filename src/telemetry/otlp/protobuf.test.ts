import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { decodeMessage, encodeMessage } from './protobuf.ts';

it('what was written is read, however long', () => {
  const part = fc.oneof(
    fc.record({ field: fc.integer({ min: 1, max: 5_000 }), value: fc.maxSafeNat() }),
    fc.record({ field: fc.integer({ min: 1, max: 5_000 }), value: fc.uint8Array({ maxLength: 20_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const bytes = encodeMessage((writer) => {
        writer.message(1, (inner) => {
          for (const { field, value } of parts)
            if (typeof value === 'number') inner.uint(field, value);
            else inner.bytes(field, value);
        });
      });
      const [outer] = decodeMessage(bytes) ?? [];
      const read = decodeMessage(outer?.value as Uint8Array) ?? [];
      expect(
        read.map(({ field, value }) => ({ field, value: typeof value === 'number' ? value : [...value] })),
      ).toEqual(parts.map(({ field, value }) => ({ field, value: typeof value === 'number' ? value : [...value] })));
    }),
    cases(500),
  );
});

it('whatever a receiver answers is a message or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const fields = decodeMessage(bytes);
      for (const { value } of fields ?? [])
        expect(typeof value === 'number' ? value >= 0 : value.length <= bytes.length).toBe(true);
    }),
    cases(20_000),
  );
});
