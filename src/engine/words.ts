/**
 * Finds which of many literal words occur in a text, in one pass over the text however many words there are
 * (an Aho-Corasick automaton). ASCII letters match in either case.
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

export function createWordMatcher(words: readonly Word[]): WordMatcher {
  const { ascii, other, width } = alphabetOf(words);
  const classOf = (code: number) => (code < 128 ? (ascii[code] as number) : (other.get(code) ?? 0));
  const { next, ids } = buildTable(words, classOf, width);

  return {
    find(texts) {
      const found = new Set<number>();
      for (const text of texts) {
        let state = 0;
        for (let at = 0; at < text.length; at += 1) {
          state = next[state + classOf(text.charCodeAt(at))] as number;
          if (state < 0) {
            state = ~state;
            for (const id of ids[state / width] as number[]) found.add(id);
          }
        }
      }
      return found;
    },
  };
}

/** Only characters that occur in some word get a class of their own; all others share class 0. */
function alphabetOf(words: readonly Word[]): { ascii: Uint16Array; other: Map<number, number>; width: number } {
  const ascii = new Uint16Array(128);
  const other = new Map<number, number>();
  let width = 1;
  for (const { text } of words) {
    for (let at = 0; at < text.length; at += 1) {
      const code = lower(text.charCodeAt(at));
      if (code >= 128) {
        if (!other.has(code)) other.set(code, width++);
      } else if (ascii[code] === 0) ascii[code] = width++;
    }
  }
  for (let code = 65; code <= 90; code += 1) ascii[code] = ascii[code + 32] as number;
  return { ascii, other, width };
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** A state is its row's offset in `next`; a target with words ending in it is stored as its complement. */
function buildTable(words: readonly Word[], classOf: (code: number) => number, width: number): { next: Int32Array; ids: number[][] } {
  const rows: number[][] = [[]];
  const ids: number[][] = [[]];
  for (const { text, id } of words) {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const row = rows[state] as number[];
      const symbol = classOf(text.charCodeAt(at));
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
