import { own } from '../api/message-values.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeRule, send, testEngine, toolEvent } from '../engine.fixture.ts';
import { applyMode, isMode, stricter, weaker } from './mode.ts';
import { ACTIONS, MODES } from '../../event/verdict.ts';
import type { Action, Mode, Verdict, VerdictKind } from '../../event/verdict.ts';

const KINDS: readonly VerdictKind[] = ['pass', 'allow', 'rewrite', 'save', 'ask', 'deny', 'note', 'warn'];
const verdict = (kind: VerdictKind): Verdict => ({ kind, rule: 'a', priority: 50, text: 'x' });

const PLAIN = { allow: 'allow', rewrite: 'rewrite', save: 'save', note: 'note', warn: 'warn' } as const;

describe('a mode', () => {
  it.each<[Mode, Readonly<Partial<Record<VerdictKind, VerdictKind>>>]>([
    ['off', {}],
    ['shadow', {}],
    ['advise', { allow: 'note', rewrite: 'note', save: 'note', ask: 'note', deny: 'note', note: 'note', warn: 'warn' }],
    ['save', { ...PLAIN, ask: 'ask', deny: 'deny' }],
    ['ask', { ...PLAIN, ask: 'ask', deny: 'ask' }],
    ['enforce', { ...PLAIN, ask: 'ask', deny: 'deny' }],
  ])('%s is a ceiling', (mode, expected) => {
    for (const kind of KINDS) expect(applyMode(verdict(kind), mode)?.kind, kind).toBe(expected[kind]);
  });

  it.each<[Mode, Readonly<Partial<Record<VerdictKind, VerdictKind>>>]>([
    ['advise', { deny: 'note', ask: 'note' }],
    ['ask', { deny: 'deny', ask: 'deny' }],
    ['enforce', { deny: 'deny', ask: 'deny' }],
  ])('%s asks nobody where nobody would be asked', (mode, expected) => {
    for (const kind of ['deny', 'ask'] as const)
      expect(applyMode(verdict(kind), mode, false)?.kind, kind).toBe(expected[kind]);
  });

  it.each<[boolean | undefined, Action]>([
    [undefined, 'ask'],
    [true, 'ask'],
    [false, 'deny'],
  ])('ask: what would be denied is asked, unless the event says that nobody is (%s)', async (asksPerson, action) => {
    const rule = activeRule('a', (_, context) => context.deny('said', { text: own('no') }), {}, 'ask');
    const event = toolEvent({}, asksPerson === undefined ? {} : { asksPerson });
    expect((await send(testEngine([rule]), event)).action).toBe(action);
  });

  it('save: an ask about what can be copied becomes a copy', () => {
    const mendable = (kind: VerdictKind): Verdict => ({ ...verdict(kind), keeps: [] });
    expect(applyMode(mendable('ask'), 'save')?.kind).toBe('save');
    expect(applyMode(mendable('ask'), 'save', false)?.kind).toBe('save');
    expect(applyMode(mendable('ask'), 'ask')?.kind).toBe('ask');
    expect(applyMode(mendable('deny'), 'save')?.kind).toBe('deny');
  });

  it('says nothing in place of a verdict without words', () => {
    expect(applyMode({ kind: 'allow', rule: 'a', priority: 50 }, 'advise')).toBeUndefined();
  });

  it('never makes a verdict stricter, nor a weaker mode a stricter one', () => {
    const rank = (one: Verdict | undefined) => Math.max(0, ACTIONS.indexOf((one?.kind ?? 'pass') as Action));
    fc.assert(
      fc.property(
        fc.constantFrom(...KINDS),
        fc.constantFrom(...MODES),
        fc.constantFrom(...MODES),
        (kind, one, other) => {
          expect(rank(applyMode(verdict(kind), one))).toBeLessThanOrEqual(rank(verdict(kind)));
          // Where a copy is enough, a denial stays one: it is about what no copy mends.
          const isDenied = kind === 'deny' && weaker(one, other) === 'save';
          if (!isDenied)
            expect(rank(applyMode(verdict(kind), weaker(one, other)))).toBeLessThanOrEqual(
              rank(applyMode(verdict(kind), stricter(one, other))),
            );
          expect([weaker(one, other), stricter(one, other)].sort()).toEqual([one, other].sort());
        },
      ),
    );
  });

  it('is one of five words', () => {
    expect(MODES.every(isMode)).toBe(true);
    expect(isMode('on')).toBe(false);
  });
});

describe('a shadow rule', () => {
  it('decides and is recorded, but neither speaks nor blocks, whatever happens to it', async () => {
    const deny = activeRule('quiet', (_, context) => context.deny('said', { text: own('no') }), {}, 'shadow');
    const broken = activeRule('broken', () => expect.fail('broken'), { onError: 'block' }, 'shadow');
    const engine = testEngine([deny, broken]);
    expect(await send(engine, toolEvent())).toEqual({ action: 'pass', by: [], notes: [], warns: [] });
    const trace = engine.recorded[0]?.detail.trace ?? [];
    expect(trace.find(({ rule }) => rule === 'quiet')).toMatchObject({
      tier: 3,
      mode: 'shadow',
      verdicts: [{ kind: 'deny', text: 'no' }],
    });
    expect(trace.find(({ rule }) => rule === 'broken')).toMatchObject({ failed: true });
  });
});
