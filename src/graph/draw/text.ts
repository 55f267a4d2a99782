import { BOLD, REGULAR, UNITS_PER_EM } from './font-widths.generated.ts';
import { clean, element, plain } from './svg.ts';
import type { Svg } from './svg.ts';
import { COLOURS, SIZES } from './theme.ts';

export interface Font {
  readonly size: number;
  readonly bold?: boolean;
}

type Table = ReadonlyMap<number, number>;

const tables: { regular?: Table; bold?: Table } = {};

function tableOf(bold: boolean): Table {
  if (bold) return (tables.bold ??= readTable(BOLD));
  return (tables.regular ??= readTable(REGULAR));
}

function readTable(ranges: typeof REGULAR): Table {
  const table = new Map<number, number>();
  for (const [first, widths] of ranges) {
    let code = first;
    for (const width of widths.split(' ')) {
      if (width !== '0') table.set(code, Number.parseInt(width, 36) / UNITS_PER_EM);
      code += 1;
    }
  }
  return table;
}

const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const PICTOGRAPH = /\p{Extended_Pictographic}/u;
/** What other fonts need at most for a letter, and for a pictograph. */
const UNKNOWN_EM = 1;
const PICTOGRAPH_EM = 1.3;

function emOf(character: string, table: Table): number {
  const known = table.get(character.codePointAt(0) as number);
  if (known !== undefined) return known;
  if (ZERO_WIDTH.test(character)) return 0;
  return PICTOGRAPH.test(character) ? PICTOGRAPH_EM : UNKNOWN_EM;
}

/** How wide a text is in the bundled font; for letters that it has not, as wide as it would be in any other. */
export function widthOf(text: string, { size, bold = false }: Font): number {
  const table = tableOf(bold);
  let em = 0;
  for (const character of text) em += emOf(character, table);
  return em * size;
}

/** The font has these too; how wide they are depends on what stands beside them. */
const JOINING = /[\p{Script=Arabic}\p{Mn}\p{Cf}\s]/u;

/** Whether the bundled font has all of it, so that it can be read in a PNG too. */
export function isInFont(text: string): boolean {
  const table = tableOf(false);
  for (const character of text)
    if (!table.has(character.codePointAt(0) as number) && !JOINING.test(character)) return false;
  return true;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ELLIPSIS = '…';

/** The text, or as many words of its beginning and end as fit with a mark between them; of a single long word, letters. */
export function fitText(text: string, width: number, font: Font): string {
  const shown = clean(text);
  if (widthOf(shown, font) <= width) return shown;
  return fitWords(shown, width, font) ?? fitLetters(shown, width, font);
}

/** Behind what parts the words of paths and names, and before a capital inside a name. */
const BETWEEN_WORDS = /(?<=[\s/_\-:,()])(?![\s/_\-:,()])|(?<=\p{Ll})(?=\p{Lu})/u;
/** Longer texts are cut by letters, without a look at their words. */
const MOST_LETTERS = 400;

/** The last part of a path tells most, then the first word; then they take turns. Undefined where the last word has no room. */
function fitWords(shown: string, width: number, font: Font): string | undefined {
  if (shown.length > MOST_LETTERS) return undefined;
  const words = shown.split(BETWEEN_WORDS);
  const part = words.length - 1 - words.findLastIndex((word, at) => word.endsWith('/') && at < words.length - 1);
  const left = (count: number) => width - widthOf(ELLIPSIS + words.slice(-count).join(''), font);
  let [head, tail] = [0, 1];
  while (part < words.length && tail < part && left(tail + 1) >= 0) tail += 1;
  let room = left(tail);
  if (words.length < 2 || room < 0) return undefined;
  while (head + tail < words.length) {
    const [ahead, behind] = [words[head], words.at(-1 - tail)].map((word) => widthOf(word ?? '', font)) as [
      number,
      number,
    ];
    if (Math.min(ahead, behind) > room) break;
    const takesHead = ahead <= room && (head < tail || behind > room);
    room -= takesHead ? ahead : behind;
    if (takesHead) head += 1;
    else tail += 1;
  }
  return `${words.slice(0, head).join('')}${ELLIPSIS}${words.slice(-tail).join('')}`;
}

function fitLetters(shown: string, width: number, font: Font): string {
  // What is far too long is cut before it is measured letter by letter.
  const most = Math.ceil(width / font.size) * MOST_PER_EM;
  const parts = Array.from(graphemes.segment(shown.slice(0, most)), ({ segment }) => segment);
  const last =
    shown.length > most ? Array.from(graphemes.segment(shown.slice(-most)), ({ segment }) => segment) : parts;
  let room = width - widthOf(ELLIPSIS, font);
  let head = 0;
  let tail = 0;
  while (head < parts.length && tail < last.length) {
    const takesHead = head <= tail;
    const next = (takesHead ? parts[head] : last[last.length - 1 - tail]) as string;
    room -= widthOf(next, font);
    if (room < 0) break;
    if (takesHead) head += 1;
    else tail += 1;
  }
  return `${parts.slice(0, head).join('')}${ELLIPSIS}${tail > 0 ? last.slice(-tail).join('') : ''}`;
}

/** Letters are nowhere narrower than a fifth of their size, except for marks that stand on others. */
const MOST_PER_EM = 8;

/** Lines that fit; the last one is shortened in the middle when more does not. Breaks after blanks and between parts. */
export function wrapText(text: string, width: number, font: Font, mostLines: number): string[] {
  const lines: string[] = [];
  let rest = clean(text).trim();
  while (rest !== '' && lines.length < mostLines - 1 && widthOf(rest, font) > width) {
    const at = breakAt(rest, width, font);
    if (at === 0) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  if (rest !== '') lines.push(fitText(rest, width, font));
  return lines;
}

/** How much of it stands on one line: up to the last blank, or after a bracket, comma or slash. */
function breakAt(text: string, width: number, font: Font): number {
  let at = 0;
  let used = 0;
  let best = 0;
  for (const character of text) {
    used += widthOf(character, font);
    if (used > width && character !== ' ') break;
    at += character.length;
    if (/[\s,;(|&/.]/.test(character)) best = at;
  }
  return best;
}

export interface TextOptions {
  readonly size?: number;
  readonly bold?: boolean;
  readonly fill?: string;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** It is shortened to this. */
  readonly width?: number;
}

/**
 * A line of text whose base line is at `y`. It says how long it is, so that a viewer without the bundled font squeezes or
 * stretches its own to the same place.
 */
export function drawText(x: number, y: number, text: string, options: TextOptions = {}): Svg {
  const { size = SIZES.text, bold = false, fill = COLOURS.ink, anchor = 'start', width } = options;
  const font = { size, bold };
  const shown = width === undefined ? clean(text) : fitText(text, width, font);
  if (shown.trim() === '') return '' as Svg;
  return element(
    'text',
    {
      x,
      y,
      'font-size': size,
      'font-weight': bold ? 700 : undefined,
      fill,
      'text-anchor': anchor === 'start' ? undefined : anchor,
      textLength: widthOf(shown, font),
      lengthAdjust: 'spacingAndGlyphs',
    },
    plain(shown),
  );
}
