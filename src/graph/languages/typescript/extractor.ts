import { parseSync } from 'oxc-parser';
import type { ParseResult, ParserOptions } from 'oxc-parser';
import type { Extracted, Extractor, Source } from '../language.ts';
import { mend } from './mend.ts';
import type { Mistake } from './mend.ts';
import { readProgram } from './visit.ts';

export async function createExtractor(): Promise<Extractor> {
  return {
    extract(source) {
      try {
        return extract(source);
      } catch {
        // Code that is nested deeper than the stack.
        return NOTHING;
      }
    },
  };
}

/** More than anybody writes; at some twenty times this the parser's stack ends, and the process with it. */
const MAX_NESTING = 1_000;

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // ( [ { and their counterparts.
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > MAX_NESTING) return true;
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--;
  }
  return false;
}

function extract(source: Source): Extracted {
  const { path, text } = source;
  if (isTooDeep(text)) return NOTHING;
  const options = optionsFor(source);
  const result = parseSync(path, text, options);
  if (!mistakeIn(result)) return readProgram(result.program, source, false);
  const mended = mend(text, (code) => mistakeIn(parseSync(path, code, options)));
  return readProgram(parseSync(path, mended, options).program, source, true);
}

/** The parser gives an empty tree for code with a syntax error; others, as a name that is declared twice, do not matter. */
function mistakeIn({ errors, program }: ParseResult): Mistake | undefined {
  const [error] = errors;
  if (!error || program.body.length > 0) return undefined;
  const [where, opened] = error.labels;
  return { at: where?.start ?? 0, opened: opened?.start };
}

const NOTHING: Extracted = { definitions: [], references: [], imports: [], exports: [], bindings: [], damaged: true };

function optionsFor({ path, language }: Source): ParserOptions {
  if (language === 'javascript') {
    return { lang: 'jsx', sourceType: path.endsWith('.cjs') ? 'commonjs' : 'unambiguous', preserveParens: false };
  }
  const lang = path.endsWith('.tsx') ? 'tsx' : /\.d\.[cm]?ts$/.test(path) ? 'dts' : 'ts';
  return { lang, sourceType: 'module', preserveParens: false };
}
