import { expect, it } from 'vitest';
import { matches, narrowingsOf } from './narrowing.ts';

// As the client was seen to do it: contracts of matchers, one row for each form.
it.each([
  ['', 'Read', true],
  ['*', 'Read', true],
  ['Read, Edit', 'Edit', true],
  ['Bash|Edit', 'Edit', true],
  ['Rea', 'Read', false],
  ['read', 'Read', false],
  ['Task', 'Agent', true],
  ['mcp__server', 'mcp__server__tool', false],
  ['mcp__server__.*', 'mcp__server__tool', true],
  ['^R', 'Read', true],
  ['.*ead', 'Read', true],
  ['(', 'Read', false],
])('%j on %s: %s', (matcher, value, expected) => {
  expect(matches(matcher, value)).toBe(expected);
});

it('names what an entry lets through', () => {
  expect(narrowingsOf('PreToolUse', { matcher: 'Rea' }, {})).toEqual([{ setting: 'matcher', value: 'Rea', lets: [] }]);
  expect(narrowingsOf('PreToolUse', { matcher: 'Bash|Read' }, {})).toMatchObject([{ lets: ['Bash', 'Read'] }]);
  expect(narrowingsOf('PreToolUse', {}, { if: 'Bash(git *)', async: true })).toEqual([
    { setting: 'if', value: 'Bash(git *)' },
    { setting: 'async', value: 'true', isUnheard: true },
  ]);
  expect(narrowingsOf('PreToolUse', { matcher: '*' }, {})).toEqual([]);
  expect(narrowingsOf('Stop', { matcher: 'Rea' }, {}), 'this event has no matcher').toEqual([]);
});
