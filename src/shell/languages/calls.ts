import { LANGUAGES } from './languages.ts';
import type { Language } from './languages.ts';
import { readLists } from './lists.ts';
import type { Reader } from './reader.ts';
import { readStatement, readStatements } from './statements.ts';
import { tokensOf } from './tokens.ts';
import type { Token } from './signs.ts';
import type { Call, Value } from './values.ts';
import { knownTexts } from './values.ts';
import { readCommands } from './words.ts';

/** What code of one language calls, in the order of its text. */
export interface Code {
  readonly language: string;
  readonly tokens: readonly Token[];
  readonly calls: readonly Call[];
  /** What names stand for at its end. */
  readonly names: ReadonlyMap<string, Value>;
  /** It is more than was read. */
  readonly cut: boolean;
}

/** Texts that are run as code of the same language. */
const EVALUATES =
  /^(?:exec|eval|execfile|compile|Function|instance_eval|class_eval|module_eval|assert|create_function|load|loadstring|parse|Meta\.parse|include_string|iex|invoke-expression|read|read-from-string|(?:vm\.)?runIn\w*Context)$/;
/** How often code may be in code. */
const DEEPEST = 8;
const LONGEST_NESTED = 65_536;

const kept = new Map<string, Code>();
const MOST_KEPT = 4;
const NO_CODE: Code = { language: '', tokens: [], calls: [], names: new Map(), cut: false };

/** The shell and the effects ask for the same text, one after the other. */
export function readCalls(text: string, name: string): Code {
  const key = `${name}\n${text}`;
  const known = kept.get(key);
  if (known) return known;
  const language = LANGUAGES.get(name);
  const code = language ? readAll(text, language, new Map(), 0) : NO_CODE;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, code);
  return code;
}

function readAll(text: string, language: Language, outer: ReadonlyMap<string, Value>, depth: number): Code {
  if (language.syntax === 'words')
    return readNested({ ...readCommands(text, language), language: language.name }, language, depth);
  const tokens = tokensOf(language.name === 'php' ? text.replace(/^\s*<\?(?:php|=)?/, '') : text, language);
  let reader = passOver(tokens, language, outer, new Map());
  // Some names get their value only behind where they are used: parameters, and what a loop behind it gives.
  if (reader.given.size > 0) reader = passOver(tokens, language, outer, reader.given);
  const { calls, names, cut } = reader;
  return readNested({ language: language.name, tokens, calls, names, cut }, language, depth);
}

function passOver(
  tokens: readonly Token[],
  language: Language,
  outer: ReadonlyMap<string, Value>,
  given: ReadonlyMap<string, Value>,
): Reader {
  const names = new Map([...outer, ...[...given].filter(([name]) => !name.includes('('))]);
  const reader: Reader = {
    tokens,
    language,
    at: 0,
    depth: 0,
    names,
    missed: new Set(),
    functions: new Map(),
    given: new Map(given),
    calls: [],
    statement: readStatement,
    cut: false,
    nested: 0,
  };
  if (language.syntax === 'lists') readLists(reader);
  else readStatements(reader);
  return reader;
}

/** With what it evaluates. */
function readNested(code: Code, language: Language, depth: number): Code {
  const calls: Call[] = [...code.calls];
  let { cut } = code;
  let left = LONGEST_NESTED;
  for (const { name, owner, args, named } of code.calls) {
    if (!EVALUATES.test(name) && !EVALUATES.test(`${owner}.${name}`)) continue;
    for (const text of knownTexts(named.get('text') ?? args.find((one) => one.texts))) {
      left -= text.length;
      if (left < 0 || depth >= DEEPEST) {
        cut = true;
        break;
      }
      if (!/[(`\s]/.test(text)) continue;
      const inner = readAll(text, language, code.names, depth + 1);
      calls.push(...inner.calls);
      cut ||= inner.cut;
    }
  }
  return { ...code, calls, cut };
}
