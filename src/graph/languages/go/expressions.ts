import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import {
  createReadContext,
  element,
  functionOf,
  inner,
  listOf,
  literal,
  member,
  namedIn,
  plainName,
  through,
} from '../expression-table.ts';
import type { ReadContext, Reader, Readers } from '../expression-table.ts';
import { expressionFields, expressionSymbols } from './symbols.ts';

/** What a name stands for where it is written, as far as the walk knows. */
export interface GoScope {
  /** The receiver of the method around. */
  isThis(name: string): boolean;
  /** A variable or parameter, or a variable of the file: calling an element of it is no use of a type parameter. */
  isVariable(name: string): boolean;
}

/** Translates expressions and types. */
export interface GoExpressions {
  /** Another file has come. */
  forget(): void;
  value(node: number): Expression;
  type(node: number): Expression;
  parameters(list: number): Parameter[];
  result(node: number): Expression | undefined;
  generics(list: number): Generic[];
  /** What is called, and with which types: `f[T]` without the brackets. */
  callee(node: number): { readonly node: number; readonly types: readonly number[] };
}

/** The operators that take an address, a value from one, or a value from a channel. */
const TRANSPARENT = new Set(['&', '*']);

type Go = ReadContext<ReturnType<typeof expressionSymbols>, ReturnType<typeof expressionFields>, GoScope>;

export function createGoExpressions(grammar: Grammar): (tree: FlatTree, scope: GoScope) => GoExpressions {
  const symbol = expressionSymbols(grammar);
  const field = expressionFields(grammar);
  return (tree, scope) => {
    const c: Go = createReadContext({ tree, symbol, field, scope }, VALUES, TYPES);
    return {
      forget: c.forget,
      value: c.value,
      type: c.type,
      parameters: (list) => parametersOf(c, list),
      result: (node) => resultOf(c, node),
      generics: (list) => genericsOf(c, list),
      callee: (node) => calleeOf(c, node),
    };
  };
}

const VALUES: Readers<Go, Go['symbol']> = {
  identifier: named,
  selector: member('operand', 'field'),
  call,
  index: element('operand'),
  slice: through('operand'),
  composite,
  assertion: converted,
  conversion: converted,
  parenthesized: inner,
  unary,
  binary: arithmetic,
  function: signature,
  string: literal('string'),
  rawString: literal('string'),
  int: literal('int'),
  float: literal('float64'),
  true: literal('bool'),
  false: literal('bool'),
};

const TYPES: Readers<Go, Go['symbol']> = {
  typeName: plainName,
  qualified,
  pointer: innerType,
  parenthesizedType: innerType,
  typeElement: innerType,
  constraint: innerType,
  negated: innerType,
  generic,
  sliceType: container('[]', 'element'),
  arrayType: container('[]', 'element'),
  implicitArray: container('[]', 'element'),
  map: container('map', 'key', 'value'),
  channel: container('chan', 'value'),
  functionType: signature,
  struct: record,
  interface: methods,
  identifier: asType,
  selector: asType,
  unary: asType,
  parenthesized: asType,
};

function unary(c: Go, node: number, depth: number): Expression {
  const operator = c.tree.textOf(c.tree.child(node, c.field.operator));
  const operand = c.tree.child(node, c.field.operand);
  if (TRANSPARENT.has(operator)) return c.read(operand, depth - 1);
  if (operator === '<-') return { is: 'part', of: { is: 'each', of: c.read(operand, depth - 1) }, n: 0 };
  return operator === '!' ? { is: 'literal', type: 'bool' } : UNKNOWN;
}

function signature(c: Go, node: number): Expression {
  const parameters = parametersOf(c, c.tree.child(node, c.field.parameters));
  return functionOf(parameters, resultOf(c, c.tree.child(node, c.field.result)));
}

function qualified(c: Go, node: number): Expression {
  const of = plainName(c, c.tree.child(node, c.field.package));
  return { is: 'member', of, name: c.tree.textOf(c.tree.child(node, c.field.name)) };
}

function innerType(c: Go, node: number, depth: number): Expression {
  return c.readType(c.tree.firstNamed(node), depth - 1);
}

function generic(c: Go, node: number, depth: number): Expression {
  const list = c.tree.child(node, c.field.typeArguments);
  return {
    is: 'apply',
    of: c.readType(c.tree.child(node, c.field.type), depth - 1),
    types: namedIn(c.tree, list).map((type) => c.readType(type, depth - 1)),
  };
}

/** Both sides are of one type, which a literal takes from the other. */
function arithmetic(c: Go, node: number, depth: number): Expression {
  if (/^(?:[=!<>]=|[<>]|&&|\|\|)$/.test(c.tree.textOf(c.tree.child(node, c.field.operator))))
    return { is: 'literal', type: 'bool' };
  const left = c.read(c.tree.child(node, c.field.left), depth - 1);
  return left.is === 'literal' || left.is === 'unknown' ? c.read(c.tree.child(node, c.field.right), depth - 1) : left;
}

function named(c: Go, node: number): Expression {
  const name = c.tree.textOf(node);
  const at = c.tree.start(node);
  return c.scope.isThis(name) ? { is: 'this', at } : { is: 'name', name, at };
}

function call(c: Go, node: number, depth: number): Expression {
  const callee = c.tree.child(node, c.field.function);
  const list = c.tree.child(node, c.field.arguments);
  const builtIn =
    c.tree.symbol(callee) === c.symbol.identifier ? madeBy(c, c.tree.textOf(callee), list, depth) : undefined;
  if (builtIn !== undefined) return builtIn;
  if (c.tree.symbol(callee) === c.symbol.parenthesized && isPointer(c, c.tree.firstNamed(callee))) {
    return { is: 'as', type: c.read(c.tree.firstNamed(callee), depth - 1) };
  }
  const applied = calleeOf(c, callee);
  const of = c.read(applied.node, depth - 1);
  const args = namedIn(c.tree, list).map((arg) => c.read(arg, depth - 1));
  if (applied.types.length === 0) return { is: 'call', of, args };
  return { is: 'call', of, args, types: applied.types.map(c.type) };
}

/** What the functions of the language return that depend on their first argument. */
function madeBy(c: Go, name: string, list: number, depth: number): Expression | undefined {
  if (list === -1 || c.scope.isVariable(name)) return undefined;
  const first = c.tree.firstNamed(list);
  if (name === 'make' || name === 'new') return first === -1 ? undefined : { is: 'as', type: asType(c, first) };
  if (name === 'append') return c.read(first, depth - 1);
  return undefined;
}

function composite(c: Go, literalNode: number): Expression {
  const node = c.tree.child(literalNode, c.field.type);
  const kind = c.tree.symbol(node);
  if (kind === c.symbol.typeName || kind === c.symbol.qualified) return { is: 'new', of: c.type(node), args: [] };
  if (kind !== c.symbol.generic) return { is: 'as', type: c.type(node) };
  const applied = c.type(node);
  if (applied.is !== 'apply') return UNKNOWN;
  return { is: 'new', of: applied.of, args: [], types: applied.types };
}

function converted(c: Go, node: number, depth: number): Expression {
  const target = c.tree.child(node, c.field.type);
  // The grammar takes `f[T](x)` for a conversion.
  if (c.tree.symbol(node) === c.symbol.conversion && c.tree.symbol(target) === c.symbol.generic) {
    const applied = c.type(target);
    if (applied.is === 'apply') {
      return {
        is: 'call',
        of: applied.of,
        args: [c.read(c.tree.child(node, c.field.operand), depth - 1)],
        types: applied.types,
      };
    }
  }
  return { is: 'as', type: c.type(target) };
}

function calleeOf(c: Go, node: number): { readonly node: number; readonly types: readonly number[] } {
  if (c.tree.symbol(node) !== c.symbol.index) return { node, types: [] };
  const operand = c.tree.child(node, c.field.operand);
  const index = c.tree.child(node, c.field.index);
  const root = c.tree.symbol(operand) === c.symbol.selector ? c.tree.child(operand, c.field.operand) : operand;
  if (c.tree.symbol(root) !== c.symbol.identifier || !mayBeType(c, index)) return { node, types: [] };
  const name = c.tree.textOf(root);
  return c.scope.isVariable(name) || c.scope.isThis(name) ? { node, types: [] } : { node: operand, types: [index] };
}

function mayBeType(c: Go, node: number): boolean {
  const kind = c.tree.symbol(node);
  return kind === c.symbol.identifier || kind === c.symbol.selector || isPointer(c, node) || kind === c.symbol.index;
}

function isPointer(c: Go, node: number): boolean {
  return (
    node !== -1 && c.tree.symbol(node) === c.symbol.unary && c.tree.textOf(c.tree.child(node, c.field.operator)) === '*'
  );
}

/** The same node may be written as a value where a type is meant: `new(flags)`, `f[*Item]()`. */
function asType(c: Go, node: number): Expression {
  const kind = c.tree.symbol(node);
  if (kind === c.symbol.unary) return c.type(c.tree.child(node, c.field.operand));
  if (kind === c.symbol.parenthesized) return c.type(c.tree.firstNamed(node));
  if (kind === c.symbol.identifier) return plainName(c, node);
  if (kind === c.symbol.selector) return c.read(node, MAX_DEPTH);
  return c.type(node);
}

function container(name: string, ...of: readonly (keyof Go['field'])[]): Reader<Go> {
  return (c, node, depth) => ({
    is: 'apply',
    of: { is: 'name', name, at: c.tree.start(node) },
    types: of.map((part) => c.readType(c.tree.child(node, c.field[part]), depth - 1)),
  });
}

function record(c: Go, node: number, depth: number): Expression {
  const list = c.tree.firstNamed(node);
  const fields: [string, Expression][] = [];
  if (list === -1) return UNKNOWN;
  for (const declaration of namedIn(c.tree, list)) {
    if (c.tree.symbol(declaration) !== c.symbol.fieldDeclaration) continue;
    const of = c.readType(c.tree.child(declaration, c.field.type), depth - 1);
    for (const name of namedIn(c.tree, declaration)) {
      if (c.tree.field(name) === c.field.name) fields.push([c.tree.textOf(name), of]);
    }
  }
  return { is: 'record', fields };
}

function methods(c: Go, node: number, depth: number): Expression {
  const fields: [string, Expression][] = [];
  for (const method of namedIn(c.tree, node)) {
    if (c.tree.symbol(method) !== c.symbol.method || depth < 2) continue;
    fields.push([c.tree.textOf(c.tree.child(method, c.field.name)), signature(c, method)]);
  }
  return fields.length === 0 ? UNKNOWN : { is: 'record', fields };
}

function parametersOf(c: Go, list: number): Parameter[] {
  const parameters: Parameter[] = [];
  for (const node of namedIn(c.tree, list)) {
    const kind = c.tree.symbol(node);
    if (kind === c.symbol.variadic) {
      const of = c.type(c.tree.child(node, c.field.type));
      const name = c.tree.child(node, c.field.name);
      parameters.push({ name: name === -1 ? '' : c.tree.textOf(name), type: listOf(c.tree, of, node), rest: true });
    }
    if (kind !== c.symbol.parameter) continue;
    const of = c.type(c.tree.child(node, c.field.type));
    const before = parameters.length;
    for (const name of namedIn(c.tree, node)) {
      if (c.tree.field(name) === c.field.name) parameters.push({ name: c.tree.textOf(name), type: of });
    }
    if (parameters.length === before) parameters.push({ name: '', type: of });
  }
  return parameters;
}

function resultOf(c: Go, node: number): Expression | undefined {
  if (node === -1) return undefined;
  if (c.tree.symbol(node) !== c.symbol.parameters) return c.type(node);
  const of = parametersOf(c, node).map((parameter) => parameter.type ?? UNKNOWN);
  return of.length === 1 ? of[0] : { is: 'tuple', of };
}

function genericsOf(c: Go, list: number): Generic[] {
  const generics: Generic[] = [];
  for (const node of namedIn(c.tree, list)) {
    if (c.tree.symbol(node) !== c.symbol.typeParameter) continue;
    const bound = boundOf(c, c.tree.child(node, c.field.type));
    for (const name of namedIn(c.tree, node)) {
      if (c.tree.field(name) !== c.field.name) continue;
      generics.push(bound === undefined ? { name: c.tree.textOf(name) } : { name: c.tree.textOf(name), bound });
    }
  }
  return generics;
}

function boundOf(c: Go, node: number): Expression | undefined {
  const first = node === -1 ? -1 : c.tree.firstNamed(node);
  if (first === -1 || c.tree.nextNamed(first) !== -1) return undefined;
  const bound = c.type(first);
  return bound.is === 'name' && (bound.name === 'any' || bound.name === 'comparable') ? undefined : bound;
}
