import { GATED_VERBS } from '../../event/gated-verbs.generated.ts';

/** Verbs for a person alone that an agent's call is asked about, each with what it would do. */
export const ASKED_VERBS: ReadonlyMap<string, string> = new Map(
  GATED_VERBS.filter(({ asked }) => asked).map(({ verb, why }) => [verb, why]),
);
