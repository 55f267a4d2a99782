import type { Files } from '../platform/files.ts';
import { systemClock } from '../platform/clock.ts';
import { join } from '../platform/paths.ts';

/** Processes that may answer an event by themselves at the same time. */
const SLOTS = 4;
/**
 * Nobody answers one event for this long. What is older was left by a process that was killed before it wrote its
 * number, or whose number another process has by now.
 */
const LEFT_MS = 120_000;

export interface Slot {
  free(): void;
}

interface Claimant {
  readonly pid: number;
  isAlive(pid: number): boolean;
}

/**
 * A place among the few that answer by themselves while there is no daemon; undefined when all are taken. Two processes
 * that find the same dead owner may both get in: that is one more than meant, and no harm.
 */
export function takeSlot(files: Files, marks: string, self: Claimant): Slot | undefined {
  for (let at = 0; at < SLOTS; at += 1) {
    const path = join(marks, `slot-${at}.pid`);
    if (claim(files, path, self)) return { free: () => files.remove(path) };
  }
  return undefined;
}

function claim(files: Files, path: string, self: Claimant): boolean {
  try {
    const owner = Number(files.readText(path, 20));
    const age = systemClock.now() - (files.stat(path)?.mtimeMs ?? Number.POSITIVE_INFINITY);
    if (age > LEFT_MS || (owner > 0 && !self.isAlive(owner))) files.remove(path);
    return files.create(path, String(self.pid));
  } catch {
    // No place to write one: nothing is counted where nothing can be kept.
    return true;
  }
}
