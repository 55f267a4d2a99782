import { expect, it } from 'vitest';
import { verdictLines } from './show-explanation.ts';

const rule = { rule: 'a/b', tier: 3, reason: 'note', mode: 'advise', verdicts: [] } as const;

it('shows the facts behind what was said, without those that are empty', () => {
  const about = { card: 'k1', symbol: 'a.ts#f', tests: ['a.test.ts:3', 'b.test.ts:4'], none: [] };
  const lines = verdictLines({ kind: 'note', became: 'note', variant: 'card', text: 'Hear.', about }, rule, {
    columns: 80,
    colour: false,
  });
  expect(lines).toEqual([
    '      note (card)',
    '        Hear.',
    '        card: k1',
    '        symbol: a.ts#f',
    '        tests: a.test.ts:3, b.test.ts:4',
  ]);
});
