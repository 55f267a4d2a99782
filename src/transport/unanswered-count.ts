import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { fnv1a64 } from './fnv.ts';

/** Events that no engine came to answer in time, since the count was last begun. */
export interface UnansweredCount {
  readonly empty: number;
  readonly denied: number;
  readonly asked: number;
}

/** A line per event, appended in one write, because many processes may do so at once: how it ended, and a hash of its session. */
const LETTERS = { empty: 'e', denied: 'd', asked: 'a' } as const;
/** As long as every other line: the native client counts bytes. */
const BLANK = `${' '.repeat(17)}\n`;
/** A count over this is a storm whatever its number. */
const MAX_BYTES = 1_000_000;

function pathIn(marks: string): string {
  return join(marks, 'turned-away');
}

function lineFor(how: keyof UnansweredCount, session: string): string {
  return `${LETTERS[how]}${fnv1a64(session)}`;
}

/** How often clients have denied an event of this session by themselves. */
export function countDenials(files: Files, marks: string, session: string): number {
  const line = lineFor('denied', session);
  return linesIn(files, pathIn(marks)).filter((each) => each === line).length;
}

export function countUnanswered(files: Files, marks: string, how: keyof UnansweredCount, session: string): void {
  try {
    files.append(pathIn(marks), `${lineFor(how, session)}\n`);
  } catch {
    // A home that takes no byte cannot count either.
  }
}

/** While there is room: what comes after it within the block that it has, some hundred events, finds room on a full disk too. */
export function prepareUnanswered(files: Files, marks: string): void {
  try {
    files.create(pathIn(marks), BLANK);
  } catch {
    // No room any more.
  }
}

export function readUnanswered(
  files: Files,
  places: readonly string[],
): UnansweredCount & { readonly lastAt: number; readonly paths: readonly string[] } {
  const found = [...new Set(places)].map(pathIn).filter((path) => linesIn(files, path).length > 0);
  const lines = found.flatMap((path) => linesIn(files, path));
  const count = (how: keyof UnansweredCount) => lines.filter((line) => line.startsWith(LETTERS[how])).length;
  return {
    empty: count('empty'),
    denied: count('denied'),
    asked: count('asked'),
    lastAt: Math.max(0, ...found.map((path) => files.stat(path)?.mtimeMs ?? 0)),
    paths: found,
  };
}

function linesIn(files: Files, path: string): string[] {
  return (files.readText(path, MAX_BYTES) ?? '').split('\n').filter((line) => line.trim() !== '');
}
