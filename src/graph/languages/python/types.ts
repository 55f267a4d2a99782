import type { Expression, Parameter } from '../../model/expression.ts';
import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';

/** Told of every name in type position; `receiver` is what stands before it. */
export type NoteType = (name: string, at: number, receiver: Expression | undefined) => void;

const NONE: Expression = { is: 'literal', type: 'None' };
/** `...`, which only means something inside brackets. */
const ELLIPSIS: Expression = { is: 'literal', type: 'ellipsis' };

/** Generic names of `typing` that say the same as a class of the language. */
const SAME_AS: Readonly<Record<string, string>> = {
  List: 'list',
  Dict: 'dict',
  Set: 'set',
  FrozenSet: 'frozenset',
  Deque: 'deque',
  DefaultDict: 'defaultdict',
};
/** What is around a type and changes nothing about which members it has. */
const TRANSPARENT = new Set([
  'Annotated',
  'ClassVar',
  'Final',
  'InitVar',
  'NotRequired',
  'ReadOnly',
  'Required',
  'Unpack',
]);
/** Names of `typing` that are no definition anybody would ask for. */
const SPECIAL = new Set([
  ...Object.keys(SAME_AS),
  ...TRANSPARENT,
  'Any',
  'Callable',
  'Concatenate',
  'Generic',
  'Literal',
  'LiteralString',
  'Never',
  'NoReturn',
  'Optional',
  'Protocol',
  'Self',
  'Tuple',
  'Type',
  'TypeAlias',
  'TypeGuard',
  'TypeIs',
  'Union',
]);

/** Whatever is not ASCII counts as a letter: only names have it outside strings. */
function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || (code >= 48 && code <= 57) || code > 127
  );
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 92;
}

/** What is read, and how far. */
interface TypeText {
  readonly text: string;
  readonly note: NoteType;
  at: number;
  end: number;
}

/**
 * Reads an annotation from its text, so that one in quotes is read like any other. What is no plain type, such as a call,
 * becomes `unknown`; it never throws.
 */
export function readTypeText(text: string, from: number, to: number, note: NoteType): Expression {
  return readEither({ text, note, at: from, end: to }, 0);
}

function skipSpace(r: TypeText): void {
  while (r.at < r.end) {
    if (r.text[r.at] === '#') while (r.at < r.end && r.text[r.at] !== '\n') r.at++;
    else if (isSpace(r.text.charCodeAt(r.at))) r.at++;
    else return;
  }
}

function readEither(r: TypeText, depth: number): Expression {
  if (depth > MAX_DEPTH) return giveUp(r);
  const parts = [readOne(r, depth)];
  for (skipSpace(r); r.text[r.at] === '|' && r.at < r.end; skipSpace(r)) {
    r.at++;
    parts.push(readOne(r, depth));
  }
  return eitherOf(parts);
}

function readOne(r: TypeText, depth: number): Expression {
  skipSpace(r);
  const char = r.at < r.end ? (r.text[r.at] ?? '') : '';
  if (char === '"' || char === "'") return readQuoted(r, depth);
  if (char === '(' || char === '[') {
    const parts = readList(r, depth, char === '(' ? ')' : ']');
    return char === '[' || parts.length !== 1 ? { is: 'tuple', of: parts } : (parts[0] ?? UNKNOWN);
  }
  if (r.text.startsWith('...', r.at)) {
    r.at += 3;
    return ELLIPSIS;
  }
  if (char === '*') {
    r.at++;
    return readOne(r, depth);
  }
  const start = r.at;
  while (r.at < r.end && isNamePart(r.text.charCodeAt(r.at))) r.at++;
  if (r.at === start) return giveUp(r);
  const name = r.text.slice(start, r.at);
  if (char >= '0' && char <= '9') return { is: 'literal', type: 'int' };
  return readRest(r, name, start, undefined, depth);
}

/** Dots and brackets after a name. */
function readRest(
  r: TypeText,
  name: string,
  start: number,
  receiver: Expression | undefined,
  depth: number,
): Expression {
  skipSpace(r);
  const head: Expression =
    receiver === undefined ? { is: 'name', name, at: start } : { is: 'member', of: receiver, name };
  if (r.at < r.end && r.text[r.at] === '.' && depth < MAX_DEPTH) {
    r.at++;
    skipSpace(r);
    const next = r.at;
    while (r.at < r.end && isNamePart(r.text.charCodeAt(r.at))) r.at++;
    if (r.at === next) return giveUp(r);
    return readRest(r, r.text.slice(next, r.at), next, head, depth + 1);
  }
  if (r.at < r.end && r.text[r.at] === '(') return giveUp(r);
  if (!SPECIAL.has(name) && name !== 'None') r.note(name, start, receiver);
  if (r.at < r.end && r.text[r.at] === '[') return applied(r, head, name, start, depth);
  return alone(head, name, start);
}

function applied(r: TypeText, head: Expression, name: string, start: number, depth: number): Expression {
  if (name === 'Literal') {
    const first = r.text.slice(r.at + 1, r.end).trimStart();
    skipList(r);
    return /^[bru]*['"]/i.test(first) ? { is: 'literal', type: 'str' } : alone(UNKNOWN, '', start);
  }
  if (name === 'Annotated') {
    r.at++;
    const inner = readEither(r, depth + 1);
    skipToEnd(r);
    return inner;
  }
  const types = readList(r, depth + 1, ']');
  const [first = UNKNOWN] = types;
  if (TRANSPARENT.has(name)) return first;
  switch (name) {
    case 'Optional':
    case 'Union':
      return eitherOf(types);
    case 'Type':
    case 'type':
      return classOf(first);
    case 'Tuple':
    case 'tuple':
      if (types[1] !== ELLIPSIS) return { is: 'tuple', of: types };
      return { is: 'apply', of: { is: 'name', name: 'tuple', at: start }, types: [first] };
    case 'Callable':
      return callable(first, types[1]);
    case 'TypeGuard':
    case 'TypeIs':
      return { is: 'name', name: 'bool', at: start };
    default: {
      const same = SAME_AS[name];
      return { is: 'apply', of: same === undefined ? head : { is: 'name', name: same, at: start }, types };
    }
  }
}

function readList(r: TypeText, depth: number, close: string): Expression[] {
  const types: Expression[] = [];
  r.at++;
  for (;;) {
    skipSpace(r);
    if (r.at >= r.end) return types;
    const char = r.text[r.at] ?? '';
    if (char === close) break;
    // The other half of another bracket: this one is never closed.
    if (char === ')' || char === ']' || char === '}') return types;
    if (char === ',') {
      r.at++;
      continue;
    }
    types.push(readEither(r, depth));
    skipSpace(r);
    if (r.at < r.end && r.text[r.at] !== ',' && r.text[r.at] !== close) giveUp(r);
  }
  r.at++;
  return types;
}

function readQuoted(r: TypeText, depth: number): Expression {
  const quote = r.text[r.at] ?? '';
  const width = r.text.startsWith(quote.repeat(3), r.at) ? 3 : 1;
  const start = r.at + width;
  const close = r.text.indexOf(quote.repeat(width), start);
  const [outerEnd, isPlain] = [
    r.end,
    close !== -1 && close + width <= r.end && !r.text.slice(start, close).includes('\\'),
  ];
  if (!isPlain) return giveUp(r);
  r.at = start;
  r.end = close;
  const inner = readEither(r, depth + 1);
  r.end = outerEnd;
  r.at = close + width;
  return inner;
}

/** Past what cannot be read: to the next comma or closing bracket of this level. */
function giveUp(r: TypeText): Expression {
  let level = 0;
  for (; r.at < r.end; r.at++) {
    const char = r.text[r.at] ?? '';
    if (char === '"' || char === "'") {
      const close = r.text.indexOf(char, r.at + 1);
      r.at = close === -1 || close >= r.end ? r.end - 1 : close;
    } else if (char === '(' || char === '[' || char === '{') level++;
    else if (char === ')' || char === ']' || char === '}') {
      if (level === 0) break;
      level--;
    } else if (char === ',' && level === 0) break;
  }
  return UNKNOWN;
}

function skipToEnd(r: TypeText): void {
  while (r.at < r.end && r.text[r.at] !== ']') {
    giveUp(r);
    if (r.text[r.at] === ',') r.at++;
    else if (r.text[r.at] !== ']') break;
  }
  r.at++;
}

function skipList(r: TypeText): void {
  r.at++;
  skipToEnd(r);
}

function alone(head: Expression, name: string, at: number): Expression {
  switch (name) {
    case 'None':
      return NONE;
    case 'Any':
    case 'Callable':
    case 'NoReturn':
    case 'Never':
      return UNKNOWN;
    case 'Self':
      return { is: 'this', at };
    case 'LiteralString':
      return { is: 'name', name: 'str', at };
    default: {
      const same = SAME_AS[name];
      return same === undefined ? head : { is: 'name', name: same, at };
    }
  }
}

/** `None` says nothing about which members there are, so it only stands where it is alone. */
export function eitherOf(parts: readonly Expression[]): Expression {
  const known = parts.filter((part) => part !== NONE && part !== ELLIPSIS);
  if (known.length > 1) return { is: 'either', of: known };
  return known[0] ?? parts[0] ?? UNKNOWN;
}

/** The class itself, not an object of it. */
function classOf(type: Expression): Expression {
  if (type.is === 'either') return { is: 'either', of: type.of.map(classOf) };
  const isPlain = type.is === 'name' || type.is === 'member' || type.is === 'this';
  return isPlain ? { is: 'typeof', value: type } : UNKNOWN;
}

function callable(taken: Expression, type: Expression | undefined): Expression {
  const of = taken.is === 'tuple' ? taken.of : [];
  const parameters = of.map((one): Parameter => ({ name: '', type: one }));
  return type === undefined ? { is: 'function', parameters } : { is: 'function', parameters, type };
}
