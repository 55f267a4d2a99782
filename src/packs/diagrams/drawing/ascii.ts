import { ACROSS, DOWN, LEFT, RIGHT, UP, UPRIGHT } from './characters.ts';
import { eachColumn } from '../../../text/columns.ts';

const PLUS = 43;
const HYPHEN = 45;
const EQUALS = 61;
const BAR = 124;

/** The box character with these arms. */
const SHAPES: Readonly<Record<number, string>> = {
  [ACROSS]: '─',
  [UPRIGHT]: '│',
  [RIGHT | DOWN]: '┌',
  [LEFT | DOWN]: '┐',
  [RIGHT | UP]: '└',
  [LEFT | UP]: '┘',
  [UPRIGHT | RIGHT]: '├',
  [UPRIGHT | LEFT]: '┤',
  [ACROSS | DOWN]: '┬',
  [ACROSS | UP]: '┴',
  [ACROSS | UPRIGHT]: '┼',
};

/** Redraws `+ - |` with box characters, so that one set of rules is enough: what a `+` is depends on what it touches. */
export function redraw(lines: readonly string[]): readonly string[] {
  const bars = lines.map(barColumns);
  return lines.map((line, index) => redrawLine(line, bars[index - 1] ?? NONE, bars[index + 1] ?? NONE));
}

const NONE: ReadonlySet<number> = new Set();

function barColumns(line: string): ReadonlySet<number> {
  const columns = new Set<number>();
  if (line.includes('|')) eachColumn(line, (point, column) => void (point === BAR && columns.add(column)));
  return columns;
}

function redrawLine(line: string, above: ReadonlySet<number>, below: ReadonlySet<number>): string {
  const points: number[] = [];
  const columns: number[] = [];
  eachColumn(line, (point, column) => {
    points.push(point);
    columns.push(column);
  });
  const drawn = points.map((point, at) => {
    const before = points[at - 1] ?? 0;
    const after = points[at + 1] ?? 0;
    const arms =
      point === BAR
        ? UPRIGHT
        : point === PLUS
          ? (isStroke(before) ? LEFT : 0) | (isStroke(after) ? RIGHT : 0) | uprightArms(columns[at] ?? 0, above, below)
          : isAcross(point) && (isStroke(before) || isStroke(after) || isHead(before) || isHead(after))
            ? ACROSS
            : 0;
    return SHAPES[arms] ?? String.fromCodePoint(point);
  });
  return drawn.join('');
}

const isAcross = (point: number): boolean => point === HYPHEN || point === EQUALS;
const isStroke = (point: number): boolean => isAcross(point) || point === PLUS;
const isHead = (point: number): boolean => point === 60 || point === 62;

/** The nearest bars count, so that crooked sides are found and lines that start beside a corner do not hide it. */
function uprightArms(column: number, above: ReadonlySet<number>, below: ReadonlySet<number>): number {
  for (const off of [0, 1, 2]) {
    const has = (bars: ReadonlySet<number>): boolean => bars.has(column - off) || bars.has(column + off);
    const arms = (has(above) ? UP : 0) | (has(below) ? DOWN : 0);
    if (arms !== 0) return arms;
  }
  return 0;
}
