import { describe, expect, it } from 'vitest';
import type { Effect } from '../../event/effect.ts';
import { NO_FACTS } from '../../event/facts.ts';
import type { Look, RuleFacts } from '../../event/facts.ts';
import { shareLooks } from './shared-looks.ts';

const effect = (target: string): Effect => ({ kind: 'delete', target, seen: `rm ${target}`, road: [] });
const [one, two, three] = [effect('one'), effect('two'), effect('three')];
const found = ({ target }: Effect): Look => ({ lost: [{ what: 'changed', count: 1, names: [target] }] });

/** Facts that write down what was looked at. */
function watched(losses: RuleFacts['losses']) {
  const looked: string[][] = [];
  const facts = shareLooks({
    ...NO_FACTS,
    losses(effects) {
      looked.push(effects.map(({ target }) => target));
      return losses(effects);
    },
  });
  return { facts, looked };
}

describe('the looks of one event', () => {
  it('are made once for each effect, whoever asks', async () => {
    const { facts, looked } = watched((effects) => Promise.resolve(effects.map(found)));
    const [first, second] = await Promise.all([facts.losses([one, two]), facts.losses([two, three])]);
    expect([first, second]).toEqual([
      [found(one), found(two)],
      [found(two), found(three)],
    ]);
    expect(await facts.losses([three, one])).toEqual([found(three), found(one)]);
    expect(looked).toEqual([['one', 'two'], ['three']]);
  });

  it('tell nothing to anybody where one of them was late or failed', async () => {
    const late = watched((effects) => (effects.includes(one) ? undefined : effects.map(found)));
    expect(await late.facts.losses([one, two])).toBeUndefined();
    expect(await late.facts.losses([two, three])).toBeUndefined();
    expect(await late.facts.losses([three])).toEqual([found(three)]);
    const failing = watched(() => Promise.reject(new Error('no disk')));
    await expect(failing.facts.losses([one])).rejects.toThrow('no disk');
    await expect(failing.facts.losses([one])).rejects.toThrow('no disk');
  });

  it('leave all other facts as they are', () => {
    const { facts } = watched(() => undefined);
    expect(facts.commits).toBe(NO_FACTS.commits);
  });
});
