import { shorten } from '../../text/shorten.ts';

/** A text in parts, of which some may be left out. */
export interface Sheet {
  readonly head: readonly string[];
  readonly sections: readonly Section[];
  readonly tail: readonly string[];
}

export interface Section {
  /** What it is about, for saying that it was left out. */
  readonly name: string;
  readonly title?: string;
  /** Best first; each stands alone, so that any number of them can be shown. */
  readonly lines: readonly string[];
  /** How many there are, where that is more than there are lines. */
  readonly total?: number;
  /** Says that so many are left out, and how to get them. */
  more?(left: number): string;
}

/** As much of a text as so many characters hold, whole lines only, with a word on what is missing. */
export function fitText(sheet: Sheet, maxChars: number): string {
  for (let kept = sheet.sections.length; kept >= 0; kept -= 1) {
    const text = layOut(sheet, kept, maxChars);
    if (text !== undefined) return text;
  }
  return beginningOf(sheet, maxChars);
}

const REST = 'left out for length: the rest';

/** Where not even what stands around the sections fits: whole lines of it, and the last one, which says how sure it is. */
function beginningOf({ head, tail }: Sheet, maxChars: number): string {
  const end = [REST, ...tail.slice(-1)];
  let room = Math.max(0, maxChars - sizeOf(end) + 1);
  const [first = '', ...others] = [...head, ...tail.slice(0, -1)];
  const lines = room > 1 ? [shorten(first, room - 1)] : [];
  room -= first.length + 1;
  for (const line of others) {
    room -= line.length + 1;
    if (room < 0) break;
    lines.push(line);
  }
  return shorten([...lines, ...end].join('\n'), Math.max(1, maxChars)).slice(0, maxChars);
}

/** Undefined when not even the titles fit. */
function layOut({ head, sections, tail }: Sheet, kept: number, maxChars: number): string | undefined {
  const dropped = sections.slice(kept).map(({ name }) => name);
  const note = dropped.length === 0 ? [] : [`left out for length: ${dropped.join(', ')}`];
  const frames = sections.slice(0, kept).map(frameOf);
  let room = maxChars - sizeOf(head) - sizeOf(note) - sizeOf(tail) + 1;
  for (const { title, reserve } of frames) room -= sizeOf(title) + reserve;
  if (room < 0) return undefined;
  const body = frames.flatMap(({ section: { lines, total = lines.length, more }, title, reserve }) => {
    let shown = 0;
    let used = 0;
    while (shown < lines.length) {
      const size = (lines[shown] ?? '').length + 1;
      const isLast = shown + 1 === total;
      if (used + size > room + (isLast ? reserve : 0)) break;
      used += size;
      shown += 1;
    }
    room -= used;
    const left = total - shown;
    if (left === 0) room += reserve;
    return [...title, ...lines.slice(0, shown), ...(left > 0 ? [wordFor(left, more)] : [])];
  });
  return [...head, ...body, ...note, ...tail].join('\n');
}

function frameOf(section: Section) {
  const { title, lines, total = lines.length, more } = section;
  const reserve = total === 0 ? 0 : wordFor(total, more).length + 1;
  return { section, title: title === undefined ? [] : [title], reserve };
}

function wordFor(left: number, more: Section['more']): string {
  return more?.(left) ?? `  … ${left} more`;
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
