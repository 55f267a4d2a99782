/** Reads what a `ByteWriter` wrote. What ends too early is damage, and throws. */
export interface ByteReader {
  count(): number;
  signed(): number;
  bytes(length: number): Uint8Array;
  skip(length: number): void;
  /** Another one that begins where this one stands. */
  again(): ByteReader;
  readonly at: number;
}

export class DamagedBytes extends Error {}

export function createByteReader(source: Uint8Array, from = 0, to = source.length): ByteReader {
  let at = from;

  function count(): number {
    const first = source[at++] as number;
    if (at > to) throw new DamagedBytes('the data ends too early');
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let scale = 128;
    for (;;) {
      const next = source[at++] as number;
      if (at > to) throw new DamagedBytes('the data ends too early');
      value += (next & 0x7f) * scale;
      if (next < 0x80) return value;
      scale *= 128;
    }
  }

  function skip(length: number): void {
    at += length;
    if (at > to) throw new DamagedBytes('the data ends too early');
  }

  return {
    count,
    signed() {
      const value = count();
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    },
    bytes(length) {
      const start = at;
      skip(length);
      return source.subarray(start, at);
    },
    skip,
    again: () => createByteReader(source, at, to),
    get at() {
      return at;
    },
  };
}
