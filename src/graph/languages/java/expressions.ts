import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import {
  cast,
  createReadContext,
  element,
  inner,
  known,
  listOf,
  literal,
  namedIn,
  plainName,
  thisObject,
  through,
} from '../expression-table.ts';
import type { ReadContext, Readers } from '../expression-table.ts';
import { expressionFields, expressionSymbols } from './symbols.ts';

/** What the walk knows about names. */
export interface JavaScope {
  /** A variable, parameter or field of the file has this name. */
  isVariable(name: string): boolean;
  /** A class written with its package where it is used; gives the name it gets. */
  qualified(name: string, at: number): string;
}

export interface JavaExpressions {
  /** Another file has come. */
  forget(): void;
  value(node: number): Expression;
  type(node: number): Expression;
  parameters(list: number): Parameter[];
  generics(list: number): Generic[];
  /** What stands before the last name of a type: `A.B` in `A.B.C`. */
  typeBefore(node: number): Expression | undefined;
  /** The value that the nth parameter of a lambda is called with. */
  lambdaParameter(lambda: number, n: number): Expression;
  /** What the place of a value expects. */
  expected(node: number): Expression;
}

type Java = ReadContext<ReturnType<typeof expressionSymbols>, ReturnType<typeof expressionFields>, JavaScope>;

export function createJavaExpressions(grammar: Grammar): (tree: FlatTree, scope: JavaScope) => JavaExpressions {
  const symbol = expressionSymbols(grammar);
  const field = expressionFields(grammar);
  return (tree, scope) => {
    const c: Java = createReadContext({ tree, symbol, field, scope }, VALUES, TYPES);
    return {
      forget: c.forget,
      value: c.value,
      type: c.type,
      parameters: (list) => parametersOf(c, list),
      generics: (list) => genericsOf(c, list),
      typeBefore: (node) => typeBefore(c, node),
      lambdaParameter: (node, n) => lambdaParameter(c, node, n),
      expected: (node) => expectedOf(c, node),
    };
  };
}

const VALUES: Readers<Java, Java['symbol']> = {
  identifier: plainName,
  typeName: plainName,
  this: thisObject,
  super: superObject,
  fieldAccess: access,
  call,
  creation,
  parenthesized: inner,
  cast,
  arrayAccess: element('array'),
  arrayCreation: (c, node) => ({ is: 'as', type: listOf(c.tree, c.type(c.tree.child(node, c.field.type)), node) }),
  classLiteral,
  ternary,
  assignment: through('right'),
  lambda,
  methodReference: reference,
  string: literal('String'),
  integer: number('int', 'long'),
  decimal: number('double', 'float'),
  character: literal('char'),
  null: literal('null'),
  true: literal('boolean'),
  false: literal('boolean'),
  instanceof: literal('boolean'),
  binary: sum,
};

const TYPES: Readers<Java, Java['symbol']> = {
  typeName: plainName,
  identifier: plainName,
  integral: plainName,
  floating: plainName,
  boolean: plainName,
  void: () => ({ is: 'tuple', of: [] }),
  generic,
  scopedType,
  scoped: (c, node) => access(c, node, MAX_DEPTH),
  fieldAccess: (c, node) => access(c, node, MAX_DEPTH),
  array: (c, node) => listOf(c.tree, c.type(c.tree.child(node, c.field.element)), node),
  annotated: (c, node) => c.type(lastNamed(c, node)),
  wildcard,
  catchType,
};

function superObject({ tree }: Java, node: number): Expression {
  return { is: 'super', at: tree.start(node) };
}

function classLiteral(c: Java, node: number): Expression {
  const of: Expression = { is: 'name', name: 'Class', at: c.tree.start(node) };
  return { is: 'as', type: { is: 'apply', of, types: [c.type(c.tree.firstNamed(node))] } };
}

function ternary(c: Java, node: number, depth: number): Expression {
  const sides = [c.tree.child(node, c.field.consequence), c.tree.child(node, c.field.alternative)];
  return known(
    'either',
    sides.map((side) => c.read(side, depth - 1)),
  );
}

function generic(c: Java, node: number): Expression {
  const of = c.type(c.tree.firstNamed(node));
  const types = typesOf(c, c.tree.childOf(node, c.symbol.typeArguments));
  return types.length === 0 ? of : { is: 'apply', of, types };
}

function scopedType(c: Java, node: number): Expression {
  const of = typeBefore(c, node);
  if (of !== undefined) return { is: 'member', of, name: c.tree.textOf(lastNamed(c, node)) };
  const at = c.tree.start(node);
  return { is: 'name', name: c.scope.qualified(c.tree.textOf(node), at), at };
}

function wildcard(c: Java, node: number): Expression {
  const bound = lastNamed(c, node);
  return bound === -1 || c.tree.symbol(bound) === c.symbol.super ? UNKNOWN : c.type(bound);
}

function catchType(c: Java, node: number): Expression {
  const of = typesOf(c, node);
  return of.length === 1 ? (of[0] ?? UNKNOWN) : { is: 'either', of };
}

function lastNamed({ tree }: Java, node: number): number {
  return namedIn(tree, node).at(-1) ?? -1;
}

function typesOf(c: Java, list: number): Expression[] {
  return namedIn(c.tree, list).map((node) => c.type(node));
}

function listed(c: Java, list: number, depth: number): Expression[] {
  const isComment = (kind: number): boolean => kind === c.symbol.lineComment || kind === c.symbol.blockComment;
  const nodes = namedIn(c.tree, list).filter((node) => !isComment(c.tree.symbol(node)));
  return nodes.map((node) => c.read(node, depth - 1));
}

/** A letter behind a number says that it is of the other type. */
function number(plain: string, marked: string): (c: Java, node: number) => Expression {
  return ({ tree }, node) => ({ is: 'literal', type: /[lf]$/i.test(tree.textOf(node)) ? marked : plain });
}

const COMPARES = /^\s*(?:[<>=!]=|[<>](?![<>])|&&|\|\|)/;

/** Text plus anything is text, and what is compared is true or not. */
function sum(c: Java, node: number, depth: number): Expression {
  const left = c.tree.firstNamed(node);
  const right = left === -1 ? -1 : c.tree.nextNamed(left);
  if (right === -1) return UNKNOWN;
  const operator = c.tree.text.slice(c.tree.end(left), c.tree.start(right));
  if (COMPARES.test(operator)) return { is: 'literal', type: 'boolean' };
  if (!operator.includes('+')) return UNKNOWN;
  const isText = [left, right].some((side) => isString(c.read(side, depth - 1)));
  return isText ? { is: 'literal', type: 'String' } : UNKNOWN;
}

function isString(value: Expression): boolean {
  return value.is === 'literal' && value.type === 'String';
}

function access(c: Java, node: number, depth: number): Expression {
  const object = c.tree.child(node, c.field.object);
  const name = c.tree.child(node, c.field.field);
  if (name === -1) return UNKNOWN;
  // `Outer.this` and `Outer.super`.
  if (c.tree.symbol(name) === c.symbol.this) return { is: 'as', type: c.type(object) };
  const whole = qualifiedName(c, node);
  if (whole !== undefined) return whole;
  return { is: 'member', of: c.read(object, depth - 1), name: c.tree.textOf(name) };
}

/** `com.acme.Item`: a path in lower case that ends with a class, and starts with no variable. */
function qualifiedName(c: Java, node: number): Expression | undefined {
  const text = c.tree.textOf(node);
  if (!/^[a-z]\w*(?:\.[a-z]\w*)+\.[A-Z]\w*[a-z]\w*$/.test(text)) return undefined;
  const root = text.slice(0, text.indexOf('.'));
  if (c.scope.isVariable(root)) return undefined;
  return { is: 'name', name: c.scope.qualified(text, c.tree.start(node)), at: c.tree.start(node) };
}

function call(c: Java, node: number, depth: number): Expression {
  const object = c.tree.child(node, c.field.object);
  const nameNode = c.tree.child(node, c.field.name);
  if (nameNode === -1) return UNKNOWN;
  const name = c.tree.textOf(nameNode);
  const isSuper = c.tree.childOf(node, c.symbol.super) !== -1;
  const of: Expression =
    object === -1
      ? { is: 'name', name, at: c.tree.start(nameNode) }
      : { is: 'member', of: isSuper ? { is: 'super', at: c.tree.start(object) } : c.read(object, depth - 1), name };
  const args = listed(c, c.tree.child(node, c.field.arguments), depth);
  const types = c.tree.child(node, c.field.typeArguments);
  return types === -1 ? { is: 'call', of, args } : { is: 'call', of, args, types: typesOf(c, types) };
}

function creation(c: Java, node: number, depth: number): Expression {
  const made = c.tree.child(node, c.field.type);
  if (made === -1) return UNKNOWN;
  const args = listed(c, c.tree.child(node, c.field.arguments), depth);
  const isGeneric = c.tree.symbol(made) === c.symbol.generic;
  const of = c.type(isGeneric ? c.tree.firstNamed(made) : made);
  const types = isGeneric ? typesOf(c, c.tree.childOf(made, c.symbol.typeArguments)) : [];
  return types.length === 0 ? { is: 'new', of, args } : { is: 'new', of, args, types };
}

function lambda(c: Java, node: number, depth: number): Expression {
  const list = c.tree.child(node, c.field.parameters);
  const parameters = lambdaNames(c, list);
  const body = c.tree.child(node, c.field.body);
  if (body === -1 || c.tree.symbol(body) === c.symbol.block) {
    const returned = body === -1 ? -1 : firstReturn(c, body);
    return returned === -1
      ? { is: 'function', parameters }
      : { is: 'function', parameters, values: [c.read(returned, depth - 1)] };
  }
  return { is: 'function', parameters, values: [c.read(body, depth - 1)] };
}

function firstReturn(c: Java, body: number): number {
  for (const node of namedIn(c.tree, body)) {
    if (c.tree.symbol(node) === c.symbol.return) return c.tree.firstNamed(node);
  }
  return -1;
}

function lambdaNames(c: Java, list: number): Parameter[] {
  if (list === -1) return [];
  if (c.tree.symbol(list) === c.symbol.identifier) return [{ name: c.tree.textOf(list) }];
  if (c.tree.symbol(list) === c.symbol.formal) return parametersOf(c, list);
  const parameters: Parameter[] = [];
  for (const node of namedIn(c.tree, list)) parameters.push({ name: c.tree.textOf(node) });
  return parameters;
}

function reference(c: Java, node: number, depth: number): Expression {
  const of = c.tree.firstNamed(node);
  if (of === -1) return UNKNOWN;
  let last = of;
  for (let part = of; part !== -1; part = c.tree.nextNamed(part)) last = part;
  if (last === of || c.tree.symbol(last) !== c.symbol.identifier) {
    return { is: 'function', parameters: [], values: [{ is: 'new', of: c.type(of), args: [] }] };
  }
  return { is: 'member', of: c.read(of, depth - 1), name: c.tree.textOf(last) };
}

function lambdaParameter(c: Java, node: number, n: number): Expression {
  const of = expectedOf(c, node);
  return of.is === 'unknown' ? UNKNOWN : { is: 'parameter', of, n };
}

function expectedOf(c: Java, node: number): Expression {
  const parent = c.tree.parent(node);
  switch (c.tree.symbol(parent)) {
    case c.symbol.arguments: {
      const callNode = c.tree.parent(parent);
      let index = 0;
      for (let arg = c.tree.firstNamed(parent); arg !== -1 && arg !== node; arg = c.tree.nextNamed(arg)) index++;
      const callee = c.value(callNode);
      return callee.is === 'call' || callee.is === 'new' ? { is: 'expected', call: callee, n: index } : UNKNOWN;
    }
    case c.symbol.declarator: {
      const declared = c.tree.child(c.tree.parent(parent), c.field.type);
      return declared === -1 ? UNKNOWN : { is: 'as', type: c.type(declared) };
    }
    case c.symbol.return:
      return { is: 'as', type: resultAround(c, parent) };
    case c.symbol.cast:
      return { is: 'as', type: c.type(c.tree.child(parent, c.field.type)) };
    case c.symbol.parenthesized:
      return expectedOf(c, parent);
    default:
      return UNKNOWN;
  }
}

function resultAround(c: Java, node: number): Expression {
  for (let at = c.tree.parent(node); at > 0; at = c.tree.parent(at)) {
    if (c.tree.symbol(at) === c.symbol.lambda) return UNKNOWN;
    if (c.tree.symbol(at) === c.symbol.method) return c.type(c.tree.child(at, c.field.type));
  }
  return UNKNOWN;
}

/** Nothing when what stands before is a package, so that the whole is one name. */
function typeBefore(c: Java, node: number): Expression | undefined {
  if (c.tree.symbol(node) !== c.symbol.scopedType) return undefined;
  const first = c.tree.firstNamed(node);
  if (first === -1) return undefined;
  const text = c.tree.textOf(first);
  return /^[a-z][\w.]*$/.test(text) && /(?:^|\.)[a-z]\w*$/.test(text) ? undefined : c.type(first);
}

function parametersOf(c: Java, list: number): Parameter[] {
  const parameters: Parameter[] = [];
  for (const node of namedIn(c.tree, list)) {
    const kind = c.tree.symbol(node);
    if (kind === c.symbol.parameter) {
      const name = c.tree.child(node, c.field.name);
      parameters.push({ name: name === -1 ? '' : c.tree.textOf(name), type: c.type(c.tree.child(node, c.field.type)) });
    } else if (kind === c.symbol.spread) {
      const declarator = c.tree.childOf(node, c.symbol.declarator);
      const name = declarator === -1 ? -1 : c.tree.child(declarator, c.field.name);
      parameters.push({
        name: name === -1 ? '' : c.tree.textOf(name),
        type: listOf(c.tree, spreadType(c, node), node),
        rest: true,
      });
    }
  }
  return parameters;
}

function spreadType(c: Java, node: number): Expression {
  for (const part of namedIn(c.tree, node)) {
    const found = c.type(part);
    if (found.is !== 'unknown') return found;
  }
  return UNKNOWN;
}

function genericsOf(c: Java, list: number): Generic[] {
  const generics: Generic[] = [];
  for (const node of namedIn(c.tree, list)) {
    const nameNode = c.tree.childOf(node, c.symbol.typeName);
    if (nameNode === -1) continue;
    const name = c.tree.textOf(nameNode);
    const bounds = c.tree.childOf(node, c.symbol.bound);
    const of = typesOf(c, bounds);
    if (of.length === 0) generics.push({ name });
    else generics.push({ name, bound: of.length === 1 ? (of[0] ?? UNKNOWN) : { is: 'both', of } });
  }
  return generics;
}
