import { appendFileSync, renameSync, statSync } from 'node:fs';

/** Adds to a file; one that would grow beyond `maxBytes` becomes `older` first, in place of what was there. `mode` is for a new one. */
export function appendRotating(path: string, older: string, text: string, maxBytes: number, mode?: number): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > 0 && size + Buffer.byteLength(text) > maxBytes) renameSync(path, older);
  appendFileSync(path, text, mode === undefined ? {} : { mode });
}
