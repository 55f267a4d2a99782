/** As much of the protobuf wire format as the messages of OTLP need: nothing here knows what a field means. */
export interface ProtoWriter {
  /** An unsigned number below 2^53. Zero is what a missing field says. */
  uint(field: number, value: number): void;
  double(field: number, value: number): void;
  fixed32(field: number, value: number): void;
  fixed64(field: number, value: bigint): void;
  text(field: number, value: string): void;
  bytes(field: number, value: Uint8Array): void;
  message(field: number, write: (inner: ProtoWriter) => void): void;
  /** Numbers of eight bytes, one behind the other. */
  packed(field: number, values: readonly (number | bigint)[]): void;
}

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FOUR_BYTES = 5;

export function encodeMessage(write: (writer: ProtoWriter) => void): Uint8Array {
  const writer = new GrowingWriter();
  write(writer);
  return writer.bytesSoFar();
}

/** All of a message lies in one buffer: records are made while events may arrive, and have a hundred parts each. */
class GrowingWriter implements ProtoWriter {
  #buffer = Buffer.allocUnsafe(1_024);
  #at = 0;

  bytesSoFar(): Uint8Array {
    return this.#buffer.subarray(0, this.#at);
  }

  uint(field: number, value: number): void {
    this.#tag(field, VARINT);
    this.#varint(value);
  }

  double(field: number, value: number): void {
    this.#tag(field, EIGHT_BYTES);
    this.#eight(value);
  }

  fixed32(field: number, value: number): void {
    this.#tag(field, FOUR_BYTES);
    this.#room(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  fixed64(field: number, value: bigint): void {
    this.#tag(field, EIGHT_BYTES);
    this.#eight(value);
  }

  text(field: number, value: string): void {
    const size = Buffer.byteLength(value);
    this.#tag(field, LENGTH);
    this.#varint(size);
    this.#room(size);
    this.#at += this.#buffer.write(value, this.#at);
  }

  bytes(field: number, value: Uint8Array): void {
    this.#tag(field, LENGTH);
    this.#varint(value.length);
    this.#room(value.length);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
  }

  message(field: number, write: (inner: ProtoWriter) => void): void {
    this.#tag(field, LENGTH);
    this.#sized(() => write(this));
  }

  packed(field: number, values: readonly (number | bigint)[]): void {
    this.#tag(field, LENGTH);
    this.#sized(() => {
      for (const value of values) this.#eight(value);
    });
  }

  /** The length stands before what it is the length of; one byte is kept free for it, which mostly suffices. */
  #sized(write: () => void): void {
    this.#room(1);
    const start = this.#at;
    this.#at += 1;
    write();
    const size = this.#at - start - 1;
    const more = varintSize(size) - 1;
    this.#room(more);
    if (more > 0) this.#buffer.copyWithin(start + 1 + more, start + 1, this.#at);
    this.#at = start;
    this.#varint(size);
    this.#at += size;
  }

  #tag(field: number, wire: number): void {
    this.#varint(field * 8 + wire);
  }

  #varint(value: number): void {
    this.#room(10);
    let left = value;
    for (; left > 127; left = Math.floor(left / 128)) this.#buffer[this.#at++] = (left % 128) + 128;
    this.#buffer[this.#at++] = left;
  }

  #eight(value: number | bigint): void {
    this.#room(8);
    this.#at =
      typeof value === 'bigint'
        ? this.#buffer.writeBigUInt64LE(value, this.#at)
        : this.#buffer.writeDoubleLE(value, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes));
    grown.set(this.#buffer.subarray(0, this.#at));
    this.#buffer = grown;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let left = value; left > 127; left = Math.floor(left / 128)) size += 1;
  return size;
}

export interface ProtoField {
  readonly field: number;
  readonly value: number | Uint8Array;
}

/** The numbers, the sized fields and those of four or eight bytes of a message; undefined for what is none. Whoever sent it may be anybody. */
export function decodeMessage(bytes: Uint8Array): readonly ProtoField[] | undefined {
  const fields: ProtoField[] = [];
  let at = 0;

  function number(): number {
    let value = 0;
    for (let shift = 1; at < bytes.length; shift *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 128) * shift;
      if (byte < 128) return value;
      if (shift > 2 ** 56) break;
    }
    return Number.NaN;
  }

  while (at < bytes.length) {
    const tag = number();
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (wire === VARINT) fields.push({ field, value: number() });
    else if (wire === LENGTH) {
      const end = number() + at;
      if (!(end <= bytes.length)) return undefined;
      fields.push({ field, value: bytes.subarray(at, end) });
      at = end;
    } else if (wire === EIGHT_BYTES || wire === FOUR_BYTES) {
      const size = wire === EIGHT_BYTES ? 8 : 4;
      fields.push({ field, value: bytes.subarray(at, at + size) });
      at += size;
    } else return undefined;
  }
  return at === bytes.length && fields.every(({ value }) => !Number.isNaN(value)) ? fields : undefined;
}
