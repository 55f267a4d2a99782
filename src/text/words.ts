/**
 * Finds which of many literal words occur in a text, in one pass over the text however many words there are: an
 * Aho-Corasick automaton on UTF-8 bytes. Where no word has begun it looks at the end of the shortest word's length
 * ahead and skips as far as the two bytes there allow (Wu-Manber). ASCII letters match in either case.
 */
export interface WordMatcher {
  /** The ids of all words that occur in any of the texts. */
  find(texts: readonly string[]): ReadonlySet<number>;
}

export interface Word {
  readonly text: string;
  readonly id: number;
}

/** The one way case is folded here: `İ`, `K` (Kelvin) and `É` stay what they are, so that a text keeps its length. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const encoder = new TextEncoder();
/** Texts up to this many characters are encoded into memory that stays. */
const KEPT = 16_384;
let kept: Uint8Array | undefined;

export function createWordMatcher(words: readonly Word[]): WordMatcher {
  const encoded = words.map(({ text, id }) => ({ bytes: encoder.encode(text), id }));
  const { classes, width } = alphabetOf(encoded);
  const { next, ids } = buildTable(encoded, classes, width);
  const { reach, shifts } = shiftsOf(encoded);

  function scan(bytes: Uint8Array, length: number, found: Set<number>): void {
    let state = 0;
    let at = 0;
    while (at < length) {
      if (state === 0) {
        let end = at + reach;
        while (end < length) {
          const shift = shifts[pairOf(bytes[end - 1] as number, bytes[end] as number)] as number;
          if (shift === 0) break;
          end += shift;
        }
        if (end >= length) return;
        at = end - reach;
      }
      state = next[state + (classes[bytes[at] as number] as number)] as number;
      at += 1;
      if (state < 0) {
        state = ~state;
        for (const id of ids[state / width] as number[]) found.add(id);
      }
    }
  }

  return {
    find(texts) {
      const found = new Set<number>();
      for (const text of texts) {
        const target = text.length > KEPT ? new Uint8Array(text.length * 3) : (kept ??= new Uint8Array(KEPT * 3));
        scan(target, encoder.encodeInto(text, target).written, found);
      }
      return found;
    },
  };
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly id: number;
}

/** Only bytes that occur in some word get a class of their own; all others share class 0. */
function alphabetOf(words: readonly Encoded[]): { classes: Uint8Array; width: number } {
  const classes = new Uint8Array(256);
  let width = 1;
  for (const { bytes } of words) {
    for (const byte of bytes) if (classes[lower(byte)] === 0) classes[lower(byte)] = width++;
  }
  for (let code = 65; code <= 90; code += 1) classes[code] = classes[code + 32] as number;
  return { classes, width };
}

function lower(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte + 32 : byte;
}

/** The low five bits: small enough to stay in the cache, and the same for both cases of a letter. */
function pairOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31);
}

/**
 * How far the end of the shortest word lies ahead of its start, and how far a pair of bytes there lets us go on: by the
 * distance of its last place in the beginning of any word. A word of one byte allows no skipping.
 */
function shiftsOf(words: readonly Encoded[]): { reach: number; shifts: Uint8Array } {
  const shortest = Math.min(255, ...words.map(({ bytes }) => bytes.length));
  const reach = shortest - 1;
  if (reach < 1) return { reach: 0, shifts: new Uint8Array(1024) };
  const shifts = new Uint8Array(1024).fill(reach);
  for (const { bytes } of words) {
    for (let end = 1; end <= reach; end += 1) {
      const pair = pairOf(bytes[end - 1] as number, bytes[end] as number);
      shifts[pair] = Math.min(shifts[pair] as number, reach - end);
    }
  }
  return { reach, shifts };
}

/** A state is its row's offset in `next`; a target with words ending in it is stored as its complement. */
function buildTable(
  words: readonly Encoded[],
  classes: Uint8Array,
  width: number,
): { next: Int32Array; ids: number[][] } {
  const rows: number[][] = [[]];
  const ids: number[][] = [[]];
  for (const { bytes, id } of words) {
    let state = 0;
    for (const byte of bytes) {
      const row = rows[state] as number[];
      const symbol = classes[byte] as number;
      let target = row[symbol];
      if (target === undefined) {
        target = rows.push([]) - 1;
        ids.push([]);
        row[symbol] = target;
      }
      state = target;
    }
    ids[state]?.push(id);
  }

  const next = new Int32Array(rows.length * width);
  const fallback = new Int32Array(rows.length);
  const queue = [0];
  for (let state = queue.shift(); state !== undefined; state = queue.shift()) {
    const back = fallback[state] as number;
    if (state !== 0) ids[state]?.push(...(ids[back] as number[]));
    for (let symbol = 0; symbol < width; symbol += 1) {
      const child = rows[state]?.[symbol];
      const viaFallback = state === 0 ? 0 : (next[back * width + symbol] as number);
      next[state * width + symbol] = child ?? viaFallback;
      if (child !== undefined) {
        fallback[child] = viaFallback;
        queue.push(child);
      }
    }
  }
  for (let at = 0; at < next.length; at += 1) {
    const target = next[at] as number;
    next[at] = (ids[target] as number[]).length > 0 ? ~(target * width) : target * width;
  }
  return { next, ids };
}
