import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';

export type RubySymbols = Readonly<Record<(typeof TYPES)[number], number>>;
export type RubyFields = Readonly<Record<(typeof FIELDS)[number], number>>;

const TYPES = [
  'identifier',
  'constant',
  'self',
  'super',
  'instance_variable',
  'class_variable',
  'scope_resolution',
  'call',
  'element_reference',
  'parenthesized_statements',
  'conditional',
  'string',
  'string_content',
  'simple_symbol',
  'class',
  'module',
  'singleton_class',
  'method',
  'singleton_method',
  'superclass',
  'assignment',
  'operator_assignment',
  'left_assignment_list',
  'rest_assignment',
  'destructured_left_assignment',
  'method_parameters',
  'block_parameters',
  'lambda_parameters',
  'optional_parameter',
  'keyword_parameter',
  'splat_parameter',
  'hash_splat_parameter',
  'block_parameter',
  'destructured_parameter',
  'exception_variable',
  'for',
  'alias',
  'undef',
  'block',
  'do_block',
  'lambda',
  'argument_list',
  'splat_argument',
  'block_argument',
  'hash_splat_argument',
  'comment',
  'array_pattern',
  'find_pattern',
  'hash_pattern',
  'keyword_pattern',
  'alternative_pattern',
  'as_pattern',
  'in_clause',
] as const;

const FIELDS = [
  'name',
  'scope',
  'receiver',
  'method',
  'arguments',
  'block',
  'body',
  'superclass',
  'object',
  'parameters',
  'left',
  'right',
  'value',
  'pattern',
  'consequence',
  'alternative',
  'condition',
] as const;

export function rubySymbols(grammar: Grammar): RubySymbols {
  return Object.fromEntries(TYPES.map((type) => [type, grammar.symbol(type)])) as RubySymbols;
}

/** A word directly in one of these names a variable. */
export function namingSymbols(S: RubySymbols): ReadonlySet<number> {
  return new Set([
    S.method_parameters,
    S.block_parameters,
    S.lambda_parameters,
    S.splat_parameter,
    S.destructured_parameter,
    S.left_assignment_list,
    S.rest_assignment,
    S.destructured_left_assignment,
    S.exception_variable,
    S.for,
    S.array_pattern,
    S.find_pattern,
    S.hash_pattern,
    S.keyword_pattern,
    S.alternative_pattern,
    S.as_pattern,
    S.in_clause,
  ]);
}

export function rubyFields(grammar: Grammar): RubyFields {
  return Object.fromEntries(FIELDS.map((name) => [name, grammar.field(name)])) as RubyFields;
}

export interface RubyReader {
  value(node: number, depth?: number): Expression;
  /** `Foo::Bar`, in either space. Undefined for anything but constants. */
  constant(node: number): Expression | undefined;
  /** `Foo` of `Foo::Bar`. */
  scopeOf(node: number): Expression | undefined;
  lastOf(node: number): number;
  parameters(list: number): Parameter[];
  /** Of arguments; undefined with a spread one among them. */
  count(list: number): number | undefined;
  /** The texts of symbols and plain strings in a list of arguments, with where they stand. */
  names(list: number): { readonly text: string; readonly at: number; readonly node: number }[];
}

export function createRubyReader(tree: FlatTree, S: RubySymbols, F: RubyFields): RubyReader {
  function lastOf(node: number): number {
    if (tree.symbol(node) !== S.scope_resolution) return node;
    const name = tree.child(node, F.name);
    return name === -1 ? node : name;
  }

  function scopeOf(node: number): Expression | undefined {
    const scope = tree.symbol(node) === S.scope_resolution ? tree.child(node, F.scope) : -1;
    return scope === -1 ? undefined : constant(scope);
  }

  function constant(node: number, depth = 0): Expression | undefined {
    if (node === -1 || depth > MAX_DEPTH) return undefined;
    const symbol = tree.symbol(node);
    if (symbol === S.constant) return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
    if (symbol !== S.scope_resolution) return undefined;
    const name = tree.child(node, F.name);
    if (name === -1) return undefined;
    const scope = tree.child(node, F.scope);
    if (scope === -1) return { is: 'name', name: tree.textOf(name), at: tree.start(name) };
    const of = constant(scope, depth + 1);
    return of && { is: 'member', of, name: tree.textOf(name) };
  }

  function value(node: number, depth = 0): Expression {
    if (node === -1 || depth > MAX_DEPTH) return UNKNOWN;
    const symbol = tree.symbol(node);
    if (symbol === S.identifier) return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
    if (symbol === S.constant || symbol === S.scope_resolution) return constant(node) ?? UNKNOWN;
    if (symbol === S.self) return { is: 'this', at: tree.start(node) };
    if (symbol === S.instance_variable || symbol === S.class_variable)
      return { is: 'member', of: { is: 'this', at: tree.start(node) }, name: tree.textOf(node) };
    if (symbol === S.call) {
      const receiver = tree.child(node, F.receiver);
      const method = tree.child(node, F.method);
      if (method === -1) return UNKNOWN;
      const name = tree.textOf(method);
      const made = name === 'new' ? constant(receiver) : undefined;
      if (made) return { is: 'new', of: made, args: [] };
      const of: Expression =
        receiver === -1
          ? { is: 'name', name, at: tree.start(method) }
          : { is: 'member', of: value(receiver, depth + 1), name };
      return { is: 'call', of, args: [] };
    }
    if (symbol === S.element_reference) return { is: 'element', of: value(tree.child(node, F.object), depth + 1) };
    if (symbol === S.parenthesized_statements) return value(tree.firstNamed(node), depth + 1);
    if (symbol === S.conditional)
      return {
        is: 'either',
        of: [value(tree.child(node, F.consequence), depth + 1), value(tree.child(node, F.alternative), depth + 1)],
      };
    if (symbol === S.string) return { is: 'literal', type: 'String' };
    return UNKNOWN;
  }

  function parameters(list: number): Parameter[] {
    const found: Parameter[] = [];
    if (list === -1) return found;
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      const symbol = tree.symbol(node);
      if (symbol === S.comment) continue;
      const nameNode = symbol === S.identifier ? node : tree.child(node, F.name);
      const name = nameNode === -1 ? '' : tree.textOf(nameNode);
      const isRest = symbol === S.splat_parameter || symbol === S.hash_splat_parameter;
      const isOptional =
        symbol === S.optional_parameter || symbol === S.keyword_parameter || symbol === S.block_parameter;
      if (isRest) found.push({ name, rest: true });
      else if (isOptional) found.push({ name, optional: true });
      else found.push({ name });
    }
    return found;
  }

  function names(list: number): { text: string; at: number; node: number }[] {
    const found: { text: string; at: number; node: number }[] = [];
    if (list === -1) return found;
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      const symbol = tree.symbol(node);
      if (symbol === S.simple_symbol) found.push({ text: tree.textOf(node).slice(1), at: tree.start(node) + 1, node });
      const content = symbol === S.string ? tree.firstNamed(node) : -1;
      const isPlain = content !== -1 && tree.symbol(content) === S.string_content && tree.nextNamed(content) === -1;
      if (isPlain) found.push({ text: tree.textOf(content), at: tree.start(content), node });
    }
    return found;
  }

  function count(list: number): number | undefined {
    let found = 0;
    for (let at = list === -1 ? -1 : tree.firstNamed(list); at !== -1; at = tree.nextNamed(at)) {
      const symbol = tree.symbol(at);
      if (symbol === S.splat_argument || symbol === S.hash_splat_argument) return undefined;
      if (symbol !== S.comment && symbol !== S.block_argument) found++;
    }
    return found;
  }

  return { count, value, constant: (node) => constant(node), scopeOf, lastOf, parameters, names };
}
