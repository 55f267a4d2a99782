import { readEntries } from './entries.ts';
import { STARTERS } from './starters.ts';

const COMMENTS = /<!--[^]*?(?:-->|$)/g;
const FRONT_MATTER = /^\ufeff?---\r?\n[^]*?\r?\n---[ \t]*(?:\r?\n|$)/;
const HEADING = /^#{1,6}(?:[ \t]|$)|^(?:={3,}|-{3,}|\*{3,}|_{3,})$/;
const RULE_OF_TABLE = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*\|?$/;
const BULLET = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)(?:\[[ xX]?\](?:[ \t]+|$))?/;
/** `**Context**:`, `Owner:` with nothing behind it. */
const EMPTY_FIELD = /^(?:\*\*[^*]+\*\*:?|[\p{L}][\p{L} ]{0,30}:)$/u;
/** What asks to be replaced: `[name of the project]`, `<why>`, `{{owner}}`, `TODO`, `...`. */
const PLACEHOLDER =
  /^(?:\*\*[^*]+\*\*:?[ \t]*)?(?:[_*]*(?:\[[^\]]*\]|<[^<>]+>|\{+[^{}]*\}+)[_*.:]*|(?:TODO|TBD|FIXME|XXX|N\/A|none yet|\(none(?: yet)?\)|to be (?:written|filled|done|decided))\b.{0,60}|\.{3}|…)$/i;

/**
 * Whether nobody has written anything into a context file: there is nothing in it but what its starter has, headings,
 * comments, empty tables and fields, and placeholders. The title of an entry says something.
 */
export function isUnfilled(name: string, text: string): boolean {
  if (readEntries(text).length > 0) return false;
  const starter = Object.hasOwn(STARTERS, name) ? STARTERS[name as keyof typeof STARTERS] : '';
  const known = new Set(linesOf(starter));
  const lines = linesOf(text.replace(FRONT_MATTER, '').replaceAll(COMMENTS, ''));
  return lines.every((line, at) => known.has(line) || isEmptyLine(line, lines[at + 1] ?? ''));
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

function isEmptyLine(line: string, next: string): boolean {
  if (HEADING.test(line) || RULE_OF_TABLE.test(line)) return true;
  if (line.startsWith('|')) return (next.startsWith('|') && RULE_OF_TABLE.test(next)) || isEmptyRow(line);
  const said = line.replace(/^>[ \t]?/, '').replace(BULLET, '');
  return said === '' || EMPTY_FIELD.test(said) || PLACEHOLDER.test(said);
}

/** A row that names what is to be filled in, and nothing of it. */
function isEmptyRow(line: string): boolean {
  const [, ...cells] = line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());
  return cells.length > 0 && cells.every((cell) => cell === '' || PLACEHOLDER.test(cell));
}
