/** Numbers from one to another, both included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Those of numbers that follow on each other, as one. */
export function rangesOf(numbers: Iterable<number>): readonly Range[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of [...new Set(numbers)].toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && number === last.to + 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges;
}

/** What is left of a range without others; numbers may be far apart, so none is counted out. */
export function without({ from, to }: Range, taken: readonly Range[]): readonly Range[] {
  const left: Range[] = [];
  let at = from;
  for (const each of taken.toSorted((one, other) => one.from - other.from)) {
    if (each.from > at) left.push({ from: at, to: Math.min(each.from - 1, to) });
    at = Math.max(at, each.to + 1);
    if (at > to) return left;
  }
  return at > to ? left : [...left, { from: at, to }];
}

/** The parts of ranges that lie in another. */
export function within(ranges: readonly Range[], { from, to }: Range): readonly Range[] {
  return ranges
    .map((range) => ({ from: Math.max(range.from, from), to: Math.min(range.to, to) }))
    .filter((range) => range.from <= range.to);
}

export const sizeOf = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** Whether one of numbers in their order lies there. */
export function hasWithin(numbers: readonly number[], { from, to }: Range): boolean {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (numbers[low] ?? Infinity) <= to;
}
