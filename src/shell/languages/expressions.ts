import { UNKNOWN } from '../command.ts';
import { quote } from '../quote.ts';
import { filled } from './functions.ts';
import type { Arguments, Reader } from './reader.ts';
import {
  addCall,
  bind,
  called,
  deeper,
  indexed,
  isMark,
  isWord,
  memberNamed,
  memberOf,
  nameValue,
  tokenAt,
} from './reader.ts';
import type { Token } from './signs.ts';
import type { Value } from './values.ts';
import { NOTHING, changed, eitherOf, joinedValue, textValue } from './values.ts';

const CLOSES: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const isClose = (token: Token | undefined): boolean => token?.kind === 'mark' && /^[)\]}]$/.test(token.text);

/** Words that stand before a value and are none. */
const BEFORE =
  /^(?:await|new|not|return|yield|my|our|local|const|let|var|static|final|async|echo|delete|typeof|void|then|do|else|begin|unless|if|elif|elseif|while|until|raise|throw|and|or|in|of|lambda|when|try|finally)$/;
/** Words between two values. */
const BETWEEN =
  /^(?:or|and|if|else|unless|is|not|in|as|of|x|eq|ne|for|foreach|while|until|do|then|rescue|qw|like|instanceof)$/;

/** One value with all that is put together with it; reads at least one token. */
export function readExpression(reader: Reader): Value {
  return deeper(reader, NOTHING, () => readOperators(reader));
}

function readOperators(reader: Reader): Value {
  const { language } = reader;
  let value = readUnary(reader);
  for (;;) {
    const token = tokenAt(reader);
    if (token?.kind === 'string' && language.adjacent && value.texts && token.indent === undefined) {
      value = joinedValue([value, readUnary(reader)]);
      continue;
    }
    if (
      language.name === 'awk' &&
      token?.kind === 'name' &&
      (value.texts || value.name) &&
      !BETWEEN.test(token.text) &&
      token.text !== 'getline'
    ) {
      value = joinedValue([value, readUnary(reader)]);
      continue;
    }
    if (token?.kind === 'name' && (token.text === 'or' || token.text === 'else' || token.text === 'and')) {
      reader.at += 1;
      const other = readUnary(reader);
      value = token.text === 'and' ? other : eitherOf(value.texts ? value : undefined, other);
      continue;
    }
    if (token?.kind === 'name' && token.text === 'if' && language.name === 'python' && token.indent === undefined) {
      reader.at += 1;
      readUnary(reader);
      continue;
    }
    if (token?.kind !== 'mark' || (token.indent !== undefined && !language.joins.has(token.text))) return value;
    const next = combine(reader, value, token.text);
    if (!next) return value;
    value = next;
  }
}

const OPERATORS = /^(?:\|\||\?\?|&&|[?:]|[<>]=?|[!=]==?|=~|[-+*/%&^]|\*\*|\.\.|\.)$/;

/** Goes on behind an operator; undefined when the value ends here. */
function combine(reader: Reader, value: Value, mark: string): Value | undefined {
  const { language } = reader;
  if (!OPERATORS.test(mark) && !language.joins.has(mark)) return undefined;
  // `a ? b : c` is either; a colon elsewhere ends the value.
  if (mark === ':') return undefined;
  const before = reader.at;
  reader.at += 1;
  if (mark === '?') {
    if (language.name === 'python' || language.name === 'r') return NOTHING;
    const one = readExpression(reader);
    if (!isMark(tokenAt(reader), ':')) return one;
    reader.at += 1;
    return eitherOf(one, readUnary(reader));
  }
  if (tokenAt(reader) === undefined || isClose(tokenAt(reader))) {
    reader.at = before + 1;
    return NOTHING;
  }
  const right = readUnary(reader);
  if (language.joins.has(mark)) {
    if (mark === '%') return filled(value, right.items ?? [right], right.fields ?? new Map());
    if (mark === '/') return value.path || right.path ? { ...joinedValue([value, right], '/'), path: true } : NOTHING;
    if (value.items && right.items) return { items: [...value.items, ...right.items] };
    return joinedValue([value, right]);
  }
  return mark === '||' || mark === '??' ? eitherOf(value.texts ? value : undefined, right) : NOTHING;
}

function readUnary(reader: Reader): Value {
  for (;;) {
    const token = tokenAt(reader);
    if (!token) return NOTHING;
    const skipped =
      (token.kind === 'mark' && /^(?:[!\-&@\\*^~]|\*\*|\.\.\.|<|\+)$/.test(token.text)) ||
      (token.kind === 'name' &&
        BEFORE.test(token.text) &&
        !isMark(tokenAt(reader, 1), '(') &&
        !isMark(tokenAt(reader, 1), '='));
    if (!skipped) break;
    reader.at += 1;
  }
  return readPostfix(reader, readPrimary(reader));
}

/** Languages whose round brackets make a list. */
const TUPLES: ReadonlySet<string> = new Set(['python', 'perl', 'ruby', 'julia', 'awk']);

function readPrimary(reader: Reader): Value {
  const token = tokenAt(reader);
  if (!token || token.kind === 'break' || isClose(token)) return NOTHING;
  reader.at += 1;
  if (token.kind === 'string') return readString(reader, token);
  if (token.kind === 'number') return token.text === '' ? NOTHING : textValue(token.text);
  if (token.kind === 'name') return nameValue(reader, token.text);
  if (token.text === '(' || token.text === '[') {
    const { values } = readList(reader, CLOSES[token.text] as string);
    if (token.text === '(' && (values.length < 2 || !TUPLES.has(reader.language.name))) return values.at(-1) ?? NOTHING;
    return { items: values };
  }
  if (token.text === '{') return readBraces(reader);
  // A field of awk.
  if (token.text === '$') {
    while (isMark(tokenAt(reader), '$')) reader.at += 1;
    readPrimary(reader);
    return { texts: [UNKNOWN] };
  }
  return NOTHING;
}

function readString(reader: Reader, token: Token): Value {
  let value: Value = token.items ? { items: token.items.map(textValue), texts: [token.text] } : textValue(token.text);
  if (token.parts) {
    value = joinedValue(
      token.parts.map((part) => {
        if (typeof part === 'string') return textValue(part);
        const inside = readInside(reader, part);
        // A value is one word there, whatever it holds.
        return token.shell && reader.language.name === 'julia' ? changed(inside, quote) : inside;
      }),
    );
  }
  if (token.shell) addCall(reader, '`', undefined, { values: [value], named: new Map() }, reader.at);
  return value;
}

/** A value in a string. */
function readInside(reader: Reader, tokens: readonly Token[]): Value {
  const inner: Reader = { ...reader, tokens, at: 0, depth: reader.depth + 1 };
  const value = readExpression(inner);
  while (inner.at < tokens.length) {
    const before = inner.at;
    readExpression(inner);
    if (inner.at === before) inner.at += 1;
  }
  reader.cut ||= inner.cut;
  return value;
}

/** What stands between brackets, up to and with the one that closes. */
export function readList(reader: Reader, close: string): Arguments {
  const values: Value[] = [];
  const named = new Map<string, Value>();
  let fresh = true;
  while (reader.at < reader.tokens.length) {
    const token = tokenAt(reader) as Token;
    if (isClose(token)) break;
    if (token.kind === 'break' || isMark(token, ',')) {
      reader.at += 1;
      fresh = true;
      continue;
    }
    const next = tokenAt(reader, 1);
    const before = reader.at;
    const key = token.kind === 'name' || token.kind === 'string' ? token.text : undefined;
    if (
      key !== undefined &&
      fresh &&
      (isMark(next, '=') || isMark(next, ':') || isMark(next, '=>')) &&
      !isMark(tokenAt(reader, 2), ':')
    ) {
      reader.at += 2;
      named.set(key, readExpression(reader));
    } else if (fresh) values.push(readExpression(reader));
    else reader.statement(reader);
    bindLoop(reader);
    fresh = false;
    if (reader.at === before) reader.at += 1;
  }
  if (isMark(tokenAt(reader), close)) reader.at += 1;
  else if (isClose(tokenAt(reader))) reader.at += 1;
  return { values, named };
}

/** A dictionary, or a block of statements. */
function readBraces(reader: Reader): Value {
  const first = tokenAt(reader);
  const next = tokenAt(reader, 1);
  const isKeyed = first?.kind === 'name' || first?.kind === 'string';
  if (
    isMark(first, '}') ||
    (isKeyed &&
      next?.kind === 'mark' &&
      /^(?::|=>|,|\}|=)$/.test(next.text) &&
      (next.text !== '=' || reader.language.name === 'lua'))
  ) {
    const { values, named } = readList(reader, '}');
    return named.size > 0 ? { fields: named } : { items: values };
  }
  reader.nested += 1;
  while (reader.at < reader.tokens.length && !isMark(tokenAt(reader), '}')) {
    const before = reader.at;
    reader.statement(reader);
    if (reader.at === before) reader.at += 1;
  }
  reader.at += 1;
  reader.nested -= 1;
  return NOTHING;
}

/** `… for x in list`, behind what is done with it. */
export function bindLoop(reader: Reader): void {
  const token = tokenAt(reader);
  if (!isWord(token, 'for') || reader.language.name !== 'python') return;
  const name = tokenAt(reader, 1);
  if (name?.kind !== 'name' || !isWord(tokenAt(reader, 2), 'in')) return;
  reader.at += 3;
  bind(reader, name.text, memberOf(readExpression(reader)));
}

function readPostfix(reader: Reader, first: Value): Value {
  let value = first;
  /** The thing that a method belongs to. */
  let self: Value | undefined;
  for (;;) {
    const token = tokenAt(reader);
    if (!token) return value;
    if (token.kind === 'joint') {
      const member = tokenAt(reader, 1);
      if (member?.kind !== 'name') return value;
      reader.at += 2;
      self = value.name === undefined ? value : undefined;
      value = memberNamed(reader, value, member.text);
      if (self && !isMark(tokenAt(reader), '(')) {
        // Ruby's methods, and what others only ask for: `x.text`.
        value = addCall(reader, member.text, self, { values: [], named: new Map() }, reader.at);
        self = undefined;
      } else if (self) value = { name: member.text };
    } else if (isMark(token, '(') && (token.glued || value.name !== undefined) && callable(value, token)) {
      reader.at += 1;
      const start = reader.at;
      const given = readList(reader, ')');
      value = called(reader, value, self, given, start);
      self = undefined;
    } else if (isMark(token, '[') && token.glued) {
      reader.at += 1;
      value = indexed(value, readIndex(reader), reader);
    } else if (isMark(token, '{') && token.glued && reader.language.name === 'perl' && value.name !== undefined) {
      reader.at += 1;
      const key = tokenAt(reader);
      const isKey = (key?.kind === 'name' || key?.kind === 'string') && isMark(tokenAt(reader, 1), '}');
      const { values } = readList(reader, '}');
      value = indexed(value, isKey ? textValue(key.text) : (values[0] ?? NOTHING), reader);
    } else if (isBareCall(reader, value, token)) {
      const start = reader.at;
      const given = readBare(reader);
      return called(reader, value, self, given, start);
    } else if (reader.language.topical?.has(value.name ?? '')) {
      return called(reader, value, self, { values: [{ name: '_' }], named: new Map() }, reader.at);
    } else return value;
  }
}

function callable(value: Value, token: Token): boolean {
  return value.name !== undefined || value.call !== undefined || token.glued;
}

/** `a[b]`: a step through a text is `::-1`. */
function readIndex(reader: Reader): Value {
  const reverses = isMark(tokenAt(reader), ':') && isMark(tokenAt(reader, 1), ':') && isMark(tokenAt(reader, 2), '-');
  const { values } = readList(reader, ']');
  return reverses ? { name: '::-1' } : (values[0] ?? NOTHING);
}

/** Arguments without brackets go to the end of the statement. */
function isBareCall({ language, tokens, at }: Reader, value: Value, token: Token): boolean {
  if (value.name === undefined || token.glued || language.bare === undefined || token.indent !== undefined)
    return (
      token.kind === 'string' && language.bare === 'text' && value.name !== undefined && token.indent === undefined
    );
  if (tokens[at - 1]?.kind !== 'name') return false;
  if (token.kind === 'string') return true;
  if (language.bare === 'text') return false;
  if (token.kind === 'name') return !BETWEEN.test(token.text) && !BEFORE.test(token.text);
  return isMark(token, '[');
}

function readBare(reader: Reader): Arguments {
  const values: Value[] = [];
  const named = new Map<string, Value>();
  while (reader.at < reader.tokens.length) {
    const token = tokenAt(reader) as Token;
    const before = reader.at;
    if (token.kind === 'name' && isMark(tokenAt(reader, 1), ':')) {
      reader.at += 2;
      named.set(token.text, readExpression(reader));
    } else values.push(readExpression(reader));
    if (reader.at === before || !isMark(tokenAt(reader), ',')) break;
    reader.at += 1;
    while (tokenAt(reader)?.kind === 'break') reader.at += 1;
  }
  return { values, named };
}
