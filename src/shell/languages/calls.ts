import { LANGUAGES } from './languages.ts';
import type { Language } from './languages.ts';
import { addCall, bind, deeper, isMark, nameValue } from './reader.ts';
import type { Reader } from './reader.ts';
import { readStatement, readStatements } from './statements.ts';
import { tokensOf } from './tokens.ts';
import type { Token } from './signs.ts';
import { knownTexts, NOTHING, joinedValue, knownTextOf, textValue } from './values.ts';
import type { Call, Value } from './values.ts';
import { readCommands } from './words.ts';

/** Languages of `(f a b)`. */
function readLists(reader: Reader): void {
  while (reader.at < reader.tokens.length) {
    const before = reader.at;
    readForm(reader);
    if (reader.at === before) reader.at += 1;
  }
}

function readForm(reader: Reader): Value {
  return deeper(reader, NOTHING, () => readOne(reader));
}

function readOne(reader: Reader): Value {
  const token = reader.tokens[reader.at];
  if (!token) return NOTHING;
  reader.at += 1;
  if (token.kind === 'string') return textValue(token.text);
  if (token.kind === 'name') return token.text === 'nil' ? NOTHING : nameValue(reader, token.text);
  if (token.kind === 'number') return textValue(token.text);
  // `'f` and `#'f` stand for the function.
  if (isMark(token, "'") || isMark(token, '#') || isMark(token, '`') || isMark(token, ',')) return readForm(reader);
  if (!isMark(token, '(') && !isMark(token, '[')) return NOTHING;
  const start = reader.at;
  const values: Value[] = [];
  while (reader.at < reader.tokens.length && !/^[)\]]$/.test(reader.tokens[reader.at]?.text ?? '')) {
    const before = reader.at;
    if (reader.tokens[reader.at]?.kind === 'break') reader.at += 1;
    else values.push(readForm(reader));
    if (reader.at === before) reader.at += 1;
    // `(setq p v)` and `(p v)` of a `let` give a name its value.
    if (values.length % 2 === 1) bindPair(reader, values, start);
  }
  reader.at += 1;
  const [head, ...args] = values;
  if (values.length === 2 && head?.name !== undefined && args[0]?.texts && isMark(reader.tokens[start - 2], '('))
    bind(reader, head.name, args[0]);
  if (head?.name === undefined) return { items: values };
  return formOf(reader, head.name, args, start);
}

function bindPair(reader: Reader, values: readonly Value[], start: number): void {
  const head = reader.tokens[start]?.text ?? '';
  if (!/^(?:setq|setq-local|defvar|defconst|set|setf)$/.test(head) || values.length < 3) return;
  const name = values.at(-2)?.name;
  if (name !== undefined) bind(reader, name, values.at(-1) as Value);
}

function formOf(reader: Reader, head: string, args: readonly Value[], start: number): Value {
  const [first] = args;
  if (head === 'concat') return joinedValue(args);
  if (head === 'list' || head === 'quote') return { items: args };
  if (head === 'progn' || head === 'let' || head === 'let*' || head === 'or') return args.at(-1) ?? NOTHING;
  if ((head === 'funcall' || head === 'apply') && first !== undefined) {
    const meant = first.name ?? knownTextOf(first);
    const given = args.slice(1).flatMap((one) => (head === 'apply' ? (one.items ?? [one]) : [one]));
    if (meant !== undefined) return addCall(reader, meant, undefined, { values: given, named: new Map() }, start);
  }
  return addCall(reader, head, undefined, { values: args, named: new Map() }, start);
}

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
