/** The four arms that a box character can have. */
export const RIGHT = 1;
export const DOWN = 2;
export const LEFT = 4;
export const UP = 8;
export const ACROSS = LEFT | RIGHT;
export const UPRIGHT = UP | DOWN;

const FIRST_BOX = 0x2500;
const LAST_BOX = 0x257f;

/** One hexadecimal digit per code point from U+2500 to U+257F: the sum of its arms. Diagonals have none. */
const ARMS = Uint8Array.from(
  '55aa55aa55aa333366669999ccccbbbbbbbbeeeeeeee77777777ddddddddffffffffffffffff55aa5a333666999cccbbbeee777dddfff36c9000481248125a5a',
  (digit) => Number.parseInt(digit, 16),
);

export const isBox = (point: number): boolean => point >= FIRST_BOX && point <= LAST_BOX;

export const armsOf = (point: number): number => (isBox(point) ? (ARMS[point - FIRST_BOX] ?? 0) : 0);

export const BOX = /[\u2500-\u257f]/;
/** No box begins without one of these; trees have none of them. */
const TOP_LEFT = /[┌┍┎┏╒╓╔╭]/;

export const hasBox = (text: string): boolean => BOX.test(text);
export const hasTopLeft = (text: string): boolean => TOP_LEFT.test(text);
export const hasAsciiEdge = (text: string): boolean => text.includes('+-') || text.includes('+=');

/** Whether a text can hold a drawing at all: one scan. */
export function hasBoxCharacters(text: string, ascii: boolean): boolean {
  return hasBox(text) || (ascii && hasAsciiEdge(text));
}

/** Whether a line can be part of a drawing. */
export const isBoxLine = (line: string, ascii: boolean): boolean =>
  hasBox(line) || (ascii && (hasAsciiEdge(line) || line.includes('|')));

/** Arrows and arrow heads of all scripts that drawings are made with. */
export const isArrow = (point: number): boolean =>
  (point >= 0x2190 && point <= 0x21ff) ||
  (point >= 0x25b2 && point <= 0x25c5) ||
  (point >= 0x2794 && point <= 0x27be) ||
  (point >= 0x27f0 && point <= 0x27ff) ||
  (point >= 0x2900 && point <= 0x297f) ||
  (point >= 0x2b00 && point <= 0x2b11) ||
  point === 0x2227 ||
  point === 0x2228;
