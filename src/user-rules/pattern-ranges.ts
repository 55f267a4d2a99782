/** Sorted, non-overlapping code unit ranges: first, last, first, last, … */
export type Ranges = readonly number[];

export const LAST = 0xffff;
export const LINE_ENDS: Ranges = [10, 10, 13, 13, 0x2028, 0x2029];
export const DIGITS: Ranges = [48, 57];
export const WORD: Ranges = [48, 57, 65, 90, 95, 95, 97, 122];
export const SPACE: Ranges = [
  9, 13, 32, 32, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000,
  0x3000, 0xfeff, 0xfeff,
];

export function inRanges(ranges: Ranges, code: number): boolean {
  for (let at = 0; at < ranges.length; at += 2)
    if (code >= (ranges[at] as number) && code <= (ranges[at + 1] as number)) return true;
  return false;
}

/** Adds the other case of every letter. Huge non-ASCII ranges are left alone: they hold both cases anyway. */
export function foldCase(ranges: Ranges): Ranges {
  const all = [...ranges];
  for (let at = 0; at < ranges.length; at += 2) {
    const first = ranges[at] as number;
    const last = ranges[at + 1] as number;
    for (const [from, to, shift] of [
      [65, 90, 32],
      [97, 122, -32],
    ] as const) {
      const low = Math.max(first, from);
      const high = Math.min(last, to);
      if (low <= high) all.push(low + shift, high + shift);
    }
    if (last - first > 2_048) continue;
    for (let code = Math.max(first, 128); code <= last; code += 1) {
      const char = String.fromCharCode(code);
      for (const other of [char.toLowerCase(), char.toUpperCase()]) {
        if (other.length === 1 && other.charCodeAt(0) >= 128) all.push(other.charCodeAt(0), other.charCodeAt(0));
      }
    }
  }
  return normalise(all);
}

export function normalise(ranges: Ranges): Ranges {
  const pairs: [number, number][] = [];
  for (let at = 0; at < ranges.length; at += 2) pairs.push([ranges[at] as number, ranges[at + 1] as number]);
  pairs.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [first, last] of pairs) {
    const end = merged.at(-1);
    if (end !== undefined && first <= end + 1) merged[merged.length - 1] = Math.max(end, last);
    else merged.push(first, last);
  }
  return merged;
}

export function invert(ranges: Ranges): Ranges {
  const inverted: number[] = [];
  let from = 0;
  for (let at = 0; at < ranges.length; at += 2) {
    if ((ranges[at] as number) > from) inverted.push(from, (ranges[at] as number) - 1);
    from = (ranges[at + 1] as number) + 1;
  }
  if (from <= LAST) inverted.push(from, LAST);
  return inverted;
}
