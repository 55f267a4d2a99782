/** Numbers and strings, one after the other, in as few bytes as their size takes. */
export interface ByteWriter {
  /** A whole number from 0 on, below 2^53. */
  count(value: number): void;
  /** A whole number of either sign. */
  signed(value: number): void;
  bytes(values: Uint8Array): void;
  readonly length: number;
  /** A copy of all that was written. */
  finish(): Uint8Array;
  reset(): void;
}

const TWO_TO_28 = 0x1000_0000;

export function createByteWriter(capacity = 16 << 10): ByteWriter {
  let buffer = new Uint8Array(capacity);
  let length = 0;

  function grow(more: number): void {
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + more));
    larger.set(buffer);
    buffer = larger;
  }

  function count(value: number): void {
    if (length + 8 > buffer.length) grow(8);
    let rest = value;
    // Bitwise operators would cut a larger one off.
    while (rest >= TWO_TO_28) {
      buffer[length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      buffer[length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[length++] = rest;
  }

  return {
    count,
    signed: (value) => count(value < 0 ? -value * 2 - 1 : value * 2),
    bytes(values) {
      if (length + values.length > buffer.length) grow(values.length);
      buffer.set(values, length);
      length += values.length;
    },
    get length() {
      return length;
    },
    finish: () => buffer.slice(0, length),
    reset() {
      length = 0;
    },
  };
}
