import type { Effect } from '../../event/effect.ts';
import type { Look, RuleFacts } from '../../event/facts.ts';

/** Facts for the rules of one event: an effect that one of them has looked at is not looked at again for another. */
export function shareLooks(facts: RuleFacts): RuleFacts {
  let looked: Map<Effect, Promise<Look | undefined>> | undefined;
  const losses = async (effects: readonly Effect[]): Promise<readonly Look[] | undefined> => {
    const known = (looked ??= new Map());
    const fresh = effects.filter((effect) => !known.has(effect));
    if (fresh.length > 0) {
      const looks = Promise.resolve(facts.losses(fresh));
      for (const [at, effect] of fresh.entries())
        known.set(
          effect,
          looks.then((found) => found?.[at]),
        );
    }
    const found = await Promise.all(effects.map((effect) => known.get(effect)));
    return found.every((look) => look !== undefined) ? found : undefined;
  };
  return Object.assign(Object.create(facts) as RuleFacts, { losses });
}
