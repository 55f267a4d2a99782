import type { Drawing } from './drawing.ts';
import { fingerprint } from './fingerprint.ts';

/** What a file held when a session first touched it; small and plain, so that it can be stored. */
export interface Baseline {
  readonly drawings: readonly Known[];
}

interface Known {
  readonly fingerprint: string;
  /** Hashes of the lines that are not empty, as often as they occur. */
  readonly lines: readonly string[];
}

export const EMPTY_BASELINE: Baseline = { drawings: [] };

/** One line of so many may differ from an old drawing. */
const LINES_PER_CHANGE = 5;
/** Old drawings that one is compared with, at most. */
const MAX_CANDIDATES = 100;

export function baselineOf(drawings: readonly Drawing[]): Baseline {
  return { drawings: drawings.map((drawing) => ({ fingerprint: drawing.fingerprint, lines: hashLines(drawing) })) };
}

const hashLines = (drawing: Drawing): readonly string[] =>
  drawing.lines.filter((line) => line !== '').map((line) => fingerprint(line));

/**
 * The drawings that are no old ones, not even corrected. `drawings` are all of the file: an old one that is gone may
 * have become a new one that differs by a line, however few lines there are.
 */
export function netNew(drawings: readonly Drawing[], baseline: Baseline): readonly Drawing[] {
  const old = new Set(baseline.drawings.map((known) => known.fingerprint));
  const changed = drawings.filter((drawing) => !old.has(drawing.fingerprint));
  if (changed.length === 0 || old.size === 0) return changed;

  const present = new Set(drawings.map((drawing) => drawing.fingerprint));
  const gone = new Set(baseline.drawings.filter((known) => !present.has(known.fingerprint)));
  const holders = indexLines(baseline.drawings);
  return changed.filter((drawing) => {
    const lines = hashLines(drawing);
    const spare = Math.floor(lines.length / LINES_PER_CHANGE);
    for (const known of candidates(lines, Math.max(spare, 1), holders)) {
      const lost = countLost(lines, known.lines);
      if (lost <= spare || (lost === 1 && gone.has(known))) {
        gone.delete(known);
        return false;
      }
    }
    return true;
  });
}

/** Line → the drawings that hold it. */
type Holders = ReadonlyMap<string, readonly Known[]>;

function indexLines(drawings: readonly Known[]): Holders {
  const holders = new Map<string, Known[]>();
  for (const known of drawings) {
    for (const line of new Set(known.lines)) {
      const others = holders.get(line);
      if (others === undefined) holders.set(line, [known]);
      else others.push(known);
    }
  }
  return holders;
}

/** A drawing with no more than `spare` lines lost holds at least one of any `spare + 1` lines; the rarest tell most. */
function candidates(lines: readonly string[], spare: number, holders: Holders): Iterable<Known> {
  const found = new Set<Known>();
  const rarest = lines.map((line) => holders.get(line) ?? []).sort((one, other) => one.length - other.length);
  for (const group of rarest.slice(0, spare + 1)) {
    for (const known of group.slice(0, MAX_CANDIDATES)) if (found.size < MAX_CANDIDATES) found.add(known);
  }
  return found;
}

function countLost(lines: readonly string[], known: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of known) left.set(line, (left.get(line) ?? 0) + 1);
  let lost = 0;
  for (const line of lines) {
    const count = left.get(line) ?? 0;
    if (count === 0) lost += 1;
    else left.set(line, count - 1);
  }
  return lost;
}
