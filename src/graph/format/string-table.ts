import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/** Strings that are written once and named by number afterwards, in the order of their first use. */
export interface StringTable {
  numberOf(text: string): number;
  writeTo(writer: ByteWriter): void;
}

const encoder = new TextEncoder();
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function createStringTable(): StringTable {
  const numbers = new Map<string, number>();
  return {
    numberOf(text) {
      let number = numbers.get(text);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(text, number);
      }
      return number;
    },
    writeTo(writer) {
      writer.count(numbers.size);
      let joined = '';
      for (const text of numbers.keys()) {
        writer.count(text.length);
        joined += text;
      }
      const isWellFormed = joined.isWellFormed();
      const bytes = isWellFormed ? encoder.encode(joined) : inUnits(joined);
      writer.count(bytes.length * 2 + (isWellFormed ? 0 : 1));
      writer.bytes(bytes);
    },
  };
}

export function readStrings(reader: ByteReader): string[] {
  const size = reader.count();
  const lengths: number[] = [];
  for (let n = 0; n < size; n += 1) lengths.push(reader.count());
  const head = reader.count();
  const bytes = reader.bytes(Math.floor(head / 2));
  const joined = head % 2 === 0 ? utf8.decode(bytes) : fromUnits(bytes);
  const strings: string[] = [];
  let at = 0;
  for (const length of lengths) strings.push(joined.slice(at, (at += length)));
  return strings;
}

export function skipStrings(reader: ByteReader): void {
  const size = reader.count();
  for (let n = 0; n < size; n += 1) reader.count();
  reader.skip(Math.floor(reader.count() / 2));
}

/** Half of a pair, as a text that was cut leaves one, has no place in UTF-8. */
function inUnits(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let n = 0; n < text.length; n += 1) {
    const unit = text.charCodeAt(n);
    bytes[n * 2] = unit & 0xff;
    bytes[n * 2 + 1] = unit >>> 8;
  }
  return bytes;
}

function fromUnits(bytes: Uint8Array): string {
  let text = '';
  for (let n = 0; n < bytes.length; n += 2) {
    text += String.fromCharCode((bytes[n] as number) | ((bytes[n + 1] as number) << 8));
  }
  return text;
}
