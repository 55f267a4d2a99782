import { sha256 } from '../../platform/hash.ts';

/**
 * A file of named pieces: sixteen bytes that say what it is, a digest of all that follows, then a table of contents in
 * JSON and the pieces, each at a multiple of eight so that numbers can be used where they lie.
 */
export interface Sections {
  readonly meta: Readonly<Record<string, unknown>>;
  /** Of the content: what another file can refer to this one by. */
  readonly check: string;
  section(name: string): Uint8Array;
}

const MAGIC = 'fairlead graph 1';
const HEAD = MAGIC.length + 64;
const encoder = new TextEncoder();
const decoder = new TextDecoder('latin1');

export function writeSections(
  meta: Readonly<Record<string, unknown>>,
  sections: Readonly<Record<string, Uint8Array>>,
): Uint8Array {
  const places: Record<string, [from: number, length: number]> = {};
  let at = 0;
  for (const [name, bytes] of Object.entries(sections)) {
    places[name] = [at, bytes.length];
    at = aligned(at + bytes.length);
  }
  const table = encoder.encode(JSON.stringify({ meta, places }));
  const start = aligned(HEAD + 8 + table.length);
  const file = new Uint8Array(start + at);
  new DataView(file.buffer).setUint32(HEAD, table.length, true);
  new DataView(file.buffer).setUint32(HEAD + 4, file.length, true);
  file.set(table, HEAD + 8);
  for (const [name, bytes] of Object.entries(sections)) file.set(bytes, start + (places[name]?.[0] ?? 0));
  file.set(encoder.encode(MAGIC + sha256(file.subarray(HEAD))));
  return file;
}

/** Undefined for what is cut off, changed or something else. */
export function openSections(found: Uint8Array): Sections | undefined {
  if (found.length < HEAD + 8 || decoder.decode(found.subarray(0, MAGIC.length)) !== MAGIC) return undefined;
  const check = decoder.decode(found.subarray(MAGIC.length, HEAD));
  if (sha256(found.subarray(HEAD)) !== check) return undefined;
  // What was read may begin anywhere in a larger buffer.
  const file = found.byteOffset % 8 === 0 ? found : found.slice();
  const length = new DataView(file.buffer, file.byteOffset).getUint32(HEAD, true);
  const { meta, places } = JSON.parse(new TextDecoder().decode(file.subarray(HEAD + 8, HEAD + 8 + length))) as {
    meta: Record<string, unknown>;
    places: Record<string, [number, number]>;
  };
  const start = aligned(HEAD + 8 + length);
  return {
    meta,
    check,
    section(name) {
      const [from, size] = places[name] ?? [0, 0];
      return file.subarray(start + from, start + from + size);
    },
  };
}

function aligned(at: number): number {
  return (at + 7) & ~7;
}
