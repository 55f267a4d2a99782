import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merge } from './merge.ts';
import { ACTIONS, NEUTRAL } from '../../event/verdict.ts';
import type { Action, Decision, Verdict } from '../../event/verdict.ts';

/** Few values, so that ties and equal texts are common. */
const verdict: fc.Arbitrary<Verdict> = fc.record(
  {
    kind: fc.constantFrom('pass', 'allow', 'rewrite', 'ask', 'deny', 'note', 'warn'),
    rule: fc.constantFrom('a', 'b', 'c'),
    priority: fc.constantFrom(10, 50, 90),
    variant: fc.constantFrom('one', 'two'),
    text: fc.constantFrom('', ' ', 'x', 'y', 'z'),
    input: fc.constantFrom({ command: 'ls' }, { command: 'pwd' }),
  },
  { requiredKeys: ['kind', 'rule', 'priority'] },
);
const verdicts = fc.array(verdict, { maxLength: 8 });
const rank = (action: Action) => ACTIONS.indexOf(action);

/** The verdicts that a decision stands for: merging decisions further must not change the outcome. */
function verdictsOf(list: readonly Verdict[], { action, by }: Decision): Verdict[] {
  const acting = list.filter(({ kind, rule }) => kind === action && by.includes(rule));
  return [...acting, ...list.filter(({ kind }) => kind === 'note' || kind === 'warn')];
}

describe('merge, for any verdicts', () => {
  it('does not depend on the order in which rules answered', () => {
    fc.assert(
      fc.property(verdicts, fc.infiniteStream(fc.nat()), (list, order) => {
        const keys = list.map(() => order.next().value as number);
        const shuffled = list.map((one, at) => ({ one, key: keys[at] as number })).sort((a, b) => a.key - b.key);
        expect(merge(shuffled.map(({ one }) => one))).toEqual(merge(list));
      }),
    );
  });

  it('does not depend on how the verdicts were grouped', () => {
    fc.assert(
      fc.property(verdicts, verdicts, (left, right) => {
        const stepwise = merge([...verdictsOf(left, merge(left)), ...verdictsOf(right, merge(right))]);
        expect(stepwise).toEqual(merge([...left, ...right]));
      }),
    );
  });

  it('is as strict as its strictest input and never weaker', () => {
    fc.assert(
      fc.property(verdicts, (list) => {
        const strictest = Math.max(0, ...list.map(({ kind }) => rank(kind as Action)));
        expect(rank(merge(list).action)).toBe(strictest);
      }),
    );
  });

  it('does not get weaker by one verdict more', () => {
    fc.assert(
      fc.property(verdicts, verdict, (list, more) => {
        expect(rank(merge([...list, more]).action)).toBeGreaterThanOrEqual(rank(merge(list).action));
      }),
    );
  });

  it('lets every text of a note or warn through once, whatever the action', () => {
    fc.assert(
      fc.property(verdicts, (list) => {
        const { notes, warns } = merge(list);
        for (const [said, kind] of [
          [notes, 'note'],
          [warns, 'warn'],
        ] as const) {
          const given = list.filter((one) => one.kind === kind && (one.text ?? '').trim() !== '');
          const bare = said.map(({ rule, text }) => text.slice(`[${rule}] `.length));
          expect(new Set(bare)).toEqual(new Set(given.map(({ text }) => text)));
          expect(bare).toHaveLength(new Set(bare).size);
          for (const { rule, text } of said)
            expect(given.some((one) => one.rule === rule && text === `[${rule}] ${one.text}`)).toBe(true);
        }
      }),
    );
  });

  it('lets one rewriter act, the most important one', () => {
    fc.assert(
      fc.property(verdicts, (list) => {
        const { action, by, input } = merge(list);
        if (action !== 'rewrite') {
          expect(input).toBeUndefined();
          return;
        }
        expect(by).toHaveLength(1);
        const rewriters = list.filter(({ kind }) => kind === 'rewrite');
        const top = Math.max(...rewriters.map(({ priority }) => priority));
        expect(rewriters.some((one) => one.rule === by[0] && one.priority === top && one.input === input)).toBe(true);
      }),
    );
  });
});

const from = (kind: Verdict['kind'], rule: string, text: string, priority = 50): Verdict => ({
  kind,
  rule,
  text,
  priority,
});

describe('merge', () => {
  it.each<[string, Verdict[], Partial<Decision>]>([
    ['nothing is neutral', [], NEUTRAL],
    ['passes are neutral', [from('pass', 'a', 'x')], NEUTRAL],
    [
      'deny over ask',
      [from('ask', 'a', 'asks'), from('deny', 'b', 'denies')],
      { action: 'deny', by: ['b'], reason: '[b] denies' },
    ],
    ['ask over rewrite', [from('rewrite', 'a', 'new'), from('ask', 'b', 'asks')], { action: 'ask', by: ['b'] }],
    ['rewrite over allow', [from('allow', 'a', ''), from('rewrite', 'b', 'new')], { action: 'rewrite', by: ['b'] }],
    ['allow over pass', [from('pass', 'a', ''), from('allow', 'b', 'fine')], { action: 'allow', by: ['b'] }],
    [
      'of two denials the text of the important one, and both rules',
      [from('deny', 'a', 'second'), from('deny', 'b', 'first', 60)],
      { by: ['b', 'a'], reason: '[b] first' },
    ],
    [
      'one reason said once',
      [from('deny', 'a', 'same'), from('deny', 'b', 'same')],
      { by: ['a', 'b'], reason: '[a] same' },
    ],
    [
      'notes and warns beside a denial',
      [from('note', 'a', 'n'), from('deny', 'b', 'd'), from('warn', 'c', 'w')],
      {
        action: 'deny',
        notes: [{ rule: 'a', text: '[a] n', priority: 50 }],
        warns: [{ rule: 'c', text: '[c] w', priority: 50 }],
      },
    ],
  ])('%s', (_, list, expected) => {
    expect(merge(list)).toMatchObject(expected);
  });
});

describe('what a person is told in a box', () => {
  const boxed = (rule: string, priority: number, text?: string): Verdict => ({
    kind: 'warn',
    rule,
    priority,
    box: '/p/.context',
    ...(text === undefined ? {} : { text }),
  });

  it('stands in one box below its rules, the most important first, before the plain lines', () => {
    const plain: Verdict = { kind: 'warn', rule: 'c', priority: 99, text: 'plain' };
    const { warns } = merge([boxed('a', 40, 'second'), plain, boxed('b', 60, 'first'), boxed('d', 10)]);
    expect(warns.map(({ rule }) => rule)).toEqual(['b', 'c']);
    const lines = warns[0]?.text.split('\n').map((line) => line.replaceAll(/^[│┌└]\s?|\s*[│┐┘]$/g, ''));
    expect(lines?.[0]).toBe('[b, a]');
    expect(lines?.slice(2, -1)).toEqual(['first', '', 'second', '/p/.context']);
    expect(warns[1]?.text).toBe('[c] plain');
  });

  it('is nothing when every text was silenced', () => {
    expect(merge([boxed('a', 40), boxed('b', 40, ' ')]).warns).toEqual([]);
  });
});
