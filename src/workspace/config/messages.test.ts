import { describe, expect, it } from 'vitest';
import { borrowed } from '../../packs/context/borrowed.ts';
import { parseMessage as parseWith } from './messages.ts';
import { findBrokenPlaceholder } from './messages.ts';

const parseMessage = (text: string, file: Parameters<typeof parseWith>[1]) => parseWith(text, file, () => borrowed);

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
    expect(parseMessage(text, { file: 'f', name: `messages/${name}` })).toEqual({ message, problems: [] });
  });

  it.each([
    ['a/b/c.md', 'fine\nthen {tool', 2],
    ['a/b/c.md', 'fine\n\nthen {tool name} here', 3],
    ['a/b/c.md', '{tool{x}}', 1],
  ])('knows that %s %j cannot be used', (name, text, line) => {
    const { message, problems } = parseMessage(text, { file: 'f', name: `messages/${name}` });
    expect(message).toMatchObject({ rule: 'a/b', variant: 'c', problem: expect.stringMatching(/brace|placeholder/) });
    expect(problems).toEqual([expect.objectContaining({ file: 'f', line, severity: 'warning' })]);
  });

  it.each(['messages/c.md', '.context/hooks/messages/c.txt'])('has no rule for %s', (name) => {
    const { message, problems } = parseMessage('x', { file: 'f', name });
    expect(message).toBeUndefined();
    expect(problems).toEqual([expect.objectContaining({ file: 'f', line: 1, severity: 'warning' })]);
  });
});

it('finds no fault with text that has no braces', () => {
  expect(findBrokenPlaceholder('a } b')).toBeUndefined();
});

describe('a message of ctx', () => {
  const read = (text: string, name = 'check-journal/both.txt') =>
    parseMessage(text, { file: 'f', name: `.context/hooks/messages/${name}` });

  it.each([
    ['a variable', '{{.UnexportedCount}} sessions', '{unexportedCount} sessions'],
    ['a variable with blanks', '{{ .A }} and {{-  .Bc -}}', '{a} and {bc}'],
    ['two in a row', '{{.A}}{{.B}}', '{a}{b}'],
    ['nothing but white space', ' \n\t\n', ''],
    ['line ends of DOS', 'a\r\nb\r\n', 'a\nb'],
    ['braces of code', 'use `{name}` or {"a": {"b": 1}}', 'use `{ name}` or {"a": {"b": 1}}'],
    ['a brace that stays open', 'a { b', 'a { b'],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual({
      message: { rule: 'context/check-journal', variant: 'both', text: expected },
      problems: [],
    });
  });

  it.each([
    ['braces that stay open', 'a\nb {{.Name', 2, 'not closed'],
    ['braces that stay open after a variable', '{{.A}}\n\n{{ .B }', 3, 'not closed'],
    ['logic', '{{if .A}}x{{end}}', 1, '{{if .A}}'],
    ['a comment', 'x\n{{/* y */}}', 2, 'is no variable'],
    ['three braces', '{{{.A}}}', 1, 'is no variable'],
    ['nothing in them', '{{}}', 1, 'is no variable'],
  ])('%s', (_, text, line, problem) => {
    const { message, problems } = read(text);
    expect(message).toMatchObject({ rule: 'context/check-journal', problem: expect.stringContaining(problem) });
    expect(problems).toEqual([expect.objectContaining({ line, severity: 'warning' })]);
  });

  it.each([
    ['block-dangerous-commands/mid-sudo.txt', 'sudo'],
    ['block-dangerous-commands/mid-git-push.txt', 'git-push'],
    ['block-dangerous-commands/install-to-local-bin.txt', 'install-to-bin'],
    ['block-dangerous-commands/cp-to-bin.txt', 'cp-to-bin'],
    ['check-version/key-rotation.txt', 'key-rotation'],
    ['version-drift/nudge.txt', 'version-drift', 'post-commit'],
    ['constructor/toString.txt', 'toString'],
  ])('%s', (name, variant, rule = name.split('/')[0]) => {
    expect(read('x', name).message).toEqual({ rule: `context/${rule}`, variant, text: 'x' });
  });
});
