import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { createWordMatcher, foldCase } from './words.ts';

const find = (words: readonly string[], ...texts: string[]) =>
  [...createWordMatcher(words.map((text, id) => ({ text, id }))).find(texts)].sort((a, b) => a - b);

describe('createWordMatcher', () => {
  it.each<[string, string[], string, number[]]>([
    ['any case', ['TODO'], 'a todo here', [0]],
    ['inside a word', ['cat'], 'concatenate', [0]],
    ['overlapping words', ['he', 'she', 'hers', 'his'], 'ushers', [0, 1, 2]],
    ['a word that is the end of another', ['abcd', 'bc'], 'abce', [1]],
    ['nothing', ['rm -rf'], 'rm -r f', []],
    ['the same word twice', ['x', 'X'], 'x', [0, 1]],
    ['characters beyond ASCII', ['größe'], 'die Größe', [0]],
    ['no other case than that of ASCII letters', ['É'], 'é', []],
    ['no letter that only lower-cases to ASCII', ['k', 'i'], '\u212a\u0130', []],
  ])('finds %s', (_, words, text, ids) => {
    expect(find(words, text)).toEqual(ids);
  });

  it('does not join texts', () => {
    expect(find(['ab'], 'a', 'b')).toEqual([]);
  });

  it('keeps characters apart when words use more than a byte can number', () => {
    const many = Array.from({ length: 300 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
    expect(find([many, 'z'], 'z')).toEqual([1]);
    expect(find([many, 'z'], 'y'), 'no other character is taken for z').toEqual([]);
    expect(find([many, 'abcdefghijklmnopqrstuvwxyz'], 'zyxwvu')).toEqual([]);
  });

  it('agrees with includes, for any words and texts', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', 'b', 'C', '-', 'é', 'É', 'İ', '\u212a', 'ﬁ'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.array(
          text.filter((word) => word !== ''),
          { maxLength: 6 },
        ),
        fc.array(text, { maxLength: 3 }),
        (words, texts) => {
          const naive = words.flatMap((word, id) =>
            texts.some((one) => foldCase(one).includes(foldCase(word))) ? [id] : [],
          );
          expect(find(words, ...texts)).toEqual(naive);
        },
      ),
      cases(2_000),
    );
  });

  it.each([
    [
      'words that nearly match everywhere',
      Array.from({ length: 200 }, (_, at) => `${'a'.repeat(at)}b`),
      'a'.repeat(200_000),
    ],
    ['long words that begin alike', ['ab'.repeat(100) + 'c', 'ba'.repeat(120) + 'd'], 'ab'.repeat(100_000)],
    ['a word of one letter', ['z', 'aaaaaaaa'], 'aaaaaaa.'.repeat(25_000)],
  ])('finds none in a long text of %s', (_, words, text) => {
    expect(find(words, text).filter((id) => !text.includes(words[id] as string))).toEqual([]);
  });
});
