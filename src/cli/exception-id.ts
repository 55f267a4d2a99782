import type { Exception } from '../engine/limits/exceptions.ts';

/** Short enough to type, and not used again: the record goes on naming exceptions that are over. */
export function exceptionId(known: readonly Exception[], now: number): string {
  for (let second = Math.floor(now / 1_000); ; second += 1) {
    const id = `e${second.toString(36)}`;
    if (!known.some((exception) => exception.id === id)) return id;
  }
}
