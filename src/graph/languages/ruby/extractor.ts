import type { Extractor } from '../language.ts';
import type { Writing } from '../repair-brackets.ts';
import { createTreeExtractor } from '../tree-walk.ts';
import { namingSymbols, rubyFields, rubySymbols } from './expressions.ts';
import { extractRuby } from './walk.ts';

const WRITING: Writing = {
  starts: /(?:def|class|module|end|private|protected|public|attr_\w+|include|extend)\b/y,
  lineComment: '#',
  longQuote: '"',
};

export function createExtractor(): Promise<Extractor> {
  return createTreeExtractor(
    'ruby',
    (grammar, tree) => {
      const symbols = rubySymbols(grammar);
      return { tree, symbols, fields: rubyFields(grammar), naming: namingSymbols(symbols) };
    },
    ({ tree, symbols, fields, naming }) => extractRuby(tree, symbols, fields, naming),
    WRITING,
  );
}
