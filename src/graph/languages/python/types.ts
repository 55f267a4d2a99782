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

/**
 * Reads an annotation from its text, so that one in quotes is read like any other. What is no plain type, such as a call,
 * becomes `unknown`; it never throws.
 */
export function readTypeText(text: string, from: number, to: number, note: NoteType): Expression {
  let at = from;
  let end = to;

  function skipSpace(): void {
    while (at < end) {
      if (text[at] === '#') while (at < end && text[at] !== '\n') at++;
      else if (isSpace(text.charCodeAt(at))) at++;
      else return;
    }
  }

  function readEither(depth: number): Expression {
    if (depth > MAX_DEPTH) return giveUp();
    const parts = [readOne(depth)];
    for (skipSpace(); text[at] === '|' && at < end; skipSpace()) {
      at++;
      parts.push(readOne(depth));
    }
    return eitherOf(parts);
  }

  function readOne(depth: number): Expression {
    skipSpace();
    const char = at < end ? (text[at] ?? '') : '';
    if (char === '"' || char === "'") return readQuoted(depth);
    if (char === '(' || char === '[') {
      const parts = readList(depth, char === '(' ? ')' : ']');
      return char === '[' || parts.length !== 1 ? { is: 'tuple', of: parts } : (parts[0] ?? UNKNOWN);
    }
    if (text.startsWith('...', at)) {
      at += 3;
      return ELLIPSIS;
    }
    if (char === '*') {
      at++;
      return readOne(depth);
    }
    const start = at;
    while (at < end && isNamePart(text.charCodeAt(at))) at++;
    if (at === start) return giveUp();
    const name = text.slice(start, at);
    if (char >= '0' && char <= '9') return { is: 'literal', type: 'int' };
    return readRest(name, start, undefined, depth);
  }

  /** Dots and brackets after a name. */
  function readRest(name: string, start: number, receiver: Expression | undefined, depth: number): Expression {
    skipSpace();
    const head: Expression =
      receiver === undefined ? { is: 'name', name, at: start } : { is: 'member', of: receiver, name };
    if (at < end && text[at] === '.' && depth < MAX_DEPTH) {
      at++;
      skipSpace();
      const next = at;
      while (at < end && isNamePart(text.charCodeAt(at))) at++;
      if (at === next) return giveUp();
      return readRest(text.slice(next, at), next, head, depth + 1);
    }
    if (at < end && text[at] === '(') return giveUp();
    if (!SPECIAL.has(name) && name !== 'None') note(name, start, receiver);
    if (at < end && text[at] === '[') return applied(head, name, start, depth);
    return alone(head, name, start);
  }

  function applied(head: Expression, name: string, start: number, depth: number): Expression {
    if (name === 'Literal') {
      const first = text.slice(at + 1, end).trimStart();
      skipList();
      return /^[bru]*['"]/i.test(first) ? { is: 'literal', type: 'str' } : alone(UNKNOWN, '', start);
    }
    if (name === 'Annotated') {
      at++;
      const inner = readEither(depth + 1);
      skipToEnd();
      return inner;
    }
    const types = readList(depth + 1, ']');
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

  function readList(depth: number, close: string): Expression[] {
    const types: Expression[] = [];
    at++;
    for (;;) {
      skipSpace();
      if (at >= end) return types;
      if (text[at] === close) break;
      if (text[at] === ',') {
        at++;
        continue;
      }
      types.push(readEither(depth));
      skipSpace();
      if (at < end && text[at] !== ',' && text[at] !== close) giveUp();
    }
    at++;
    return types;
  }

  function readQuoted(depth: number): Expression {
    const quote = text[at] ?? '';
    const width = text.startsWith(quote.repeat(3), at) ? 3 : 1;
    const start = at + width;
    const close = text.indexOf(quote.repeat(width), start);
    const [outerEnd, isPlain] = [end, close !== -1 && close + width <= end && !text.slice(start, close).includes('\\')];
    if (!isPlain) return giveUp();
    at = start;
    end = close;
    const inner = readEither(depth + 1);
    end = outerEnd;
    at = close + width;
    return inner;
  }

  /** Past what cannot be read: to the next comma or closing bracket of this level. */
  function giveUp(): Expression {
    let level = 0;
    for (; at < end; at++) {
      const char = text[at] ?? '';
      if (char === '"' || char === "'") {
        const close = text.indexOf(char, at + 1);
        at = close === -1 || close >= end ? end - 1 : close;
      } else if (char === '(' || char === '[' || char === '{') level++;
      else if (char === ')' || char === ']' || char === '}') {
        if (level === 0) break;
        level--;
      } else if (char === ',' && level === 0) break;
    }
    return UNKNOWN;
  }

  function skipToEnd(): void {
    while (at < end && text[at] !== ']') {
      giveUp();
      if (text[at] === ',') at++;
      else if (text[at] !== ']') break;
    }
    at++;
  }

  function skipList(): void {
    at++;
    skipToEnd();
  }

  return readEither(0);
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
