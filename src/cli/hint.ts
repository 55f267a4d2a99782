import { nearestWord } from '../user-rules/nearest-word.ts';

/** `; did you mean "…"?`, or nothing. A name may lack its pack. */
export function hint(word: string, candidates: readonly string[]): string {
  const whole = new Map(candidates.map((one) => [one.slice(one.lastIndexOf('/') + 1), one]));
  const near = nearestWord(word, [...candidates, ...whole.keys()]) ?? '';
  const meant = candidates.includes(near) ? near : whole.get(near);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}
