import { nearestWord } from '../user-rules/nearest-word.ts';

/** `; did you mean "…"?`, or nothing. A name without its pack counts as near. */
export function hint(word: string, candidates: readonly string[]): string {
  const meant = candidates.find((one) => one.endsWith(`/${word}`)) ?? nearestWord(word, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}
