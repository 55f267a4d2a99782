import type { RawLine } from './lines.ts';

export interface Comments {
  /** The line without its comments; undefined when nothing is left of it. Asked line by line, from the top. */
  hide(line: RawLine): RawLine | undefined;
  unclosedAt(): number | undefined;
}

const OPEN = /`+|<!--/g;

export function findComments(text: string): Comments {
  const closeFrom = nextOf(text, /-->/g);
  const blankFrom = nextOf(text, /\n[ \t]*\r?\n/g);
  let hiddenUntil = 0;
  let unclosedAt: number | undefined;

  /** Where the comment that begins here ends; undefined when it is none. */
  function endOf(at: number, line: RawLine): number | undefined {
    const close = closeFrom(at + 2);
    const before = text.slice(line.at, at);
    // One that begins a line is a block of its own: it ends with a line, or with the text if nobody closes it.
    if (before.trim() === '') {
      if (close !== undefined) return endOfLine(text, close);
      if (!/^ {0,3}$/.test(before)) return undefined;
      unclosedAt = at;
      return text.length;
    }
    return close === undefined || (blankFrom(at) ?? text.length) < close ? undefined : close + 3;
  }

  return {
    unclosedAt: () => unclosedAt,
    hide(line) {
      const { at: start, text: whole } = line;
      const end = start + whole.length;
      let shown = '';
      let from = start;
      const hideUntil = (until: number) => {
        hiddenUntil = until;
        shown += ' '.repeat(Math.min(until, end) - from);
        from = Math.min(until, end);
      };
      if (hiddenUntil > start) hideUntil(hiddenUntil);
      for (OPEN.lastIndex = from - start; ;) {
        const open = OPEN.exec(whole);
        if (open === null) break;
        const [mark] = open;
        if (mark !== '<!--') {
          const close = closingRun(whole, mark, OPEN.lastIndex);
          if (close !== undefined) OPEN.lastIndex = close;
          continue;
        }
        const at = start + open.index;
        const until = endOf(at, line);
        if (until === undefined) continue;
        shown += text.slice(from, at);
        from = at;
        hideUntil(until);
        OPEN.lastIndex = from - start;
      }
      if (from === start && hiddenUntil <= start) return line;
      shown += text.slice(from, end);
      return shown.trim() === '' ? undefined : { ...line, text: shown };
    },
  };
}

/** Behind the run of backticks that ends the code which such a run began. */
function closingRun(text: string, mark: string, from: number): number | undefined {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(text); run !== null; run = runs.exec(text))
    if (run[0].length === mark.length) return runs.lastIndex;
  return undefined;
}

/** The first match at a place or behind it, for places that only grow: no part of the text is looked through twice. */
function nextOf(text: string, pattern: RegExp): (from: number) => number | undefined {
  let known: number | undefined = -1;
  return (from) => {
    if (known === undefined || known >= from) return known;
    pattern.lastIndex = from;
    known = pattern.exec(text)?.index;
    return known;
  };
}

function endOfLine(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  return feed < 0 ? text.length : feed;
}
