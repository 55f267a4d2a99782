import { expect, it } from 'vitest';
import { createIds } from './ledger.ts';
import { rowOf, startWatch } from './record.ts';
import { NOW, toolEvent } from '../engine/engine.fixture.ts';

it('a watch sums the laps of each stage', () => {
  const moments = [0, 5, 7, 10, 30, 31];
  const watch = startWatch(() => moments.shift() ?? 100);
  watch.lap('parse');
  watch.lap('rules');
  watch.lap('commit');
  watch.lap('rules');
  expect(watch.times()).toEqual({ parse: 5, workspace: 0, effects: 0, select: 0, rules: 22, commit: 3, render: 0 });
  expect(watch.total()).toBe(31);
});

it('a row names each rule once and counts what the agent has to read', () => {
  const note = (rule: string, text: string) => ({ rule, text, priority: 50 });
  const decision = {
    action: 'deny' as const,
    by: ['a'],
    reason: '12345',
    notes: [note('b', '123'), note('a', '1')],
    warns: [note('c', 'for the person')],
  };
  expect(
    rowOf({
      id: 'x',
      event: toolEvent(),
      root: '/p',
      digest: 'd',
      tier: 3,
      decision,
      replyBytes: 9,
      micros: 1,
      changed: true,
      copy: false,
      delivery: undefined,
      answer: undefined,
    }),
  ).toEqual({
    id: 'x',
    at: NOW,
    session: 's1',
    agent: 'test',
    event: 'tool.before',
    tool: 'shell',
    root: '/p',
    action: 'deny',
    rules: 'a,b,c',
    chars: 9,
    replyBytes: 9,
    micros: 1,
    tier: 3,
    digest: 'd',
    changed: true,
    copy: false,
  });
});

it('ids differ, also within one moment, and sort by time', () => {
  const next = createIds(() => 0.999);
  const ids = Array.from({ length: 40_000 }, () => next(NOW));
  expect(new Set(ids).size).toBe(ids.length);
  expect(next(NOW + 1) > (ids[0] ?? '')).toBe(true);
});
