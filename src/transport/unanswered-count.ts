import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** Events that no engine came to answer in time, since the count was last begun. */
export interface UnansweredCount {
  readonly empty: number;
  readonly denied: number;
}

/** One byte per event, appended: many processes may do so at once, and none of them reads. */
const LETTERS = { empty: 'e', denied: 'd' } as const;
/** A count over this is a storm whatever its number. */
const MAX_BYTES = 1_000_000;

function pathIn(marks: string): string {
  return join(marks, 'turned-away');
}

export function countUnanswered(files: Files, marks: string, how: keyof UnansweredCount): void {
  try {
    files.append(pathIn(marks), LETTERS[how]);
  } catch {
    // A home that takes no byte cannot count either.
  }
}

/** Eighteen bytes: as many as a record with a session in it would have, so that records could begin at multiples of that. */
const FILLER = `${' '.repeat(17)}\n`;

/** While there is room: what comes after it within the block that it has, some thousand events, finds room on a full disk too. */
export function prepareUnanswered(files: Files, marks: string): void {
  try {
    files.create(pathIn(marks), FILLER);
  } catch {
    // No room any more.
  }
}

export function readUnanswered(
  files: Files,
  places: readonly string[],
): UnansweredCount & { readonly lastAt: number; readonly paths: readonly string[] } {
  const found = [...new Set(places)]
    .map(pathIn)
    .filter((path) => (files.readText(path, MAX_BYTES) ?? '').trim() !== '');
  const text = found.map((path) => files.readText(path, MAX_BYTES) ?? '').join('');
  return {
    empty: text.split(LETTERS.empty).length - 1,
    denied: text.split(LETTERS.denied).length - 1,
    lastAt: Math.max(0, ...found.map((path) => files.stat(path)?.mtimeMs ?? 0)),
    paths: found,
  };
}
