import type { Files } from '../platform/files.ts';
import { sha256 } from '../platform/hash.ts';

/** How long a write is known as ours: longer than any look for files that changed a moment ago. */
const KNOWN_MS = 10_000;

interface OwnWrite {
  readonly mtimeMs: number;
  readonly hash: string;
  readonly until: number;
}

export interface OwnWrites {
  note(path: string, text: string): void;
  /** Whether the file, changed at `mtimeMs`, holds what a job wrote a moment ago. */
  has(path: string, mtimeMs: number): boolean;
}

/** Kept in memory only: nothing that a killed process could leave behind. */
export function createOwnWrites(files: Files, now: () => number): OwnWrites {
  const writes = new Map<string, OwnWrite>();
  return {
    note(path, text) {
      const at = now();
      for (const [each, { until }] of writes) if (until <= at || until > at + KNOWN_MS) writes.delete(each);
      const mtimeMs = files.stat(path)?.mtimeMs;
      if (mtimeMs !== undefined) writes.set(path, { mtimeMs, hash: sha256(text), until: at + KNOWN_MS });
    },
    has(path, mtimeMs) {
      const own = writes.get(path);
      if (!own || own.until <= now()) return false;
      if (own.mtimeMs === mtimeMs) return true;
      // Touched since, but perhaps not changed.
      const bytes = files.readBytes(path);
      return bytes !== undefined && sha256(bytes) === own.hash;
    },
  };
}
