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

export function createCReader(tree: FlatTree, S: CSymbols, F: CFields): CReader {
  function declared(declarator: number): Declared | undefined {
    let list = -1;
    let throughPointer = false;
    let node = declarator;
    for (let depth = 0; node !== -1 && depth < 40; depth++) {
      const symbol = tree.symbol(node);
      if (symbol === S.function_declarator) {
        list = tree.child(node, F.parameters);
        throughPointer = false;
        node = tree.child(node, F.declarator);
      } else if (symbol === S.pointer_declarator || symbol === S.reference_declarator) {
        throughPointer = true;
        const inner = tree.child(node, F.declarator);
        node = inner === -1 ? lastNamed(node) : inner;
      } else if (symbol === S.parenthesized_declarator || symbol === S.attributed_declarator)
        node = tree.firstNamed(node);
      else if (symbol === S.array_declarator || symbol === S.init_declarator) node = tree.child(node, F.declarator);
      else break;
    }
    if (node === -1) return undefined;
    // `int (*f)(int)`: the parameters are those of what it points to.
    if (throughPointer) list = -1;
    const scope: number[] = [];
    while (tree.symbol(node) === S.qualified_identifier) {
      const outer = tree.child(node, F.scope);
      if (outer !== -1) scope.push(nameIn(outer));
      const inner = tree.child(node, F.name);
      if (inner === -1) return undefined;
      node = inner;
    }
    return isName(node) && !tree.isMissing(nameIn(node)) ? { name: nameIn(node), scope, parameters: list } : undefined;
  }

  function isName(node: number): boolean {
    const symbol = tree.symbol(node);
    return (
      symbol === S.identifier ||
      symbol === S.field_identifier ||
      symbol === S.type_identifier ||
      symbol === S.primitive_type ||
      symbol === S.destructor_name ||
      symbol === S.operator_name ||
      symbol === S.operator_cast ||
      symbol === S.template_function ||
      symbol === S.template_type
    );
  }

  function nameOf(node: number): number {
    const name = tree.child(node, F.name);
    return name === -1 || tree.isMissing(lastOf(name)) ? -1 : name;
  }

  function lastNamed(node: number): number {
    let last = -1;
    for (let at = tree.firstNamed(node); at !== -1; at = tree.nextNamed(at)) last = at;
    return last;
  }

  /** Without template arguments. */
  function nameIn(node: number): number {
    const symbol = tree.symbol(node);
    if (symbol === S.template_function || symbol === S.template_type || symbol === S.template_method) {
      const name = tree.child(node, F.name);
      return name === -1 ? node : name;
    }
    return node;
  }

  function lastOf(node: number): number {
    let at = node;
    while (tree.symbol(at) === S.qualified_identifier || tree.symbol(at) === S.dependent_name) {
      const inner = tree.symbol(at) === S.dependent_name ? tree.firstNamed(at) : tree.child(at, F.name);
      if (inner === -1) break;
      at = inner;
    }
    return nameIn(at);
  }

  function scopeOf(node: number): Expression | undefined {
    let found: Expression | undefined;
    let at = node;
    while (tree.symbol(at) === S.qualified_identifier) {
      const outer = tree.child(at, F.scope);
      if (outer !== -1) found = qualify(found, nameIn(outer));
      const inner = tree.child(at, F.name);
      if (inner === -1) break;
      at = inner;
    }
    return found;
  }

  function qualify(of: Expression | undefined, node: number): Expression {
    const name = tree.textOf(node);
    return of === undefined ? { is: 'name', name, at: tree.start(node) } : { is: 'member', of, name };
  }

  function type(node: number, depth = 0): Expression | undefined {
    if (node === -1 || depth > MAX_DEPTH) return undefined;
    const symbol = tree.symbol(node);
    if (symbol === S.type_identifier || symbol === S.identifier || symbol === S.namespace_identifier)
      return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
    if (symbol === S.qualified_identifier) {
      const inner = tree.child(node, F.name);
      const last = lastOf(node);
      const plain = qualify(scopeOf(node), last);
      return inner === -1 ? plain : applied(plain, tree.parent(last), depth);
    }
    if (symbol === S.template_type) {
      const name = tree.child(node, F.name);
      const of = type(name, depth + 1);
      return of && applied(of, node, depth);
    }
    if (symbol === S.type_descriptor) return type(tree.child(node, F.type), depth + 1);
    if (symbol === S.dependent_name) return type(tree.firstNamed(node), depth + 1);
    if (
      symbol === S.struct_specifier ||
      symbol === S.union_specifier ||
      symbol === S.class_specifier ||
      symbol === S.enum_specifier
    )
      return type(tree.child(node, F.name), depth + 1);
    return undefined;
  }

  function applied(of: Expression, node: number, depth: number): Expression {
    if (tree.symbol(node) !== S.template_type) return of;
    const types: Expression[] = [];
    const list = tree.childOf(node, S.template_argument_list);
    if (list === -1) return of;
    for (let at = tree.firstNamed(list); at !== -1; at = tree.nextNamed(at)) types.push(type(at, depth + 1) ?? UNKNOWN);
    return { is: 'apply', of, types };
  }

  function value(node: number, depth = 0): Expression {
    if (node === -1 || depth > MAX_DEPTH) return UNKNOWN;
    const symbol = tree.symbol(node);
    if (symbol === S.identifier) return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
    if (symbol === S.this) return { is: 'this', at: tree.start(node) };
    if (symbol === S.qualified_identifier) return qualify(scopeOf(node), lastOf(node));
    if (symbol === S.template_function) return value(tree.child(node, F.name), depth + 1);
    if (symbol === S.field_expression) {
      const field = tree.child(node, F.field);
      if (field === -1) return UNKNOWN;
      const of = value(tree.child(node, F.argument), depth + 1);
      return { is: 'member', of, name: tree.textOf(lastOf(field)) };
    }
    if (symbol === S.call_expression)
      return { is: 'call', of: value(tree.child(node, F.function), depth + 1), args: [] };
    if (symbol === S.new_expression) {
      const of = type(tree.child(node, F.type));
      return of ? { is: 'new', of, args: [] } : UNKNOWN;
    }
    if (symbol === S.subscript_expression) return { is: 'element', of: value(tree.child(node, F.argument), depth + 1) };
    if (symbol === S.pointer_expression) return value(tree.child(node, F.argument), depth + 1);
    if (symbol === S.parenthesized_expression) return value(tree.firstNamed(node), depth + 1);
    if (symbol === S.cast_expression || symbol === S.compound_literal_expression) {
      const cast = type(tree.child(node, F.type));
      return cast ? { is: 'as', type: cast } : UNKNOWN;
    }
    if (symbol === S.conditional_expression)
      return {
        is: 'either',
        of: [value(tree.child(node, F.consequence), depth + 1), value(tree.child(node, F.alternative), depth + 1)],
      };
    return UNKNOWN;
  }

  function parameters(list: number): Parameter[] {
    const found: Parameter[] = [];
    if (list === -1) return found;
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      const symbol = tree.symbol(node);
      if (symbol === S.identifier) {
        found.push({ name: tree.textOf(node) });
        continue;
      }
      const optional = symbol === S.optional_parameter_declaration;
      const rest = symbol === S.variadic_parameter_declaration;
      if (symbol !== S.parameter_declaration && !optional && !rest) continue;
      const declarator = tree.child(node, F.declarator);
      const name = declarator === -1 ? undefined : declared(declarator)?.name;
      const declaredType = type(tree.child(node, F.type));
      // `f(void)` has none.
      if (declarator === -1 && declaredType === undefined && tree.textOf(node) === 'void') continue;
      found.push({
        name: name === undefined ? '' : tree.textOf(name),
        ...(declaredType !== undefined && { type: declaredType }),
        ...(optional && { optional }),
        ...(rest && { rest }),
      });
    }
    return found;
  }

  function generics(declaration: number): Generic[] {
    const found: Generic[] = [];
    const list = tree.child(declaration, F.parameters);
    if (list === -1) return found;
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      const symbol = tree.symbol(node);
      if (symbol !== S.type_parameter_declaration && symbol !== S.optional_type_parameter_declaration) continue;
      const name = tree.childOf(node, S.type_identifier);
      if (name !== -1) found.push({ name: tree.textOf(name) });
    }
    return found;
  }

  return {
    declared,
    nameOf,
    type: (node) => type(node),
    typeOf: (declaration) => type(tree.child(declaration, F.type)),
    value,
    parameters,
    generics,
    lastOf,
    scopeOf,
  };
}
