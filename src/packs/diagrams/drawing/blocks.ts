import { BOX, isBoxLine } from './characters.ts';
import { normalise } from './normalise.ts';
import { eachProseLine, withoutQuotes } from './outline.ts';
import type { Outline } from './outline.ts';

/** Lines that are looked at together for boxes. */
export interface Block {
  readonly first: number;
  readonly last: number;
  readonly fence?: string;
  /** From the first line with a box character to the last, normalised. */
  readonly lines: readonly string[];
}

/** Lines without box characters that a block outside of fences may go on over. */
const MAX_GAP = 2;

/** Blocks with box characters, in their order. */
export function readBlocks(outline: Outline, ascii: boolean): readonly Block[] {
  const blocks = [...verbatimBlocks(outline, ascii), ...proseBlocks(outline, ascii)];
  return blocks.sort((one, other) => one.first - other.first);
}

function* verbatimBlocks({ verbatim }: Outline, ascii: boolean): Generator<Block> {
  for (const { first, last, label, lines } of verbatim) {
    const from = lines.findIndex((line) => isBoxLine(line, ascii));
    if (from < 0) continue;
    const to = lines.findLastIndex((line) => isBoxLine(line, ascii));
    const drawn = normalise(lines.slice(from, to + 1));
    yield { first, last, lines: drawn, ...(label !== undefined && { fence: label }) };
  }
}

function proseBlocks(outline: Outline, ascii: boolean): readonly Block[] {
  const spans: { first: number; last: number }[] = [];
  const drawn = ascii || outline.text.includes('\r') ? undefined : linesWithBox(outline);
  eachProseLine(outline, (line, at) => {
    if (drawn ? !drawn.has(at) : !isBoxLine(line, ascii)) return;
    const open = spans.at(-1);
    if (open !== undefined && at - open.last <= MAX_GAP + 1) open.last = at;
    else spans.push({ first: at, last: at });
  });
  return spans.map(({ first, last }) => ({
    first,
    last,
    lines: normalise(outline.lines.slice(first - 1, last).map(withoutQuotes)),
  }));
}

/** Numbers of the lines with a box character: a search of the whole text, which looks at no other line by itself. */
function linesWithBox({ text, lines }: Outline): ReadonlySet<number> {
  const found = new Set<number>();
  const box = new RegExp(BOX, 'g');
  let number = 1;
  let end = (text.startsWith('\ufeff') ? 1 : 0) + (lines[0] ?? '').length;
  while (box.test(text)) {
    while (end < box.lastIndex) {
      end += 1 + (lines[number] ?? '').length;
      number += 1;
    }
    found.add(number);
    box.lastIndex = end;
  }
  return found;
}
