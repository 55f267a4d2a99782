import { describe, expect, it } from 'vitest';
import { asPath, own } from '../api/message-values.ts';
import { blockingTextOf, fill, placeholdersOf, textOf } from './messages.ts';

describe('fill', () => {
  it.each([
    ['a {file} b', { file: 'x' }, 'a "x" b'],
    ['a `{file}` b', { file: 'x`"y' }, 'a `x\'"y` b'],
    ['a `run {file} -x` "{file}"', { file: 'x`"y' }, 'a `run x\'"y -x` "x`\'y"'],
    ['{a}', { a: own('ours\nand more') }, 'ours\nand more'],
    ['{a}', { a: own`of ${'a\nb'} and ${asPath('a/b')}` }, 'of "a b" and a/b'],
    ['{a} `{a}`', { a: asPath('a b`\n\u202e') }, '"a b`\\n\\u{202e}" `a b\\u{60}\\n\\u{202e}`'],
    ['{a}', { a: asPath('x/'.repeat(300)) }, 'x/'.repeat(300)],
    ['{a}{a}{b}', { a: 1, b: 2 }, '112'],
    ['{unknown} stays', {}, '{unknown} stays'],
    ['`{ code }` stays', { code: 'x' }, '`{ code }` stays'],
    ['{a}', { a: '{b}', b: 'no' }, '"{b}"'],
    ['{a}', { a: '$& $1' }, '"$& $1"'],
    ['{a}', { a: 'red \u001b[31m\u202e\u0000text\nline\ttab' }, '"red [31mtext line tab"'],
    ['{constructor}', {}, '{constructor}'],
  ])('%s', (template, values, expected) => {
    expect(fill(template, values)).toBe(expected);
  });

  it('names its placeholders once each', () => {
    expect(placeholdersOf('{a} {b} {a} {0} {}')).toEqual(['a', 'b']);
  });
});

describe('an override', () => {
  const source = (text: string) => ({
    rule: 'r',
    messages: { v: 'built in {file}' },
    overrides: { r: { v: { text } } },
  });
  it.each([
    ['replaces the text', 'mine {file}', 'mine "f"'],
    ['may leave placeholders out', 'mine', 'mine'],
    ['is not used when it names one that the rule never fills', 'mine {other}', 'built in "f"'],
    ['that is empty is silence', ' \n', undefined],
  ])('%s', (_, text, expected) => {
    expect(textOf(source(text), 'v', { file: 'f' })).toBe(expected);
  });

  it('cannot take the reason from a denial', () => {
    expect(blockingTextOf(source(''), 'v', { file: 'f' })).toContain('Stopped by the rule r');
  });

  it('of a variant that does not exist says nothing', () => {
    expect(textOf({ rule: 'r', messages: {}, overrides: undefined }, 'v', {})).toBeUndefined();
  });
});
