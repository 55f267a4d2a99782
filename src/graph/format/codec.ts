import { createByteReader, DamagedBytes } from './byte-reader.ts';
import type { ByteReader } from './byte-reader.ts';
import { createByteWriter } from './byte-writer.ts';
import { maskOf, wordsOf } from './codes.ts';
import { createStringTable, readStrings } from './string-table.ts';
import type { StringTable } from './string-table.ts';

/** How values of one kind are written and read. */
export interface Codec<T> {
  write(value: T): void;
  /** `parts` is the number in which a record says which of its fields follow. */
  read(parts: number): T;
  /** It may read undefined: then the field is left out. */
  readonly isOptional?: boolean;
}

/** A field as some bits of a number, or whether it follows. */
export interface Bits<T> {
  /** Absent: all bits that are left. */
  readonly width?: number;
  pack(value: T): number;
  /** Absent where the bits only say whether the field follows. */
  unpack?(bits: number): T;
  /** What a field is that does not follow; absent where it is left out. */
  absent?(): T;
  readonly isOptional?: boolean;
}

/** What is written or read at present: one value after the other. */
const body = createByteWriter(64 << 10);
const head = createByteWriter(16 << 10);
let strings: StringTable;
let mapOffset: ((offset: number) => number) | undefined;
let from: ByteReader;
let words: readonly string[];
let lastOffset = 0;

/** The strings, each once, and then the value. With `map`, what that returns stands for an offset. */
export function toBytes<T>(codec: Codec<T>, value: T, map?: (offset: number) => number): Uint8Array {
  strings = createStringTable();
  mapOffset = map;
  lastOffset = 0;
  body.reset();
  codec.write(value);
  head.reset();
  strings.writeTo(head);
  head.bytes(body.finish());
  return head.finish();
}

/** Throws `DamagedBytes` for what `toBytes` cannot have written. */
export function fromBytes<T>(codec: Codec<T>, bytes: Uint8Array): T {
  from = createByteReader(bytes);
  words = readStrings(from);
  lastOffset = 0;
  return codec.read(0);
}

export const count: Codec<number> = { write: (value) => body.count(value), read: () => from.count() };
export const signed: Codec<number> = { write: (value) => body.signed(value), read: () => from.signed() };
export const text: Codec<string> = {
  write: (value) => body.count(strings.numberOf(value)),
  read: () => entryOf(words, from.count()),
};
export const maybeText: Codec<string | undefined> = {
  write: (value) => body.count(value === undefined ? 0 : strings.numberOf(value) + 1),
  read() {
    const number = from.count();
    return number === 0 ? undefined : entryOf(words, number - 1);
  },
  isOptional: true,
};
/** As the distance from the one before. */
export const offset: Codec<number> = {
  write(value) {
    const mapped = mapOffset === undefined ? value : mapOffset(value);
    body.signed(mapped - lastOffset);
    lastOffset = mapped;
  },
  read: () => (lastOffset += from.signed()),
};

/** The next distance is counted from here. */
export function countFrom(value: number, how: 'written' | 'read'): void {
  lastOffset = how === 'read' || mapOffset === undefined ? value : mapOffset(value);
}

export const oneOf = <T>(known: readonly T[]): Codec<T> => ({
  write: (value) => body.count(known.indexOf(value)),
  read: () => entryOf(known, from.count()),
});

export const someOf = <T>(known: readonly T[]): Codec<readonly T[]> => ({
  write: (value) => body.count(maskOf(value, known)),
  read: () => wordsOf(from.count(), known),
});

/** How many there are, and each. */
export const list = <T>(item: Codec<T>): Codec<readonly T[]> => ({
  write(value) {
    body.count(value.length);
    for (const each of value) item.write(each);
  },
  read: () => readItems(item, from.count()),
});

/** Each; how many there are stands in `parts`, from this bit on. */
export const items = <T>(item: Codec<T>, bit: number): Codec<readonly T[]> => ({
  write(value) {
    for (const each of value) item.write(each);
  },
  read: (parts) => readItems(item, parts >> bit),
});

function readItems<T>(item: Codec<T>, total: number): T[] {
  const made: T[] = [];
  for (let left = total; left > 0; left -= 1) made.push(item.read(0));
  return made;
}

/** The field follows where it is there. */
export const follows: Bits<never> = { width: 1, pack: (value: unknown) => (value === undefined ? 0 : 1) };
const NONE: readonly never[] = [];
/** The list follows where it is not empty. */
export const followsFilled: Bits<readonly never[]> = {
  width: 1,
  pack: (value) => (value.length === 0 ? 0 : 1),
  absent: () => NONE,
};
/** How many items follow. */
export const length: Bits<readonly never[]> = { pack: (value) => value.length };
export const rest: Bits<number> = { pack: (value) => value, unpack: (bits) => bits };
export const flag: Bits<boolean> = { width: 1, pack: (value) => (value ? 1 : 0), unpack: (bits) => bits === 1 };
/** Absent, false and true are three. */
export const maybeFlag: Bits<boolean | undefined> = {
  width: 2,
  pack: (value) => (value === undefined ? 0 : value ? 3 : 1),
  unpack: (bits) => (bits === 0 ? undefined : bits === 3),
  isOptional: true,
};
export const wordIn = <T>(known: readonly T[], width?: number): Bits<T> => ({
  ...(width !== undefined && { width }),
  pack: (value) => known.indexOf(value),
  unpack: (bits) => entryOf(known, bits),
});

export function entryOf<T>(known: readonly T[], index: number): T {
  const found = known[index];
  if (found === undefined) throw new DamagedBytes(`the data names entry ${index} of ${known.length}`);
  return found;
}
