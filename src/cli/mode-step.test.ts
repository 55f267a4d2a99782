import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../packs/index.generated.ts';
import { MODES } from '../event/verdict.ts';
import type { Mode } from '../event/verdict.ts';
import { SAYINGS, sayingsOf, stepDown, stepUp, strengthOf } from './mode-step.ts';
import type { Saying } from './mode-step.ts';

const PLAIN = {};
const SAVES = { saves: true } as const;

function ladder(rule: typeof PLAIN | typeof SAVES, said: readonly Saying[], step: typeof stepUp, from: Mode): Mode[] {
  const modes: Mode[] = [];
  for (let at: Mode | undefined = from; at !== undefined; at = step(rule, at, said)) modes.push(at);
  return modes;
}

describe('one step', () => {
  it.each<[what: string, rule: typeof PLAIN | typeof SAVES, said: readonly Saying[], up: string]>([
    ['a rule that denies', PLAIN, ['deny'], 'off shadow advise ask enforce'],
    ['a rule that asks', PLAIN, ['ask'], 'off shadow advise ask'],
    ['a rule that only notes', PLAIN, ['note'], 'off shadow advise'],
    ['a rule about which nothing is known', PLAIN, SAYINGS, 'off shadow advise ask enforce'],
    ['what a copy brings back', SAVES, ['ask', 'mendable', 'deny'], 'off shadow advise save enforce'],
  ])('up: %s', (_, rule, said, up) => {
    expect(ladder(rule, said, stepUp, 'off').join(' ')).toBe(up);
  });

  it.each<[what: string, rule: typeof PLAIN | typeof SAVES, said: readonly Saying[], from: Mode, down: string]>([
    ['a rule that denies', PLAIN, ['deny'], 'enforce', 'enforce ask advise shadow'],
    ['a rule that asks, where enforce is no more than ask', PLAIN, ['ask'], 'enforce', 'enforce advise shadow'],
    ['what a copy brings back', SAVES, ['ask', 'mendable', 'deny'], 'enforce', 'enforce ask advise shadow'],
    ['what a copy brings back, from where it begins', SAVES, ['ask', 'mendable', 'deny'], 'save', 'save advise shadow'],
  ])('down: %s', (_, rule, said, from, down) => {
    expect(ladder(rule, said, stepDown, from).join(' ')).toBe(down);
  });

  it('up makes nothing milder that any rule could say, and down nothing harder', () => {
    const subsets = Array.from({ length: 2 ** SAYINGS.length - 1 }, (_, bits) =>
      SAYINGS.filter((_saying, at) => ((bits + 1) >> at) & 1),
    );
    for (const said of subsets)
      for (const rule of [PLAIN, SAVES])
        for (const mode of MODES)
          for (const saying of SAYINGS) {
            const [up, down] = [stepUp(rule, mode, said) ?? mode, stepDown(rule, mode, said) ?? mode];
            expect(strengthOf(saying, up), `${mode} → ${up}: ${saying}`).toBeGreaterThanOrEqual(
              strengthOf(saying, mode),
            );
            expect(strengthOf(saying, down), `${mode} → ${down}: ${saying}`).toBeLessThanOrEqual(
              strengthOf(saying, mode),
            );
          }
  });

  it('leads every rule that is built in from off to a mode in which it is heard', () => {
    for (const { meta } of BUILT_IN) {
      const said = sayingsOf(meta, []);
      expect(stepUp(meta, 'shadow', said), meta.id).toBe('advise');
    }
  });
});
