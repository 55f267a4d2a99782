import { expect, it } from 'vitest';
import { standingOf } from './qa-state.ts';
import type { CheckStanding, QaState } from './qa-state.ts';

it.each<[string, QaState | undefined, CheckStanding]>([
  ['nothing is known', undefined, 'not-seen'],
  ['only another check was seen', { lastEdit: 0, checks: { lint: 5 } }, 'not-seen'],
  ['it passed and nothing was edited', { lastEdit: 0, checks: { test: 5 } }, 'passed'],
  ['it passed after the edit', { lastEdit: 4, checks: { test: 5 } }, 'passed'],
  ['it began when the edit was done', { lastEdit: 5, checks: { test: 5 } }, 'passed'],
  ['it passed before the edit', { lastEdit: 6, checks: { test: 5 } }, 'passed-before'],
])('%s', (_, state, expected) => {
  expect(standingOf(state, 'test')).toBe(expected);
});
