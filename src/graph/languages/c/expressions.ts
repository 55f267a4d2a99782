import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { CFields, CSymbols } from './grammar.ts';

/** The name that a declarator declares, and what stands around it. */
export interface Declared {
  /** The node of the name without what qualifies it. */
  readonly name: number;
  /** `A::B` of `A::B::f`, from the outside in. */
  readonly scope: readonly number[];
  /** The node that has the parameters, when it is a function and not a pointer to one. */
  readonly parameters: number;
}

export interface CReader {
  declared(declarator: number): Declared | undefined;
  /** Undefined where it says nothing: a built-in type, `auto`. */
  type(node: number): Expression | undefined;
  /** The declared type of a declaration, a parameter or a function. */
  typeOf(declaration: number): Expression | undefined;
  value(node: number, depth?: number): Expression;
  parameters(list: number): Parameter[];
  generics(declaration: number): Generic[];
  /** The name of a node, -1 when the text lacks it. */
  nameOf(node: number): number;
  /** The last part of a name: of `a::b<int>` the `b`. */
  lastOf(node: number): number;
  /** What qualifies a name, as an expression. */
  scopeOf(node: number): Expression | undefined;
}

/** A tree, with the numbers of its kinds of nodes and of its fields. */
interface CNodes {
  readonly tree: FlatTree;
  readonly S: CSymbols;
  readonly F: CFields;
}

export function createCReader(tree: FlatTree, S: CSymbols, F: CFields): CReader {
  const c: CNodes = { tree, S, F };
  return {
    declared: (declarator) => declared(c, declarator),
    nameOf: (node) => nameOf(c, node),
    type: (node) => type(c, node),
    typeOf: (declaration) => type(c, tree.child(declaration, F.type)),
    value: (node, depth) => value(c, node, depth),
    parameters: (list) => parameters(c, list),
    generics: (declaration) => generics(c, declaration),
    lastOf: (node) => lastOf(c, node),
    scopeOf: (node) => scopeOf(c, node),
  };
}

function declared(c: CNodes, declarator: number): Declared | undefined {
  let list = -1;
  let throughPointer = false;
  let node = declarator;
  for (let depth = 0; node !== -1 && depth < 40; depth++) {
    const symbol = c.tree.symbol(node);
    if (symbol === c.S.function_declarator) {
      list = c.tree.child(node, c.F.parameters);
      throughPointer = false;
      node = c.tree.child(node, c.F.declarator);
    } else if (symbol === c.S.pointer_declarator || symbol === c.S.reference_declarator) {
      throughPointer = true;
      const inner = c.tree.child(node, c.F.declarator);
      node = inner === -1 ? lastNamed(c, node) : inner;
    } else if (symbol === c.S.parenthesized_declarator || symbol === c.S.attributed_declarator)
      node = c.tree.firstNamed(node);
    else if (symbol === c.S.array_declarator || symbol === c.S.init_declarator)
      node = c.tree.child(node, c.F.declarator);
    else break;
  }
  if (node === -1) return undefined;
  // `int (*f)(int)`: the parameters are those of what it points to.
  if (throughPointer) list = -1;
  const scope: number[] = [];
  while (c.tree.symbol(node) === c.S.qualified_identifier) {
    const outer = c.tree.child(node, c.F.scope);
    if (outer !== -1) scope.push(nameIn(c, outer));
    const inner = c.tree.child(node, c.F.name);
    if (inner === -1) return undefined;
    node = inner;
  }
  return isName(c, node) && !c.tree.isMissing(nameIn(c, node))
    ? { name: nameIn(c, node), scope, parameters: list }
    : undefined;
}

function isName(c: CNodes, node: number): boolean {
  const symbol = c.tree.symbol(node);
  return (
    symbol === c.S.identifier ||
    symbol === c.S.field_identifier ||
    symbol === c.S.type_identifier ||
    symbol === c.S.primitive_type ||
    symbol === c.S.destructor_name ||
    symbol === c.S.operator_name ||
    symbol === c.S.operator_cast ||
    symbol === c.S.template_function ||
    symbol === c.S.template_type
  );
}

function nameOf(c: CNodes, node: number): number {
  const name = c.tree.child(node, c.F.name);
  return name === -1 || c.tree.isMissing(lastOf(c, name)) ? -1 : name;
}

function lastNamed(c: CNodes, node: number): number {
  let last = -1;
  for (let at = c.tree.firstNamed(node); at !== -1; at = c.tree.nextNamed(at)) last = at;
  return last;
}

/** Without template arguments. */
function nameIn(c: CNodes, node: number): number {
  const symbol = c.tree.symbol(node);
  if (symbol === c.S.template_function || symbol === c.S.template_type || symbol === c.S.template_method) {
    const name = c.tree.child(node, c.F.name);
    return name === -1 ? node : name;
  }
  return node;
}

function lastOf(c: CNodes, node: number): number {
  let at = node;
  while (c.tree.symbol(at) === c.S.qualified_identifier || c.tree.symbol(at) === c.S.dependent_name) {
    const inner = c.tree.symbol(at) === c.S.dependent_name ? c.tree.firstNamed(at) : c.tree.child(at, c.F.name);
    if (inner === -1) break;
    at = inner;
  }
  return nameIn(c, at);
}

function scopeOf(c: CNodes, node: number): Expression | undefined {
  let found: Expression | undefined;
  let at = node;
  while (c.tree.symbol(at) === c.S.qualified_identifier) {
    const outer = c.tree.child(at, c.F.scope);
    if (outer !== -1) found = qualify(c, found, nameIn(c, outer));
    const inner = c.tree.child(at, c.F.name);
    if (inner === -1) break;
    at = inner;
  }
  return found;
}

function qualify(c: CNodes, of: Expression | undefined, node: number): Expression {
  const name = c.tree.textOf(node);
  return of === undefined ? { is: 'name', name, at: c.tree.start(node) } : { is: 'member', of, name };
}

function type(c: CNodes, node: number, depth = 0): Expression | undefined {
  if (node === -1 || depth > MAX_DEPTH) return undefined;
  const symbol = c.tree.symbol(node);
  if (symbol === c.S.type_identifier || symbol === c.S.identifier || symbol === c.S.namespace_identifier)
    return { is: 'name', name: c.tree.textOf(node), at: c.tree.start(node) };
  if (symbol === c.S.qualified_identifier) {
    const inner = c.tree.child(node, c.F.name);
    const last = lastOf(c, node);
    const plain = qualify(c, scopeOf(c, node), last);
    return inner === -1 ? plain : applied(c, plain, c.tree.parent(last), depth);
  }
  if (symbol === c.S.template_type) {
    const name = c.tree.child(node, c.F.name);
    const of = type(c, name, depth + 1);
    return of && applied(c, of, node, depth);
  }
  if (symbol === c.S.type_descriptor) return type(c, c.tree.child(node, c.F.type), depth + 1);
  if (symbol === c.S.dependent_name) return type(c, c.tree.firstNamed(node), depth + 1);
  if (
    symbol === c.S.struct_specifier ||
    symbol === c.S.union_specifier ||
    symbol === c.S.class_specifier ||
    symbol === c.S.enum_specifier
  )
    return type(c, c.tree.child(node, c.F.name), depth + 1);
  return undefined;
}

function applied(c: CNodes, of: Expression, node: number, depth: number): Expression {
  if (c.tree.symbol(node) !== c.S.template_type) return of;
  const types: Expression[] = [];
  const list = c.tree.childOf(node, c.S.template_argument_list);
  if (list === -1) return of;
  for (let at = c.tree.firstNamed(list); at !== -1; at = c.tree.nextNamed(at))
    types.push(type(c, at, depth + 1) ?? UNKNOWN);
  return { is: 'apply', of, types };
}

function value(c: CNodes, node: number, depth = 0): Expression {
  if (node === -1 || depth > MAX_DEPTH) return UNKNOWN;
  const symbol = c.tree.symbol(node);
  if (symbol === c.S.identifier) return { is: 'name', name: c.tree.textOf(node), at: c.tree.start(node) };
  if (symbol === c.S.this) return { is: 'this', at: c.tree.start(node) };
  if (symbol === c.S.qualified_identifier) return qualify(c, scopeOf(c, node), lastOf(c, node));
  if (symbol === c.S.template_function) return value(c, c.tree.child(node, c.F.name), depth + 1);
  if (symbol === c.S.field_expression) {
    const field = c.tree.child(node, c.F.field);
    if (field === -1) return UNKNOWN;
    const of = value(c, c.tree.child(node, c.F.argument), depth + 1);
    return { is: 'member', of, name: c.tree.textOf(lastOf(c, field)) };
  }
  if (symbol === c.S.call_expression)
    return { is: 'call', of: value(c, c.tree.child(node, c.F.function), depth + 1), args: [] };
  if (symbol === c.S.new_expression) {
    const of = type(c, c.tree.child(node, c.F.type));
    return of ? { is: 'new', of, args: [] } : UNKNOWN;
  }
  if (symbol === c.S.subscript_expression)
    return { is: 'element', of: value(c, c.tree.child(node, c.F.argument), depth + 1) };
  if (symbol === c.S.pointer_expression) return value(c, c.tree.child(node, c.F.argument), depth + 1);
  if (symbol === c.S.parenthesized_expression) return value(c, c.tree.firstNamed(node), depth + 1);
  if (symbol === c.S.cast_expression || symbol === c.S.compound_literal_expression) {
    const cast = type(c, c.tree.child(node, c.F.type));
    return cast ? { is: 'as', type: cast } : UNKNOWN;
  }
  if (symbol === c.S.conditional_expression)
    return {
      is: 'either',
      of: [
        value(c, c.tree.child(node, c.F.consequence), depth + 1),
        value(c, c.tree.child(node, c.F.alternative), depth + 1),
      ],
    };
  return UNKNOWN;
}

function parameters(c: CNodes, list: number): Parameter[] {
  const found: Parameter[] = [];
  if (list === -1) return found;
  for (let node = c.tree.firstNamed(list); node !== -1; node = c.tree.nextNamed(node)) {
    const symbol = c.tree.symbol(node);
    if (symbol === c.S.identifier) {
      found.push({ name: c.tree.textOf(node) });
      continue;
    }
    const optional = symbol === c.S.optional_parameter_declaration;
    const rest = symbol === c.S.variadic_parameter_declaration;
    if (symbol !== c.S.parameter_declaration && !optional && !rest) continue;
    const declarator = c.tree.child(node, c.F.declarator);
    const name = declarator === -1 ? undefined : declared(c, declarator)?.name;
    const declaredType = type(c, c.tree.child(node, c.F.type));
    // `f(void)` has none.
    if (declarator === -1 && declaredType === undefined && c.tree.textOf(node) === 'void') continue;
    found.push({
      name: name === undefined ? '' : c.tree.textOf(name),
      ...(declaredType !== undefined && { type: declaredType }),
      ...(optional && { optional }),
      ...(rest && { rest }),
    });
  }
  return found;
}

function generics(c: CNodes, declaration: number): Generic[] {
  const found: Generic[] = [];
  const list = c.tree.child(declaration, c.F.parameters);
  if (list === -1) return found;
  for (let node = c.tree.firstNamed(list); node !== -1; node = c.tree.nextNamed(node)) {
    const symbol = c.tree.symbol(node);
    if (symbol !== c.S.type_parameter_declaration && symbol !== c.S.optional_type_parameter_declaration) continue;
    const name = c.tree.childOf(node, c.S.type_identifier);
    if (name !== -1) found.push({ name: c.tree.textOf(name) });
  }
  return found;
}
