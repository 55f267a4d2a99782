import fc from 'fast-check';
import { EVENTS } from '../src/adapters/claude-code/names.ts';
import { readRecorded } from './fixtures/claude-code.ts';

/** Recorded payloads, and what may become of them on their way. */
export type Fields = Record<string, unknown>;
type Change = (fields: Fields) => void;
type Damage = (bytes: Uint8Array) => Uint8Array;

export const recorded = readRecorded().map(({ file, payload }) => ({ file, text: JSON.stringify(payload) }));

/** Objects of a payload down to the third level: the payload itself, its input, the edits in it. */
function objectsIn(value: unknown, depth = 0): Fields[] {
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return [value as Fields, ...Object.values(value).flatMap((each) => objectsIn(each, depth + 1))];
}

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % list.length];
}

/** Puts a value, given as JSON, in the place of any field, however deep. */
const replacing = (values: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.tuple(fc.nat(), fc.nat(), values).map(([object, key, value]) => (fields) => {
    const place = pick(objectsIn(fields), object) ?? fields;
    const name = pick(Object.keys(place), key);
    if (name !== undefined) place[name] = JSON.parse(value);
  });

const swapping: fc.Arbitrary<Change> = fc.tuple(fc.nat(), fc.nat(), fc.nat()).map(([object, a, b]) => (fields) => {
  const place = pick(objectsIn(fields), object) ?? fields;
  const [first, second] = [pick(Object.keys(place), a), pick(Object.keys(place), b)];
  if (first !== undefined && second !== undefined) [place[first], place[second]] = [place[second], place[first]];
});

const dropping: fc.Arbitrary<Change> = fc.tuple(fc.nat(), fc.nat()).map(([object, key]) => (fields) => {
  const place = pick(objectsIn(fields), object) ?? fields;
  delete place[pick(Object.keys(place), key) ?? ''];
});

const strayNames = ['', 'pretooluse', 'PreToolUse ', 'Stop\u0000', '__proto__', 'constructor', 'toString'];
const renaming: fc.Arbitrary<Change> = fc
  .oneof(fc.constantFrom(...EVENTS.map(({ name }) => name), ...strayNames), fc.string())
  .map((name) => (fields) => void (fields['hook_event_name'] = name));

const halves = fc.constantFrom('\ud83d', '\ude00', '\ud83d\ude00', 'é', '\u0000', '\u202e', 'a', 'git');
const texts = fc
  .oneof(
    fc.array(halves).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  )
  .map((text) => JSON.stringify(text));
export const hugeTexts = fc
  .tuple(
    fc.constantFrom('x', 'git push --force ', '\ud83d', '<<<<<<< ', '"\\'),
    fc.integer({ min: 1_000, max: 30_000 }),
  )
  .map(([text, times]) => JSON.stringify(text.repeat(times)));
export const nests = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"command":', '}']), fc.integer({ min: 1, max: 3_000 }))
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}"core"${close.repeat(depth)}`);

const change: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: replacing(fc.json()), weight: 4 },
  { arbitrary: replacing(texts), weight: 4 },
  { arbitrary: replacing(nests), weight: 1 },
  { arbitrary: replacing(hugeTexts), weight: 1 },
  { arbitrary: renaming, weight: 2 },
  { arbitrary: swapping, weight: 2 },
  { arbitrary: dropping, weight: 2 },
);

const damage: fc.Arbitrary<Damage> = fc.oneof(
  { arbitrary: fc.constant<Damage>((bytes) => bytes), weight: 6 },
  { arbitrary: fc.nat().map((at) => (bytes: Uint8Array) => bytes.subarray(0, at % bytes.length)), weight: 2 },
  {
    arbitrary: fc
      .array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 })
      .map((flips) => (bytes: Uint8Array) => {
        const copy = Uint8Array.from(bytes);
        for (const [at, byte] of flips) copy[at % copy.length] = byte;
        return copy;
      }),
    weight: 2,
  },
  { arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => () => bytes), weight: 1 },
);

/** A recorded payload, up to three changes of its fields, and damage to its bytes. */
export const mutated = fc.tuple(fc.constantFrom(...recorded), fc.array(change, { maxLength: 3 }), damage);

export const encode = (fields: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(fields));
