import type { Unclear } from './command.ts';

/** Longer texts are not read: the parser takes more than its share of time for them. */
const MAX_LENGTH = 32 * 1024;
const MAX_HEREDOCS = 100;
/** The parser's time grows with the square of the open braces in one word. */
const MAX_BRACES = 512;
/** Nor does anybody write this many substitutions by hand. */
const MAX_SUBSTITUTIONS = 1024;

/** Why the text is too much to parse; undefined when it is not. */
export function isTooMuch(text: string): Unclear['why'] | undefined {
  if (text.length > MAX_LENGTH) return 'too-long';
  if (count(text, '<<') > MAX_HEREDOCS) return 'too-many-heredocs';
  if (text.length > MAX_BRACES && count(text, '{') > MAX_BRACES) {
    if (text.split(/\s+/).some((word) => word.length > MAX_BRACES && count(word, '{') > MAX_BRACES)) return 'too-long';
  }
  const substitutions =
    text.length > MAX_SUBSTITUTIONS ? count(text, '$(') + count(text, '<(') + count(text, '`') / 2 : 0;
  return substitutions > MAX_SUBSTITUTIONS ? 'too-long' : undefined;
}

function count(text: string, mark: string): number {
  let found = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) found += 1;
  return found;
}
