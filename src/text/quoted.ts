/** Where a text is put: inside of which marks, which it must not end, or behind `> `, where the end of the line ends it. */
export type Around = '`' | '"' | '>' | undefined;

const PLAIN = /^[\x20-\x7e]*$/;
/**
 * What does not show, or changes how its neighbours show: controls, formats such as reordering marks and zero widths, separators
 * of lines, selectors of variants, fillers, halves of pairs, and what is not assigned.
 */
const UNSEEN =
  // oxlint-disable-next-line no-misleading-character-class
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** The most characters of a text that is not ours. */
export const MOST_QUOTED = 80;

/** Somebody else's text as a quotation: one line, at most 80 characters, in marks that it cannot close. */
export function quoted(text: string, around: Around): string {
  // What is cut off is not worth reading; what vanishes may be many times as much.
  const line = flat(text.length > 4_000 ? text.slice(0, 4_000) : text);
  const cut = line.length > MOST_QUOTED ? `${whole(line.slice(0, MOST_QUOTED - 1))}…` : line;
  const mark = around ?? '"';
  const inner = mark !== '>' && cut.includes(mark) ? cut.replaceAll(mark, "'") : cut;
  return around === undefined && inner !== '' ? `"${inner}"` : inner;
}

/** On one line, with nothing that does not show. */
export function flat(text: string): string {
  const shown = PLAIN.test(text) ? text : text.replaceAll(/[\s\u0085]+/g, ' ').replaceAll(UNSEEN, '');
  return shown.replaceAll(/ {2,}/g, ' ').trim();
}

/** Half of a pair at a cut would be a character of its own. */
function whole(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

const EVERYDAY_PATH = /^[\w./@:+~%=,#*?[\]-]*$/;

/** A path, whole: what does not show, or would end the marks around it, is escaped. One of other than everyday letters stands in marks. */
export function escapedPath(path: string, around: Around): string {
  if (EVERYDAY_PATH.test(path)) return path;
  const mark = around ?? '"';
  const seen = path.replaceAll(UNSEEN, escaped);
  const shown = mark === '>' ? seen : seen.replaceAll(mark, escaped);
  return around === undefined ? `"${shown}"` : shown;
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A text of many lines, without what controls a terminal or does not show. */
export function printable(text: string): string {
  return /^[\x20-\x7e\n]*$/.test(text)
    ? text
    : text.replaceAll(UNSEEN, (character) => (/[\n\t]/.test(character) ? character : ''));
}
