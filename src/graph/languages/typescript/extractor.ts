import { parseSync } from 'oxc-parser';
import type { Node, ParserOptions } from 'oxc-parser';
import { loadGrammar } from '../../parse/tree-sitter.ts';
import type { GrammarName } from '../../parse/tree-sitter.ts';
import type { Extracted, Extractor, Source } from '../language.ts';
import { createReader } from './tree.ts';
import { readDamaged } from './tree-damage.ts';
import { ELEMENTS } from './tree-elements.ts';
import { EXPRESSIONS, PLAIN_CASTS } from './tree-expressions.ts';
import { STATEMENT_BUILDERS } from './tree-statements.ts';
import { TYPES } from './tree-types.ts';
import { readProgram } from './visit.ts';

/** The grammars for damaged code are large and most often not needed: `repair` loads them. */
export async function createExtractor(): Promise<Extractor> {
  const tolerant: Partial<Record<GrammarName, Tolerant>> = {};
  const load = async (name: 'typescript' | 'tsx'): Promise<void> => {
    tolerant[name] = await createTolerant(name);
  };
  return {
    extract(source) {
      try {
        return extract(source, tolerant[grammarFor(source)]);
      } catch {
        // Code that is nested deeper than the stack.
        return NOTHING;
      }
    },
    repair(source) {
      const name = grammarFor(source);
      return tolerant[name] ? undefined : load(name);
    },
  };
}

type Tolerant = (text: string) => Node[];

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

function extract(source: Source, tolerant: Tolerant | undefined): Extracted {
  if (isTooDeep(source.text)) return NOTHING;
  const options = optionsFor(source);
  const result = parseSync(source.path, source.text, options);
  const { program } = result;
  if (program.body.length > 0 || result.errors.length === 0) return readProgram(program, source, false);
  const parsers = {
    strict: (text: string) => parseStrictly(source.path, text, options),
    tolerant: tolerant ?? (() => []),
  };
  return readProgram(readDamaged(source.text, parsers), source, true);
}

function grammarFor({ path, language }: Source): 'typescript' | 'tsx' {
  return language === 'javascript' || path.endsWith('.tsx') ? 'tsx' : 'typescript';
}

const NOTHING: Extracted = { definitions: [], references: [], imports: [], exports: [], bindings: [], damaged: true };

function optionsFor({ path, language }: Source): ParserOptions {
  if (language === 'javascript') {
    return { lang: 'jsx', sourceType: path.endsWith('.cjs') ? 'commonjs' : 'unambiguous', preserveParens: false };
  }
  const lang = path.endsWith('.tsx') ? 'tsx' : /\.d\.[cm]?ts$/.test(path) ? 'dts' : 'ts';
  return { lang, sourceType: 'module', preserveParens: false };
}

/** The parser that is fast and exact gives nothing at all for code with mistakes. */
function parseStrictly(path: string, text: string, options: ParserOptions): Node[] | undefined {
  const result = parseSync(path, text, options);
  const { body } = result.program;
  return body.length === 0 && result.errors.length > 0 ? undefined : body;
}

/** The parser that makes something of everything. */
export async function createTolerant(name: 'typescript' | 'tsx'): Promise<Tolerant> {
  const grammar = await loadGrammar(name);
  const own = name === 'tsx' ? ELEMENTS : PLAIN_CASTS;
  const read = createReader(grammar, { ...EXPRESSIONS, ...TYPES, ...STATEMENT_BUILDERS, ...own });
  return (text) => {
    const tree = grammar.parse(text);
    return tree ? read(tree) : [];
  };
}
