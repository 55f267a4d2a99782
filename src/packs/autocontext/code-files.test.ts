import { expect, it } from 'vitest';
import { CODE_ENDINGS, KNOWN_LANGUAGES, languageOf } from '../../graph/walk/known-languages.ts';
import { CODE_FILES } from './code-files.ts';

it('a card is looked for where the code graph has one to give, and nowhere else', () => {
  expect(CODE_ENDINGS.map((ending) => `*${ending}`).filter((pattern) => !CODE_FILES.includes(pattern))).toEqual([]);
  const languages = CODE_FILES.map((pattern) => languageOf(pattern.replace('*', 'name')) ?? pattern);
  expect(languages.filter((language) => !KNOWN_LANGUAGES.has(language))).toEqual([]);
});
