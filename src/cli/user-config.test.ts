import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { CommandError } from './command.ts';
import { editConfig } from './user-config.ts';
import type { ConfigEdit } from './user-config.ts';

const OFF: ConfigEdit = { path: ['rules', 'basics/x'], value: 'off' };

describe('editConfig', () => {
  it.each<[what: string, before: string, edit: ConfigEdit, after: string]>([
    ['starts a file', '', OFF, 'rules:\n  basics/x: off\n'],
    ['keeps a file of comments', '# mine\n', OFF, '# mine\nrules:\n  basics/x: off\n'],
    [
      'replaces a word and keeps its comment',
      'rules:\n  basics/x:   advise   # loud\n',
      OFF,
      'rules:\n  basics/x:   off   # loud\n',
    ],
    [
      'adds beside others, in their indentation',
      'rules:\n    a/b: on   # why\n\n# next\npacks: { basics: on }\n',
      OFF,
      'rules:\n    a/b: on   # why\n    basics/x: off\n\n# next\npacks: { basics: on }\n',
    ],
    [
      'adds behind a nested map',
      'rules:\n  a/b:\n    mode: ask\n    options:\n      n: 1\n',
      OFF,
      'rules:\n  a/b:\n    mode: ask\n    options:\n      n: 1\n  basics/x: off\n',
    ],
    [
      'adds behind a list',
      'rules:\n  a/b:\n    options:\n      l:\n        - 1\n        - 2 # two\n',
      OFF,
      'rules:\n  a/b:\n    options:\n      l:\n        - 1\n        - 2 # two\n  basics/x: off\n',
    ],
    [
      'fills a heading whose lines are comments',
      'rules:\n  # a/b: on\npacks:\n  basics: on\n',
      OFF,
      'rules:\n  basics/x: off\n  # a/b: on\npacks:\n  basics: on\n',
    ],
    ['adds a section at the end', 'packs:\n  basics: on', OFF, 'packs:\n  basics: on\nrules:\n  basics/x: off\n'],
    ['gives a bare key its value', 'rules:\n  basics/x:\n', OFF, 'rules:\n  basics/x: off\n'],
    ['keeps line ends', 'rules:\r\n  a/b: on\r\n', OFF, 'rules:\r\n  a/b: on\r\n  basics/x: off\r\n'],
    [
      'sets a key deeper down',
      'rules:\n  basics/x:\n    priority: 3 # low\n',
      { path: ['rules', 'basics/x', 'enabled'], value: false },
      'rules:\n  basics/x:\n    priority: 3 # low\n    enabled: false\n',
    ],
    [
      'takes a key out with its line',
      'rules:\n  basics/x:\n    mode: off # for now\n    priority: 3\n',
      { path: ['rules', 'basics/x', 'mode'] },
      'rules:\n  basics/x:\n    priority: 3\n',
    ],
    [
      'writes a map in braces anew',
      '# top\nrules: { a/b: on } # end\n',
      OFF,
      '# top\nrules: { a/b: on, basics/x: off } # end\n',
    ],
    ['changes nothing when nothing is to change', 'rules: { basics/x:   off }\n', OFF, 'rules: { basics/x:   off }\n'],
    ['takes out what is not there', 'packs:   {}\n', { path: ['rules', 'basics/x', 'mode'] }, 'packs:   {}\n'],
  ])('%s', (_, before, edit, after) => {
    expect(editConfig(before, edit)).toBe(after);
  });

  it.each([
    ['a duplicate key', 'rules:\n  a/b: on\n  a/b: off\n', /config\.yaml:3 .*nothing was changed/],
    ['a list', '- rules\n', /does not hold a map/],
  ])('leaves %s alone and says so', (_, text, message) => {
    expect(() => editConfig(text, OFF)).toThrow(CommandError);
    expect(() => editConfig(text, OFF)).toThrow(message);
  });

  it('changes the one key and no other, whatever the file holds', () => {
    const word = fc.constantFrom('a/b', 'c/d', 'basics/x', 'enabled', 'mode', 'off', '1');
    const leaf = fc.oneof(fc.boolean(), fc.integer(), fc.constantFrom('on', 'off', 'a: b', '# no', 'two\nlines'));
    const section = fc.dictionary(word, fc.oneof(leaf, fc.dictionary(word, leaf, { maxKeys: 3 })), { maxKeys: 4 });
    const file = fc.record({ rules: section, packs: section }, { requiredKeys: [] });
    fc.assert(
      fc.property(file, fc.boolean(), word, (value, inline, key) => {
        const text = inline ? JSON.stringify(value) : stringifyBlock(value);
        const after = parse(editConfig(text, { path: ['rules', key], value: 'off' })) as unknown;
        expect(after).toEqual({ ...value, rules: { ...value.rules, [key]: 'off' } });
      }),
    );
  });
});

function stringifyBlock(value: object, indent = ''): string {
  return Object.entries(value)
    .map(([key, inner]) =>
      typeof inner === 'object' && Object.keys(inner as object).length > 0
        ? `${indent}${JSON.stringify(key)}: # c\n${stringifyBlock(inner as object, `${indent}  `)}`
        : `${indent}${JSON.stringify(key)}: ${JSON.stringify(inner)} # c\n`,
    )
    .join('');
}
