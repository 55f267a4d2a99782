import type { Files } from '../platform/files.ts';

/** How far a file was read that others add lines to. */
export interface ReadPosition {
  readonly offset: number;
  /** Of the bytes before the offset: a file whose bytes are others was replaced. Absent where nobody has read them. */
  readonly seal?: number;
  /** The offset lies within a line that is too long to be read. */
  readonly skips?: true;
}

export interface ReadLimits {
  /** The most that one look reads. */
  readonly bytes: number;
  /** A longer line is passed over. */
  readonly longest: number;
}

export interface ReadOn {
  readonly position: ReadPosition;
  /** The limit was reached before the end of the file. */
  readonly more: boolean;
  /** The file is shorter than it was, or another: it was read from its beginning. */
  readonly restarted: boolean;
}

const CHUNK = 64 << 10;
const LINE_END = 10;
/** Bytes before the offset that tell the file from another. */
const SEALED = 512;

/**
 * Gives the lines that have come since the last look. What has no end yet is left for the next one. Undefined when there is
 * no such file.
 */
export function readOn(
  files: Pick<Files, 'stat' | 'readRange'>,
  path: string,
  before: ReadPosition | undefined,
  limits: ReadLimits,
  onLine: (line: string) => void,
): ReadOn | undefined {
  const found = files.stat(path);
  if (found?.kind !== 'file') return undefined;
  const { bytes } = limits;
  // Longer than a look, it would be looked at for ever.
  const longest = Math.min(limits.longest, bytes - 1);
  const fits =
    before !== undefined &&
    before.offset <= found.size &&
    (before.seal === undefined || before.seal === sealAt(files, path, before.offset));
  const from = fits ? before.offset : 0;
  const restarted = before !== undefined && !fits;
  const most = Math.min(found.size, from + bytes);
  let skips = fits && before.skips === true;
  let offset = from;
  let rest = new Uint8Array();
  for (let at = from; at < most;) {
    const chunk = files.readRange(path, at, Math.min(CHUNK, most - at));
    if (chunk === undefined || chunk.length === 0) break;
    at += chunk.length;
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      const length = rest.length + end - start;
      if (!skips && length <= longest) onLine(decode(rest, chunk.subarray(start, end)));
      skips = false;
      rest = new Uint8Array();
      start = end + 1;
      offset = at - chunk.length + start;
    }
    if (skips || rest.length + chunk.length - start > longest) {
      skips = true;
      rest = new Uint8Array();
      offset = at;
    } else rest = joined(rest, chunk.subarray(start));
  }
  const position = { offset, seal: sealAt(files, path, offset), ...(skips ? { skips: true as const } : {}) };
  return { position, more: most < found.size, restarted };
}

/** A place so many bytes before the end, for a file whose beginning nobody asks for; undefined where there is not as much. */
export function nearEnd(
  files: Pick<Files, 'stat' | 'readRange'>,
  path: string,
  bytes: number,
): ReadPosition | undefined {
  const found = files.stat(path);
  if (found?.kind !== 'file' || found.size <= bytes) return undefined;
  const offset = found.size - bytes;
  const isLineStart = files.readRange(path, offset - 1, 1)?.[0] === LINE_END;
  return isLineStart ? { offset } : { offset, skips: true };
}

function decode(head: Uint8Array, tail: Uint8Array): string {
  return new TextDecoder().decode(head.length === 0 ? tail : joined(head, tail));
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

/** A sum that other bytes hardly have. */
function sealAt(files: Pick<Files, 'readRange'>, path: string, offset: number): number {
  const from = Math.max(0, offset - SEALED);
  let sum = 0x811c9dc5;
  for (const byte of files.readRange(path, from, offset - from) ?? []) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return sum;
}
