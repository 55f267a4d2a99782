const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const JOINER = 0x200d;
const EMOJI_SELECTOR = 0xfe0f;

/** Blocks of East Asian scripts and forms that fill two columns. */
const WIDE: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18cff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const FIRST_COMBINING = 0x300;

/** How far a code point moves on, given the one before it: an emoji of many code points is one of two columns. */
function widthOf(point: number, previous: number): 0 | 1 | 2 {
  if (point < FIRST_COMBINING || (point >= 0x2500 && point <= 0x257f)) return 1;
  if (previous === JOINER || isSkinTone(point)) return 0;
  if (point === EMOJI_SELECTOR) return widthOf(previous, 0) === 1 ? 1 : 0;
  if (WIDE.some(([first, last]) => point >= first && point <= last)) return 2;
  const character = String.fromCodePoint(point);
  if (ZERO_WIDTH.test(character)) return 0;
  return EMOJI.test(character) && !isFlagLetter(point) ? 2 : 1;
}

const isSkinTone = (point: number): boolean => point >= 0x1f3fb && point <= 0x1f3ff;
/** Two of them make one flag. */
const isFlagLetter = (point: number): boolean => point >= 0x1f1e6 && point <= 0x1f1ff;

/** Calls `visit` with each code point that shows, and the display column it starts at. */
export function eachColumn(line: string, visit: (point: number, column: number) => void): void {
  let column = 0;
  let previous = 0;
  for (let at = 0; at < line.length;) {
    const point = line.codePointAt(at) ?? 0;
    const width = widthOf(point, previous);
    if (width > 0) visit(point, column);
    column += width;
    previous = point;
    at += point > 0xffff ? 2 : 1;
  }
}

/** Nearly every line is of these alone. */
const PLAIN = /^[ -~]*$/;

/** How many columns a line fills. */
export function columnsOf(line: string): number {
  if (PLAIN.test(line)) return line.length;
  let columns = 0;
  let previous = 0;
  for (const character of line) {
    const point = character.codePointAt(0) ?? 0;
    columns += widthOf(point, previous);
    previous = point;
  }
  return columns;
}

const TAB_STOP = 4;

export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  let out = '';
  let column = 0;
  let previous = 0;
  for (const character of line) {
    const point = character.codePointAt(0) ?? 0;
    const step = character === '\t' ? TAB_STOP - (column % TAB_STOP) : widthOf(point, previous);
    out += character === '\t' ? ' '.repeat(step) : character;
    column += step;
    previous = point;
  }
  return out;
}
