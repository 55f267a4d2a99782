import { byText } from './best-symbol.ts';
import { definitionOf } from './declared.ts';
import { nameOf } from './describe-symbol.ts';
import type { GraphReader } from './graph-reader.ts';
import { wordParts } from './word-parts.ts';

const MOST = 5;
const MOST_LOOKED_AT = 100;
const LEAST_LIKENESS = 0.5;

interface Near {
  readonly name: string;
  readonly likeness: number;
  readonly symbols: readonly number[];
}

/** One symbol for each of at most five names that look like the wanted one, nearest first. */
export function similarNames(reader: GraphReader, qualified: string): number[] {
  const cut = Math.max(qualified.lastIndexOf('.'), qualified.lastIndexOf('#'));
  const wanted = qualified.slice(cut + 1);
  const container = qualified.slice(0, Math.max(0, cut)).toLowerCase();
  const lower = wanted.toLowerCase();
  const parts = wordParts(wanted);
  const letters = lettersOf(lower);
  const most = Math.max(1, Math.min(3, Math.floor(lower.length / 3)));
  const near: Near[] = [];
  reader.eachName((name, symbols) => {
    const other = name.toLowerCase();
    // One slip changes at most two letters of the set: most names are ruled out without being compared.
    const mayBeClose = Math.abs(other.length - lower.length) <= most && bitsIn(lettersOf(other) ^ letters) <= 2 * most;
    const distance = mayBeClose ? editDistance(lower, other, most) : most + 1;
    const spelled = distance > most ? 0 : 1 - distance / Math.max(lower.length, 1) / 2;
    const hasPart = parts.some((part) => part.length > 2 && other.includes(part.slice(0, -1)));
    const likeness = Math.max(spelled, hasPart ? partLikeness(parts, wordParts(name)) : 0);
    if (likeness >= LEAST_LIKENESS) near.push({ name, likeness, symbols });
  });
  return near
    .sort((a, b) => b.likeness - a.likeness || byText(a.name, b.name))
    .slice(0, MOST)
    .flatMap(({ symbols }) => oneOf(reader, symbols, container));
}

/** Of many symbols with one name, the first that is in the container that was named. */
function oneOf(reader: GraphReader, symbols: readonly number[], container: string): readonly number[] {
  const few = symbols.slice(0, MOST_LOOKED_AT);
  const inside = few.find(
    (id) => container !== '' && nameOf(reader.symbol(id)).toLowerCase().includes(`${container}.`),
  );
  return (inside === undefined ? few.slice(0, 1) : [inside]).map((id) => definitionOf(reader, id));
}

/** How much of both names are words that they share, give or take a letter. */
function partLikeness(wanted: readonly string[], other: readonly string[]): number {
  let shared = 0;
  const left = [...other];
  for (const part of wanted) {
    const at = left.findIndex(
      (one) =>
        one === part || (part.length > 3 && Math.abs(one.length - part.length) < 2 && editDistance(part, one, 1) < 2),
    );
    if (at < 0) continue;
    left.splice(at, 1);
    shared += 1;
  }
  return (2 * shared) / (wanted.length + other.length) - 0.01;
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

function bitsIn(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Insertions, deletions, replacements and swaps of neighbours; given up as soon as there are more than `most`. */
function editDistance(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      let cost = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      next.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    before = row;
    row = next;
  }
  return row[b.length] as number;
}
