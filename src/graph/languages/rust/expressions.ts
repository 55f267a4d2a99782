import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import {
  cast,
  createReadContext,
  functionOf,
  inner,
  known,
  listOf,
  literal,
  member,
  namedIn,
  plainName,
  thisObject,
  through,
  typeThrough,
} from '../expression-table.ts';
import type { Readers } from '../expression-table.ts';
import { allOf, genericsOf, nameOf, parametersOf } from './heads.ts';
import type { Rust, RustScope } from './heads.ts';
import { expressionFields, expressionSymbols } from './symbols.ts';

export interface RustExpressions {
  /** Another file has come. */
  forget(): void;
  value(node: number): Expression;
  type(node: number): Expression;
  /** `a::b` in `a::b::c`, in value space; undefined when nothing stands before the last name. */
  pathBefore(node: number): Expression | undefined;
  parameters(list: number): Parameter[];
  /** Type parameters with the bounds of the head and of the `where` clause. */
  generics(node: number): Generic[];
  /** The value that the nth parameter of a closure is called with. */
  closureParameter(closure: number, n: number): Expression;
  /** What tokens of a macro say before one of them, `undefined` where a name starts anew. */
  named(name: string, at: number): Expression;
}

const MOST_BRANCHES = 6;

export function createRustExpressions(grammar: Grammar): (tree: FlatTree, scope: RustScope) => RustExpressions {
  const symbol = expressionSymbols(grammar);
  const field = expressionFields(grammar);
  return (tree, scope) => {
    const c: Rust = createReadContext({ tree, symbol, field, scope }, VALUES, TYPES);
    return {
      forget: c.forget,
      value: c.value,
      type: c.type,
      pathBefore: (node) => pathBefore(c, node),
      parameters: (list) => parametersOf(c, list),
      generics: (node) => genericsOf(c, node),
      closureParameter: (closure, n) => closureParameter(c, closure, n),
      named: (name, at) => named(c, name, at),
    };
  };
}

const VALUES: Readers<Rust, Rust['symbol']> = {
  identifier: (c, node) => named(c, c.tree.textOf(node), c.tree.start(node)),
  self: thisObject,
  scoped: path,
  scopedType: path,
  fieldAccess: member('value', 'field'),
  call,
  generic: through('function'),
  struct: made,
  try: (c, node, depth) => ({ is: 'entered', of: inner(c, node, depth) }),
  await: (c, node, depth) => ({ is: 'await', of: inner(c, node, depth) }),
  reference: through('value'),
  parenthesized: inner,
  asyncBlock: inner,
  unsafeBlock: inner,
  unary: (c, node, depth) => (c.tree.text[c.tree.start(node)] === '*' ? inner(c, node, depth) : UNKNOWN),
  index: (c, node, depth) => ({ is: 'element', of: inner(c, node, depth) }),
  cast,
  block: (c, node, depth) => c.read(tailOf(c, node), depth - 1),
  if: (c, node, depth) =>
    branches(c, [c.tree.child(node, c.field.consequence), c.tree.child(node, c.field.alternative)], depth),
  else: inner,
  match: (c, node, depth) => branches(c, armsOf(c, c.tree.child(node, c.field.body)), depth),
  closure: lambda,
  tuple: (c, node, depth) => ({ is: 'tuple', of: listed(c, node, depth) }),
  array: (c, node, depth) => ({ is: 'tuple', of: listed(c, node, depth) }),
  macro: expanded,
  string: literal('str'),
  rawString: literal('str'),
  integer: literal('i32'),
  float: literal('f64'),
  boolean: literal('bool'),
  char: literal('char'),
};

const TYPES: Readers<Rust, Rust['symbol']> = {
  typeName: namedType,
  primitive: namedType,
  identifier: namedType,
  scopedType: path,
  scoped: path,
  genericType: appliedType,
  genericTurbofish: appliedType,
  referenceType: typeThrough('type'),
  pointer: typeThrough('type'),
  dynamic: typeThrough('trait'),
  abstract: typeThrough('trait'),
  higherRanked: typeThrough('type'),
  bounded: allOf,
  tupleType: (c, node, depth) => ({
    is: 'tuple',
    of: namedIn(c.tree, node).map((part) => c.readType(part, depth - 1)),
  }),
  unit: () => ({ is: 'tuple', of: [] }),
  arrayType: (c, node, depth) => listOf(c.tree, c.readType(c.tree.child(node, c.field.element), depth - 1), node),
  functionType: (c, node) => {
    const result = c.tree.child(node, c.field.returnType);
    const parameters = parametersOf(c, c.tree.child(node, c.field.parameters));
    return functionOf(parameters, result === -1 ? undefined : c.type(result));
  },
};

function namedType(c: Rust, node: number): Expression {
  const type = plainName(c, node);
  return type.is === 'name' && type.name === 'Self' ? (c.scope.self() ?? UNKNOWN) : type;
}

function appliedType(c: Rust, node: number, depth: number): Expression {
  const of = c.readType(c.tree.child(node, c.field.type), depth - 1);
  const types = typesOf(c, c.tree.child(node, c.field.typeArguments));
  return types.length === 0 ? of : { is: 'apply', of, types };
}

function branches(c: Rust, nodes: readonly number[], depth: number): Expression {
  const values = nodes.slice(0, MOST_BRANCHES).map((node) => c.read(node, depth - 1));
  return known('either', values);
}

function isComment({ tree, symbol }: Rust, node: number): boolean {
  return tree.symbol(node) === symbol.lineComment || tree.symbol(node) === symbol.blockComment;
}

function listed(c: Rust, list: number, depth: number): Expression[] {
  const isPart = (node: number): boolean => c.tree.symbol(node) !== c.symbol.attribute && !isComment(c, node);
  return namedIn(c.tree, list)
    .filter(isPart)
    .map((node) => c.read(node, depth - 1));
}

function named(c: Rust, name: string, at: number): Expression {
  if (name === 'Self') return headOfSelf(c) ?? UNKNOWN;
  return name === 'self' ? { is: 'this', at } : { is: 'name', name, at };
}

function headOfSelf(c: Rust): Expression | undefined {
  const self = c.scope.self();
  return self?.is === 'apply' ? self.of : self;
}

/** The names of a path from the left; undefined where it starts with a type in angle brackets. */
function segmentsOf(c: Rust, node: number): number[] | undefined {
  const segments: number[] = [];
  let at = node;
  while (at !== -1) {
    const kind = c.tree.symbol(at);
    if (kind === c.symbol.scoped || kind === c.symbol.scopedType) {
      segments.unshift(c.tree.child(at, c.field.name));
      at = c.tree.child(at, c.field.path);
    } else if (kind === c.symbol.genericType || kind === c.symbol.genericTurbofish) at = c.tree.child(at, c.field.type);
    else if (kind === c.symbol.bracketed) return undefined;
    else {
      segments.unshift(at);
      at = -1;
    }
  }
  return segments.includes(-1) ? undefined : segments;
}

function path(c: Rust, node: number, depth: number): Expression {
  const segments = segmentsOf(c, node);
  if (segments === undefined) {
    const of = pathBefore(c, node);
    return of === undefined ? UNKNOWN : { is: 'member', of, name: c.tree.textOf(c.tree.child(node, c.field.name)) };
  }
  return fromSegments(c, segments, depth);
}

function fromSegments(c: Rust, segments: readonly number[], depth: number): Expression {
  const first = segments[0];
  if (first === undefined) return UNKNOWN;
  const root = c.tree.textOf(first);
  let used = 1;
  let of: Expression;
  if (root === 'Self') of = headOfSelf(c) ?? UNKNOWN;
  else if (segments.length > 1 && startsModule(c, root)) {
    while (used < segments.length - 1 && isModuleName(c.tree.textOf(segments[used] as number))) used++;
    const names = segments.slice(0, used).map((segment) => c.tree.textOf(segment));
    of = { is: 'name', name: c.scope.module(names, c.tree.start(first)), at: c.tree.start(first) };
  } else of = { is: 'name', name: root, at: c.tree.start(first) };
  for (const segment of segments.slice(used, used + depth)) of = { is: 'member', of, name: c.tree.textOf(segment) };
  return of;
}

function startsModule(c: Rust, root: string): boolean {
  if (root === 'crate' || root === 'super' || root === 'self') return true;
  return isModuleName(root) && !c.scope.isKnown(root);
}

function pathBefore(c: Rust, node: number): Expression | undefined {
  const kind = c.tree.symbol(node);
  if (kind !== c.symbol.scoped && kind !== c.symbol.scopedType) return undefined;
  const before = c.tree.child(node, c.field.path);
  if (before === -1) return undefined;
  if (c.tree.symbol(before) === c.symbol.bracketed) {
    const bracketed = c.tree.firstNamed(before);
    const of = c.type(
      c.tree.symbol(bracketed) === c.symbol.qualified ? c.tree.child(bracketed, c.field.type) : bracketed,
    );
    return of.is === 'apply' ? of.of : of;
  }
  const segments = segmentsOf(c, node);
  if (segments === undefined) return UNKNOWN;
  const whole = fromSegments(c, segments, MAX_DEPTH);
  return whole.is === 'member' ? whole.of : UNKNOWN;
}

function call(c: Rust, node: number, depth: number): Expression {
  const callee = c.tree.child(node, c.field.function);
  const of = c.read(callee, depth - 1);
  const args = listed(c, c.tree.child(node, c.field.arguments), depth);
  const types =
    c.tree.symbol(callee) === c.symbol.generic ? typesOf(c, c.tree.child(callee, c.field.typeArguments)) : undefined;
  return types === undefined ? called(of, args) : { is: 'call', of, args, types };
}

/** `T::default()` makes a `T`, also where the trait is derived. */
export function called(of: Expression, args: readonly Expression[]): Expression {
  const isMade = of.is === 'member' && of.name === 'default' && args.length === 0;
  if (!isMade || (of.of.is !== 'name' && of.of.is !== 'member') || of.of.name === 'Default')
    return { is: 'call', of, args };
  return { is: 'new', of: of.of, args };
}

function made(c: Rust, literalNode: number, depth: number): Expression {
  const node = c.tree.child(literalNode, c.field.name);
  if (node === -1) return UNKNOWN;
  if (c.tree.symbol(node) === c.symbol.typeName && c.tree.textOf(node) === 'Self') {
    const self = c.scope.self();
    return self === undefined ? UNKNOWN : { is: 'as', type: self };
  }
  const types =
    c.tree.symbol(node) === c.symbol.genericTurbofish ? typesOf(c, c.tree.child(node, c.field.typeArguments)) : [];
  const segments = segmentsOf(c, node);
  if (segments === undefined) return UNKNOWN;
  const of = fromSegments(c, segments, depth);
  return types.length === 0 ? { is: 'new', of, args: [] } : { is: 'new', of, args: [], types };
}

/** The expression at the end of a block, which is its value. */
function tailOf(c: Rust, block: number): number {
  return namedIn(c.tree, block).findLast((node) => !isComment(c, node)) ?? -1;
}

function armsOf(c: Rust, body: number): number[] {
  const arms: number[] = [];
  for (const arm of namedIn(c.tree, body)) {
    if (c.tree.symbol(arm) === c.symbol.arm) arms.push(c.tree.child(arm, c.field.value));
  }
  return arms;
}

function lambda(c: Rust, node: number, depth: number): Expression {
  const parameters = closureParameters(c, c.tree.child(node, c.field.parameters));
  const result = c.tree.child(node, c.field.returnType);
  if (result !== -1) return { is: 'function', parameters, type: c.type(result) };
  return { is: 'function', parameters, values: [c.read(c.tree.child(node, c.field.body), depth - 1)] };
}

function closureParameters(c: Rust, list: number): Parameter[] {
  const parameters: Parameter[] = [];
  for (const node of namedIn(c.tree, list)) {
    const kind = c.tree.symbol(node);
    if (kind === c.symbol.parameter) {
      parameters.push({
        name: nameOf(c, c.tree.child(node, c.field.pattern)),
        type: c.type(c.tree.child(node, c.field.type)),
      });
    } else parameters.push({ name: nameOf(c, node) });
  }
  return parameters;
}

function closureParameter(c: Rust, closure: number, n: number): Expression {
  const list = c.tree.parent(closure);
  if (c.tree.symbol(list) !== c.symbol.arguments) return UNKNOWN;
  const callNode = c.tree.parent(list);
  if (c.tree.symbol(callNode) !== c.symbol.call) return UNKNOWN;
  let index = 0;
  for (let arg = c.tree.firstNamed(list); arg !== -1 && arg !== closure; arg = c.tree.nextNamed(arg)) index++;
  return { is: 'parameter', of: { is: 'expected', call: c.value(callNode), n: index }, n };
}

/** What the macros of the standard library make. */
function expanded(c: Rust, node: number): Expression {
  const name = c.tree.textOf(c.tree.child(node, c.field.macro));
  const at = c.tree.start(node);
  if (name === 'format') return { is: 'as', type: { is: 'name', name: 'String', at } };
  if (name !== 'vec') return UNKNOWN;
  return { is: 'as', type: { is: 'apply', of: { is: 'name', name: 'Vec', at }, types: [UNKNOWN] } };
}

/** Lifetimes say nothing; `Item = T` stands for the first type of an iterator. */
function typesOf(c: Rust, list: number): Expression[] {
  const types: Expression[] = [];
  for (const node of namedIn(c.tree, list)) {
    const kind = c.tree.symbol(node);
    if (kind === c.symbol.lifetime) continue;
    types.push(c.type(kind === c.symbol.typeBinding ? c.tree.child(node, c.field.type) : node));
  }
  return types;
}

function isModuleName(name: string): boolean {
  const first = name.charCodeAt(0);
  return (first >= 97 && first <= 122) || first === 95;
}
