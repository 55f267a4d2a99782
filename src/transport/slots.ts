import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** Processes that may answer an event by themselves at the same time. */
const SLOTS = 4;

export interface Slot {
  free(): void;
}

/**
 * A place among the few that answer by themselves while there is no daemon; undefined when all are taken. Two processes
 * that find the same dead owner may both get in: that is one more than meant, and no harm.
 */
export function takeSlot(
  files: Files,
  marks: string,
  self: { readonly pid: number; isAlive(pid: number): boolean },
): Slot | undefined {
  for (let at = 0; at < SLOTS; at += 1) {
    const path = join(marks, `slot-${at}.pid`);
    const owner = Number(files.readText(path, 20));
    if (owner > 0 && !self.isAlive(owner)) files.remove(path);
    if (create(files, path, String(self.pid))) return { free: () => files.remove(path) };
  }
  return undefined;
}

function create(files: Files, path: string, text: string): boolean {
  try {
    return files.create(path, text);
  } catch {
    // No place to write one: nothing is counted where nothing can be kept.
    return true;
  }
}
