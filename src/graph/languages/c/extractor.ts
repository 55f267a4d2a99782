import type { Extractor } from '../language.ts';
import type { Writing } from '../repair-brackets.ts';
import { createTreeExtractor } from '../tree-walk.ts';
import { fieldsOf, symbolsOf } from './grammar.ts';
import { extractC } from './walk.ts';

const WRITING: Writing = {
  starts:
    /(?:(?:static|extern|inline|typedef|template|namespace|class|struct|union|enum|public|private|protected)\b|#[ \t]*include|(?!(?:return|else|new|delete|throw|case|goto|co_return|co_await)\b)[\w:]+(?:<[^;(){}]*>)?[ \t*&]+[\w:~]+[ \t]*\([^;(){}]*\)[^;(){}]*\{)/y,
  lineComment: '//',
};

export function createExtractor(name: 'c' | 'cpp'): Promise<Extractor> {
  return createTreeExtractor(
    name,
    (grammar, tree) => ({ tree, symbols: symbolsOf(grammar), fields: fieldsOf(grammar) }),
    ({ tree, symbols, fields }) => extractC(tree, symbols, fields),
    WRITING,
  );
}
