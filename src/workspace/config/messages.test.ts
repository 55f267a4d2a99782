import { describe, expect, it } from 'vitest';
import { parseMessage } from './messages.ts';
import { checkPlaceholders, findBrokenPlaceholder } from './placeholders.ts';

describe('parseMessage', () => {
  it.each([
    [
      'basics/repeated-failure/twice.md',
      'Look at {tool}.\r\n',
      { rule: 'basics/repeated-failure', variant: 'twice', text: 'Look at {tool}.' },
    ],
    ['own/blocked.v2.md', 'x', { rule: 'own', variant: 'blocked.v2', text: 'x' }],
    ['a/b/silent.md', ' \n\n', { rule: 'a/b', variant: 'silent', text: '' }],
    ['a/b/code.md', 'Write `{ "a": [{}] }`', { rule: 'a/b', variant: 'code', text: 'Write `{ "a": [{}] }`' }],
  ])('%s %j', (name, text, message) => {
    expect(parseMessage(text, { file: 'f', name })).toEqual({ message, problems: [] });
  });

  it.each([
    ['a/b/c.md', 'fine\nthen {tool', 2],
    ['a/b/c.md', 'fine\n\nthen {tool name} here', 3],
    ['a/b/c.md', '{tool{x}}', 1],
    ['c.md', 'no rule', 1],
  ])('leaves out %s %j', (name, text, line) => {
    const { message, problems } = parseMessage(text, { file: 'f', name });
    expect(message).toBeUndefined();
    expect(problems).toEqual([expect.objectContaining({ file: 'f', line, severity: 'warning' })]);
  });
});

it('names the placeholders that a rule does not fill', () => {
  expect(checkPlaceholders('{a} {b} {c} {b} { d }', ['a'])).toEqual(['b', 'c']);
  expect(checkPlaceholders('none', [])).toEqual([]);
});

it('finds no fault with text that has no braces', () => {
  expect(findBrokenPlaceholder('a } b')).toBeUndefined();
});
