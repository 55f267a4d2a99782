import type { Extracted } from '../languages/language.ts';
import { ANY_WORD, LEAST_WORD } from '../model/lost.ts';

const MOST_WORDS = 20_000;
const WORD = new RegExp(String.raw`[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]{${LEAST_WORD - 1},}`, 'g');
const CALL = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*(?=[ \t]*(?:<[^<>()\n]*>)?\()/g;
/** What a text that is not read may speak of. */
export function wordsIn(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.matchAll(WORD)) if (words.add(word).size > MOST_WORDS) return [ANY_WORD];
  return [...words].sort();
}

/** What is called in a text without being among the facts, because the parser could not read the place. */
export function lostCalls(
  text: string,
  lines: readonly number[],
  { references, definitions }: Pick<Extracted, 'references' | 'definitions'>,
): string[] {
  const known = new Set([...references, ...definitions].map(({ at }) => at));
  const lost = new Set<string>();
  let line = 0;
  for (const { 0: word, index } of text.matchAll(CALL)) {
    if (known.has(index)) continue;
    while ((lines[line + 1] ?? Infinity) <= index) line += 1;
    const before = text.slice(Math.max(lines[line] ?? 0, index - MOST_BEFORE), index);
    if (!isUnmeant(before) && lost.add(word).size > MOST_WORDS) return [ANY_WORD];
  }
  return [...lost].sort();
}

const MOST_BEFORE = 400;

/** By what stands before it on its line: in a remark, or in a string. */
function isUnmeant(before: string): boolean {
  if (/^\s*[#*]|\/\/|\/\*(?!.*\*\/)/.test(before)) return true;
  return ['"', "'"].some((quote) => before.split(quote).length % 2 === 0);
}
