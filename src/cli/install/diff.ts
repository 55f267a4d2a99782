const CONTEXT = 3;
/** Beyond this many comparisons the changed part is shown as a whole. */
const MAX_CELLS = 4_000_000;

type Mark = ' ' | '-' | '+';
type Row = readonly [Mark, string];

/** A unified diff; an absent text stands for no file. */
export function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
  colour = false,
): string {
  const rows = compare(linesOf(before ?? ''), linesOf(after ?? ''));
  const paint = (code: number, text: string): string => (colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  const heads = [`--- ${before === undefined ? '/dev/null' : path}`, `+++ ${after === undefined ? '/dev/null' : path}`];
  const out = heads.map((head) => paint(1, head));
  for (const { start, end, from, to } of hunksOf(rows)) {
    const part = rows.slice(start, end);
    const count = (other: Mark): number => part.filter(([mark]) => mark !== other).length;
    out.push(paint(36, `@@ -${range(from, count('+'))} +${range(to, count('-'))} @@`));
    for (const [mark, line] of part) {
      const text = mark + line.replace(/\r?\n$/, '');
      out.push(mark === ' ' ? text : paint(mark === '-' ? 31 : 32, text));
      if (!line.endsWith('\n')) out.push('\\ No newline at end of file');
    }
  }
  return `${out.join('\n')}\n`;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function range(start: number, count: number): string {
  return `${count === 0 ? start - 1 : start},${count}`;
}

function compare(a: readonly string[], b: readonly string[]): Row[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1;
  const same = (lines: readonly string[]): Row[] => lines.map((line) => [' ', line]);
  return [
    ...same(a.slice(0, head)),
    ...compareMiddle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

/** By the longest common subsequence; what goes is shown before what comes. */
function compareMiddle(a: readonly string[], b: readonly string[]): Row[] {
  const width = b.length + 1;
  if (a.length * b.length > MAX_CELLS)
    return [...a.map((line): Row => ['-', line]), ...b.map((line): Row => ['+', line])];
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const rows: Row[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      rows.push([' ', left]);
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      rows.push(['-', left]);
      i += 1;
    } else if (right !== undefined) {
      rows.push(['+', right]);
      j += 1;
    }
  }
  return rows;
}

interface Hunk {
  readonly start: number;
  end: number;
  /** Line numbers, from 1. */
  readonly from: number;
  readonly to: number;
}

function hunksOf(rows: readonly Row[]): Hunk[] {
  const hunks: Hunk[] = [];
  for (const [index, [mark]] of rows.entries()) {
    if (mark === ' ') continue;
    const last = hunks.at(-1);
    const end = Math.min(rows.length, index + 1 + CONTEXT);
    if (last && index - CONTEXT <= last.end) last.end = end;
    else {
      const start = Math.max(0, index - CONTEXT);
      const before = rows.slice(0, start);
      const lines = (other: Mark): number => before.filter(([each]) => each !== other).length + 1;
      hunks.push({ start, end, from: lines('+'), to: lines('-') });
    }
  }
  return hunks;
}
