import type { Files } from './files.ts';

const CHUNK = 256 << 10;
const LINE_END = 10;

export interface LineLimits {
  /** Only this many bytes of the file are read; it may grow meanwhile. */
  readonly size: number;
  /** A longer line is passed over without being held. */
  readonly longest: number;
  onSkip?(bytes: number): void;
}

/** The lines of a file one after the other, in as much memory as the longest of them takes. */
export function* readLines(files: Pick<Files, 'readRange'>, path: string, limits: LineLimits): Generator<string> {
  const { size, longest, onSkip } = limits;
  let parts: Uint8Array[] = [];
  let held = 0;
  let skipped = 0;
  for (let from = 0; from < size;) {
    const bytes = files.readRange(path, from, Math.min(CHUNK, size - from));
    if (bytes === undefined || bytes.length === 0) break;
    from += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(LINE_END, at);
      const part = bytes.subarray(at, end < 0 ? bytes.length : end);
      if (skipped > 0 || held + part.length > longest) {
        skipped += held + part.length;
        parts = [];
        held = 0;
      } else {
        parts.push(part);
        held += part.length;
      }
      if (end < 0) break;
      if (skipped > 0) onSkip?.(skipped);
      else yield decode(parts);
      parts = [];
      held = 0;
      skipped = 0;
      at = end + 1;
    }
  }
  if (skipped > 0) onSkip?.(skipped);
  else if (held > 0) yield decode(parts);
}

const decoder = new TextDecoder();

/** A line that lies in one piece, as nearly all do, is decoded at once, which is several times faster than piece by piece. */
function decode(parts: readonly Uint8Array[]): string {
  const [only] = parts;
  return decoder.decode(parts.length === 1 ? only : Buffer.concat(parts));
}
