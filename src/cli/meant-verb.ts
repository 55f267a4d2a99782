import { nearestWord } from '../user-rules/nearest-word.ts';
import { VERBS } from './verbs.generated.ts';

/** Verbs that are not on their way out. */
export const SHOWN_VERBS = Object.entries(VERBS).flatMap(([verb, { now }]) => (now === undefined ? [verb] : []));

/** `; did you mean "…"?` for a command line that names no verb, or nothing. */
export function meantVerb([first = '', second = '']: readonly string[]): string {
  const meant = nearVerbs(first, second);
  return meant.length === 0 ? '' : `; did you mean ${meant.map((verb) => `"${verb}"`).join(' or ')}?`;
}

const MOST = 3;

function nearVerbs(first: string, second: string): readonly string[] {
  const firsts = [...new Set(SHOWN_VERBS.map((verb) => firstOf(verb)))];
  const group = firsts.includes(first) ? first : near(first, firsts);
  if (group !== undefined) {
    const words = SHOWN_VERBS.filter((verb) => verb.startsWith(`${group} `)).map((verb) =>
      verb.slice(group.length + 1),
    );
    const word = words.includes(second) ? second : second === '' ? undefined : near(second, words);
    if (words.length === 0 || group !== first || word !== undefined)
      return [word === undefined ? group : `${group} ${word}`];
    return [];
  }
  // `list rules`, and `mode` without its group.
  const turned = SHOWN_VERBS.filter((verb) => verb === `${second} ${first}`);
  return turned.length > 0 ? turned : SHOWN_VERBS.filter((verb) => verb.endsWith(` ${first}`)).slice(0, MOST);
}

/** By its spelling, or as the only one that begins so. */
function near(word: string, words: readonly string[]): string | undefined {
  const beginning = word.length > 1 ? words.filter((each) => each.startsWith(word)) : [];
  return beginning.length === 1 ? beginning[0] : nearestWord(word, words);
}

function firstOf(verb: string): string {
  return verb.split(' ', 1)[0] as string;
}
