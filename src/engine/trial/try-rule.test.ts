import { describe, expect, it } from 'vitest';
import { hasNearMiss, holds, tryExamples } from './try-rule.ts';
import { counter, defineRule } from '../rule.ts';
import type { Rule } from '../rule.ts';

const base = {
  id: 'test/a',
  pack: 'test',
  summary: 'For a test.',
  on: [{ event: 'tool.before', tool: ['shell'], words: ['rm'] }],
  messages: { no: 'Not {what}.' },
} as const;
const removes = defineRule({
  ...base,
  examples: {
    deny: ['rm -r x', { command: 'sudo rm x' }],
    pass: ['echo rm', { tool: 'write', path: 'rm', new: 'rm' }, 'ls'],
  },
  check: (event, context) =>
    event.tool?.command?.startsWith('echo') ? context.pass('only said') : context.deny('no', { what: 'that' }),
});

describe('tryExamples', () => {
  it('says for each example what was expected, what came, and where it stopped', async () => {
    const results = await tryExamples(removes);
    expect(results.map(({ expected, got, tier }) => [expected, got, tier])).toEqual([
      ['deny', 'deny', 3],
      ['deny', 'deny', 3],
      ['pass', 'pass', 3],
      ['pass', 'pass', 0],
      ['pass', 'pass', 1],
    ]);
    expect(results.every(holds)).toBe(true);
    expect(results[0]?.texts).toEqual(['[test/a] Not "that".']);
    expect(results[2]?.reason).toBe('only said');
    expect(hasNearMiss(results)).toBe(true);
  });

  it('takes a rule whose code is elsewhere', async () => {
    const { check: _check, ...meta } = removes;
    const results = await tryExamples({ meta, load: async () => removes });
    expect(results.every(holds)).toBe(true);
  });

  it.each<[string, Rule, string]>([
    ['is too eager', { ...removes, check: (_, context) => context.deny('no', { what: 'x' }) }, 'deny'],
    ['breaks down', { ...removes, check: () => expect.fail('broken') }, 'pass'],
  ])('shows a rule that %s', async (_, rule, got) => {
    const results = await tryExamples(rule);
    const pass = results.find(({ example }) => example === 'echo rm');
    expect(pass).toMatchObject({ expected: 'pass', got });
    expect(pass && holds(pass)).toBe(false);
  });

  it('asks for the n-th event in a row, in a session of its own', async () => {
    const third = defineRule({
      ...base,
      on: [{ event: 'tool.before' }],
      state: { calls: counter('calls') },
      examples: { note: [{ command: 'a', times: 3 }], pass: [{ command: 'a', times: 2 }, 'a'] },
      check: (_, context) =>
        context.state.calls.next() === 3 ? context.note('no', { what: 'again' }) : context.pass(),
    });
    expect((await tryExamples(third)).every(holds)).toBe(true);
  });

  it.each<[string, Rule['examples'], boolean]>([
    ['no pass example', { deny: ['rm x'] }, false],
    ['only one that its filters turn away', { pass: [{ tool: 'write', new: 'rm' }] }, false],
    ['one that its words turn away', { pass: ['ls'] }, true],
  ])('misses a near miss when there is %s', async (_, examples, expected) => {
    expect(hasNearMiss(await tryExamples({ ...removes, examples: examples ?? {} }))).toBe(expected);
  });

  it('gives a rule the entry it needs, whatever the mode it declares', async () => {
    const needy = defineRule({
      ...base,
      mode: 'shadow',
      needs: { entry: '.thing' },
      examples: { deny: ['rm x'] },
      check: (_, context) => context.deny('no', { what: context.workspace.nearest('.thing') ?? '' }),
    });
    expect(await tryExamples(needy)).toMatchObject([{ got: 'deny', texts: ['[test/a] Not "/example".'] }]);
  });
});
