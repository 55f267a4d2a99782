import { GATED_VERBS } from '../../event/gated-verbs.generated.ts';

/** What may not follow a verb in a text, because it makes another verb of it. */
export function unless(verb: string): string {
  const { but = [] } = GATED_VERBS.find((each) => each.verb === verb) ?? {};
  return but.length === 0 ? '' : `(?! (?:${but.join('|')})(?![\\w-]))`;
}

/** Verbs for a person alone that an agent's call is asked about, each with what it would do. */
export const ASKED_VERBS: ReadonlyMap<string, string> = new Map(
  GATED_VERBS.filter(({ asked }) => asked).map(({ verb, why }) => [verb, why]),
);
