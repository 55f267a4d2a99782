import { createByteWriter } from '../format/byte-writer.ts';

/** For each key a list of pairs of numbers, found by binary search without reading the others. */
export interface Postings<K> {
  readonly size: number;
  keyAt(index: number): K;
  /** -1 when it is not there. */
  find(key: K): number;
  each(index: number, visit: (first: number, second: number) => void): void;
}

/** Pairs whose first number never falls. */
export type Pairs = number[];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A piece of a file: whole words first, so that they can be used where they lie. */
export function writeNamedPostings(entries: ReadonlyMap<string, Pairs>): Uint8Array {
  const names = [...entries.keys()].sort();
  const text = encoder.encode(names.join(''));
  const nameEnds = new Uint32Array(names.length);
  let end = 0;
  names.forEach((name, index) => (nameEnds[index] = end += name.length));
  const { ends, body } = writeLists(names.map((name) => entries.get(name) ?? []));
  return join([Uint32Array.of(names.length, text.length), nameEnds, ends, text, body]);
}

export function writeNumberedPostings(entries: ReadonlyMap<number, Pairs>): Uint8Array {
  const keys = Uint32Array.from(entries.keys()).sort();
  const { ends, body } = writeLists(Array.from(keys, (key) => entries.get(key) ?? []));
  return join([Uint32Array.of(keys.length), keys, ends, body]);
}

function writeLists(lists: readonly Pairs[]): { readonly ends: Uint32Array; readonly body: Uint8Array } {
  const writer = createByteWriter();
  const ends = new Uint32Array(lists.length);
  lists.forEach((pairs, index) => {
    let last = 0;
    for (let n = 0; n < pairs.length; n += 2) {
      const first = pairs[n] as number;
      writer.count(first - last);
      writer.count(pairs[n + 1] as number);
      last = first;
    }
    ends[index] = writer.length;
  });
  return { ends, body: writer.finish() };
}

function join(parts: readonly (Uint8Array | Uint32Array)[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return joined;
}

/** `bytes` must begin at a multiple of four, as all sections of a snapshot do. */
export function openNamedPostings(bytes: Uint8Array): Postings<string> {
  const [size = 0, nameBytes = 0] = words(bytes, 0, 2);
  const nameEnds = words(bytes, 2, size);
  const ends = words(bytes, 2 + size, size);
  const start = (2 + 2 * size) * 4;
  // As one string: to take each out of the bytes by itself is ten times as slow.
  let names: string | undefined;
  const keyAt = (index: number): string => {
    names ??= decoder.decode(bytes.subarray(start, start + nameBytes));
    return names.slice(index === 0 ? 0 : nameEnds[index - 1], nameEnds[index]);
  };
  return { size, keyAt, find: finder(size, keyAt), each: lister(bytes, start + nameBytes, ends) };
}

export function openNumberedPostings(bytes: Uint8Array): Postings<number> {
  const [size = 0] = words(bytes, 0, 1);
  const keys = words(bytes, 1, size);
  const ends = words(bytes, 1 + size, size);
  const keyAt = (index: number) => keys[index] as number;
  return { size, keyAt, find: finder(size, keyAt), each: lister(bytes, (1 + 2 * size) * 4, ends) };
}

function words(bytes: Uint8Array, from: number, count: number): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset + from * 4, count);
}

function finder<K extends string | number>(size: number, keyAt: (index: number) => K): (key: K) => number {
  return (key) => {
    let low = 0;
    let high = size - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = keyAt(middle);
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };
}

function lister(bytes: Uint8Array, start: number, ends: Uint32Array): Postings<never>['each'] {
  return (index, visit) => {
    const end = start + (ends[index] as number);
    let at = start + (index === 0 ? 0 : (ends[index - 1] as number));
    let first = 0;
    // Most lists have one pair: a reader for each would take longer than to read it.
    const count = (): number => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] as number;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value;
      }
    };
    while (at < end) {
      first += count();
      visit(first, count());
    }
  };
}
