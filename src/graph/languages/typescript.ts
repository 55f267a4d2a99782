import { parseSync } from 'oxc-parser';
import type { ParserOptions } from 'oxc-parser';
import type { Extracted, Extractor, Source } from './language.ts';
import { readProgram } from './typescript-visit.ts';

export async function createTypeScriptExtractor(): Promise<Extractor> {
  return { extract };
}

function extract(source: Source): Extracted {
  const { program } = parseSync(source.path, source.text, optionsFor(source));
  return readProgram(program, source, false);
}

function optionsFor({ path, language }: Source): ParserOptions {
  if (language === 'javascript') {
    return { lang: 'jsx', sourceType: path.endsWith('.cjs') ? 'commonjs' : 'unambiguous', preserveParens: false };
  }
  const lang = path.endsWith('.tsx') ? 'tsx' : /\.d\.[cm]?ts$/.test(path) ? 'dts' : 'ts';
  return { lang, sourceType: 'module', preserveParens: false };
}
