import type { Expression, Generic, Parameter } from '../model/expression.ts';
import { UNKNOWN } from '../model/expression.ts';
import type { Base, Definition, DefinitionKind, FileFacts, Language, Trait } from '../model/facts.ts';

/**
 * Makes facts of what a language brings with it, so that resolution reads it like a file of the project that lies outside
 * (its path is empty). One declaration per line, members indented:
 *
 *     Name<T>: Base<T>        a class
 *       member<U>(T, U?, ...V): R
 *       member: T
 *       static member(): T
 *     Name<T> = T             another name for a type
 *     name<T>(T): R           a function
 *     name: T                 a constant
 *
 * Types: `a.b<C>`, `T[]`, `[A, B]`, `A | B`, `A & B`, `(A, B?) => C`, `'text'`, `this`, `await T`, `call T` (what calling it
 * returns), `new T` (what constructing it makes), `typeof a` and `?` for unknown. Members that no program can name say what the
 * language does with an object: `@each` a loop, `@element` a computed key, `[]` a name that is no member, `@await`,
 * `@enter` and `()` a call.
 */
export function declareBuiltIns(language: Language, list: string, text: string): FileFacts {
  const definitions: Definition[] = [];
  let container = -1;
  let offset = 0;
  for (const line of text.split('\n')) {
    const start = offset;
    offset += line.length + 1;
    if (line.trim() === '') continue;
    const isMember = line.startsWith(' ');
    const definition = readDeclaration({ text: line, start, list, at: 0 }, isMember ? container : -1);
    if (!isMember) {
      close(definitions, container, start);
      container = definitions.length;
    }
    definitions.push(definition);
  }
  close(definitions, container, offset);
  return {
    path: '',
    language,
    flags: [],
    lines: [0],
    definitions,
    references: [],
    imports: [],
    exports: [],
    bindings: [],
  };
}

function close(definitions: Definition[], index: number, end: number): void {
  const open = definitions[index];
  if (open !== undefined) definitions[index] = { ...open, end };
}

interface Cursor {
  readonly text: string;
  readonly start: number;
  readonly list: string;
  at: number;
}

function readDeclaration(c: Cursor, container: number): Definition {
  skip(c);
  const at = c.start + c.at;
  const traits: Trait[] = ['declared'];
  if (takeWord(c, 'static')) traits.push('static');
  if (takeWord(c, 'get')) traits.push('getter');
  const name = take(c, '()') ? '()' : readName(c);
  const generics = take(c, '<') ? readGenerics(c) : [];
  const bases: Base[] = [];
  let kind: DefinitionKind = container === -1 ? 'class' : 'field';
  let parameters: readonly Parameter[] = [];
  let type: Expression | undefined;
  if (take(c, '(')) {
    kind = container === -1 ? 'function' : 'method';
    parameters = readParameters(c);
    expect(c, ':');
    type = readType(c);
  } else if (take(c, '=')) {
    kind = 'type';
    type = readType(c);
  } else if (take(c, ':')) {
    if (container === -1 && /^[a-z]/u.test(name) && generics.length === 0 && !c.text.endsWith(':')) {
      kind = 'constant';
      type = readType(c);
    } else if (container === -1) {
      while (c.at < c.text.length) {
        bases.push({ how: 'extends', type: readType(c), at });
        if (!take(c, ',')) break;
      }
    } else {
      type = readType(c);
    }
  }
  const definition = {
    name,
    kind,
    container,
    start: c.start,
    end: c.start + c.text.length + 1,
    at,
    signature: '',
    exported: true,
    visibility: 'public' as const,
    traits,
    bases,
    generics,
    parameters,
    values: [],
  };
  return type === undefined ? definition : { ...definition, type };
}

function readGenerics(c: Cursor): Generic[] {
  const generics: Generic[] = [];
  do {
    const name = readName(c);
    const bound = take(c, ':') ? { bound: readType(c) } : {};
    const preset = take(c, '=') ? { preset: readType(c) } : {};
    generics.push({ name, ...bound, ...preset });
  } while (take(c, ','));
  expect(c, '>');
  return generics;
}

function readParameters(c: Cursor): Parameter[] {
  const parameters: Parameter[] = [];
  if (take(c, ')')) return parameters;
  do {
    const rest = take(c, '...') ? { rest: true } : {};
    const type = readType(c);
    const optional = take(c, '?') ? { optional: true } : {};
    parameters.push({ name: '', type, ...rest, ...optional });
  } while (take(c, ','));
  expect(c, ')');
  return parameters;
}

function readType(c: Cursor): Expression {
  const parts = [readBoth(c)];
  while (take(c, '|')) parts.push(readBoth(c));
  return parts.length === 1 ? (parts[0] ?? UNKNOWN) : { is: 'either', of: parts };
}

function readBoth(c: Cursor): Expression {
  const parts = [readPostfix(c)];
  while (take(c, '&')) parts.push(readPostfix(c));
  return parts.length === 1 ? (parts[0] ?? UNKNOWN) : { is: 'both', of: parts };
}

function readPostfix(c: Cursor): Expression {
  let type = readPrimary(c);
  while (take(c, '[]')) type = { is: 'apply', of: { is: 'name', name: c.list, at: c.start }, types: [type] };
  return type;
}

function readPrimary(c: Cursor): Expression {
  if (take(c, '?')) return UNKNOWN;
  if (takeWord(c, 'await')) return { is: 'await', of: readPostfix(c) };
  if (takeWord(c, 'each')) return { is: 'each', of: readPostfix(c) };
  if (takeWord(c, 'call')) return { is: 'call', of: readPostfix(c), args: [] };
  if (takeWord(c, 'new')) return { is: 'new', of: readPostfix(c), args: [] };
  if (takeWord(c, 'typeof')) return { is: 'typeof', value: readPostfix(c) };
  if (take(c, "'")) {
    const end = c.text.indexOf("'", c.at);
    const text = c.text.slice(c.at, end);
    c.at = end + 1;
    return { is: 'literal', type: 'string', text };
  }
  if (take(c, '[')) {
    const parts = [readType(c)];
    while (take(c, ',')) parts.push(readType(c));
    expect(c, ']');
    return { is: 'tuple', of: parts };
  }
  if (take(c, '(')) {
    const parameters = readParameters(c);
    if (take(c, '=>')) return { is: 'function', parameters, type: readType(c) };
    return parameters[0]?.type ?? UNKNOWN;
  }
  const name = readName(c);
  if (name === 'this') return { is: 'this', at: c.start };
  let type: Expression = { is: 'name', name, at: c.start };
  while (take(c, '.')) type = { is: 'member', of: type, name: readName(c) };
  if (!take(c, '<')) return type;
  const types = [readType(c)];
  while (take(c, ',')) types.push(readType(c));
  expect(c, '>');
  return { is: 'apply', of: type, types };
}

function readName(c: Cursor): string {
  skip(c);
  const [name] = /^(?:\[\]|[@$\w]+)/u.exec(c.text.slice(c.at)) ?? [];
  if (name === undefined) throw new Error(`no name at ${c.at} of: ${c.text}`);
  c.at += name.length;
  return name;
}

function skip(c: Cursor): void {
  while (c.text[c.at] === ' ') c.at++;
}

function take(c: Cursor, sign: string): boolean {
  skip(c);
  if (!c.text.startsWith(sign, c.at)) return false;
  c.at += sign.length;
  return true;
}

/** A word before another one: members may have the same names. */
function takeWord(c: Cursor, word: string): boolean {
  return take(c, `${word} `);
}

function expect(c: Cursor, sign: string): void {
  if (!take(c, sign)) throw new Error(`no ${sign} at ${c.at} of: ${c.text}`);
}
