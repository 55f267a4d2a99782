import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import { keepExpressions, limitNesting } from '../kept-expressions.ts';
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

export function createGoExpressions(grammar: Grammar): (tree: FlatTree, scope: GoScope) => GoExpressions {
  const symbol = expressionSymbols(grammar);
  const field = expressionFields(grammar);
  return (tree, scope) => {
    const make = (node: number, depth: number): Expression => {
      switch (tree.symbol(node)) {
        case symbol.identifier:
          return named(node);
        case symbol.selector:
          return {
            is: 'member',
            of: read(tree.child(node, field.operand), depth - 1),
            name: tree.textOf(tree.child(node, field.field)),
          };
        case symbol.call:
          return call(node, depth);
        case symbol.index:
          return { is: 'element', of: read(tree.child(node, field.operand), depth - 1) };
        case symbol.slice:
          return read(tree.child(node, field.operand), depth - 1);
        case symbol.composite:
          return composite(tree.child(node, field.type));
        case symbol.assertion:
        case symbol.conversion:
          return converted(node, depth);
        case symbol.parenthesized:
          return read(tree.firstNamed(node), depth - 1);
        case symbol.unary: {
          const operator = tree.textOf(tree.child(node, field.operator));
          const operand = tree.child(node, field.operand);
          if (TRANSPARENT.has(operator)) return read(operand, depth - 1);
          if (operator === '<-') return { is: 'part', of: { is: 'each', of: read(operand, depth - 1) }, n: 0 };
          return operator === '!' ? { is: 'literal', type: 'bool' } : UNKNOWN;
        }
        case symbol.binary:
          return arithmetic(node, depth);
        case symbol.function:
          return lambda(node);
        case symbol.string:
        case symbol.rawString:
          return { is: 'literal', type: 'string' };
        case symbol.int:
          return { is: 'literal', type: 'int' };
        case symbol.float:
          return { is: 'literal', type: 'float64' };
        case symbol.true:
        case symbol.false:
          return { is: 'literal', type: 'bool' };
        default:
          return UNKNOWN;
      }
    };
    const { value, read, forget } = keepExpressions(tree, make);
    /** Both sides are of one type, which a literal takes from the other. */
    const arithmetic = (node: number, depth: number): Expression => {
      if (/^(?:[=!<>]=|[<>]|&&|\|\|)$/.test(tree.textOf(tree.child(node, field.operator))))
        return { is: 'literal', type: 'bool' };
      const left = read(tree.child(node, field.left), depth - 1);
      return left.is === 'literal' || left.is === 'unknown' ? read(tree.child(node, field.right), depth - 1) : left;
    };
    const named = (node: number): Expression => {
      const name = tree.textOf(node);
      const at = tree.start(node);
      return scope.isThis(name) ? { is: 'this', at } : { is: 'name', name, at };
    };
    const call = (node: number, depth: number): Expression => {
      const callee = tree.child(node, field.function);
      const list = tree.child(node, field.arguments);
      const builtIn = tree.symbol(callee) === symbol.identifier ? madeBy(tree.textOf(callee), list, depth) : undefined;
      if (builtIn !== undefined) return builtIn;
      if (tree.symbol(callee) === symbol.parenthesized && isPointer(tree.firstNamed(callee))) {
        return { is: 'as', type: read(tree.firstNamed(callee), depth - 1) };
      }
      const generic = calleeOf(callee);
      const of = read(generic.node, depth - 1);
      const args: Expression[] = [];
      if (list !== -1) {
        for (let arg = tree.firstNamed(list); arg !== -1; arg = tree.nextNamed(arg)) args.push(read(arg, depth - 1));
      }
      if (generic.types.length === 0) return { is: 'call', of, args };
      return { is: 'call', of, args, types: generic.types.map(type) };
    };
    /** What the functions of the language return that depend on their first argument. */
    const madeBy = (name: string, list: number, depth: number): Expression | undefined => {
      if (list === -1 || scope.isVariable(name)) return undefined;
      const first = tree.firstNamed(list);
      if (name === 'make' || name === 'new') return first === -1 ? undefined : { is: 'as', type: asType(first) };
      if (name === 'append') return read(first, depth - 1);
      return undefined;
    };
    const composite = (node: number): Expression => {
      const kind = tree.symbol(node);
      if (kind === symbol.typeName || kind === symbol.qualified) return { is: 'new', of: type(node), args: [] };
      if (kind !== symbol.generic) return { is: 'as', type: type(node) };
      const applied = type(node);
      if (applied.is !== 'apply') return UNKNOWN;
      return { is: 'new', of: applied.of, args: [], types: applied.types };
    };
    const converted = (node: number, depth: number): Expression => {
      const target = tree.child(node, field.type);
      // The grammar takes `f[T](x)` for a conversion.
      if (tree.symbol(node) === symbol.conversion && tree.symbol(target) === symbol.generic) {
        const applied = type(target);
        if (applied.is === 'apply') {
          return {
            is: 'call',
            of: applied.of,
            args: [read(tree.child(node, field.operand), depth - 1)],
            types: applied.types,
          };
        }
      }
      return { is: 'as', type: type(target) };
    };
    const lambda = (node: number): Expression => {
      const parameters = parametersOf(tree.child(node, field.parameters));
      const result = resultOf(tree.child(node, field.result));
      return result === undefined ? { is: 'function', parameters } : { is: 'function', parameters, type: result };
    };
    const calleeOf = (node: number): { readonly node: number; readonly types: readonly number[] } => {
      if (tree.symbol(node) !== symbol.index) return { node, types: [] };
      const operand = tree.child(node, field.operand);
      const index = tree.child(node, field.index);
      const root = tree.symbol(operand) === symbol.selector ? tree.child(operand, field.operand) : operand;
      if (tree.symbol(root) !== symbol.identifier || !mayBeType(index)) return { node, types: [] };
      const name = tree.textOf(root);
      return scope.isVariable(name) || scope.isThis(name) ? { node, types: [] } : { node: operand, types: [index] };
    };
    const mayBeType = (node: number): boolean => {
      const kind = tree.symbol(node);
      return kind === symbol.identifier || kind === symbol.selector || isPointer(node) || kind === symbol.index;
    };
    const isPointer = (node: number): boolean =>
      node !== -1 && tree.symbol(node) === symbol.unary && tree.textOf(tree.child(node, field.operator)) === '*';
    /** The same node may be written as a value where a type is meant: `new(flags)`, `f[*Item]()`. */
    const asType = (node: number): Expression => {
      const kind = tree.symbol(node);
      if (kind === symbol.unary) return type(tree.child(node, field.operand));
      if (kind === symbol.parenthesized) return type(tree.firstNamed(node));
      if (kind === symbol.identifier) return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
      if (kind === symbol.selector) return read(node, MAX_DEPTH);
      return type(node);
    };
    const readType = (node: number, depth: number): Expression => {
      if (node === -1 || depth === 0) return UNKNOWN;
      switch (tree.symbol(node)) {
        case symbol.typeName:
          return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
        case symbol.qualified: {
          const module = tree.child(node, field.package);
          const of: Expression = { is: 'name', name: tree.textOf(module), at: tree.start(module) };
          return { is: 'member', of, name: tree.textOf(tree.child(node, field.name)) };
        }
        case symbol.pointer:
        case symbol.parenthesizedType:
        case symbol.typeElement:
        case symbol.constraint:
        case symbol.negated:
          return readType(tree.firstNamed(node), depth - 1);
        case symbol.generic:
          return {
            is: 'apply',
            of: readType(tree.child(node, field.type), depth - 1),
            types: applied(tree.child(node, field.typeArguments), depth - 1),
          };
        case symbol.sliceType:
        case symbol.arrayType:
        case symbol.implicitArray:
          return container('[]', node, [tree.child(node, field.element)], depth);
        case symbol.map:
          return container('map', node, [tree.child(node, field.key), tree.child(node, field.value)], depth);
        case symbol.channel:
          return container('chan', node, [tree.child(node, field.value)], depth);
        case symbol.functionType: {
          const parameters = parametersOf(tree.child(node, field.parameters));
          const result = resultOf(tree.child(node, field.result));
          return result === undefined ? { is: 'function', parameters } : { is: 'function', parameters, type: result };
        }
        case symbol.struct:
          return record(tree.firstNamed(node), depth);
        case symbol.interface:
          return methods(node, depth);
        case symbol.identifier:
        case symbol.selector:
        case symbol.unary:
        case symbol.parenthesized:
          return asType(node);
        default:
          return UNKNOWN;
      }
    };
    const type = limitNesting(readType);
    const container = (name: string, node: number, of: readonly number[], depth: number): Expression => ({
      is: 'apply',
      of: { is: 'name', name, at: tree.start(node) },
      types: of.map((part) => readType(part, depth - 1)),
    });
    const applied = (list: number, depth: number): Expression[] => {
      const types: Expression[] = [];
      if (list === -1) return types;
      for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node))
        types.push(readType(node, depth));
      return types;
    };
    const record = (list: number, depth: number): Expression => {
      const fields: [string, Expression][] = [];
      if (list === -1) return UNKNOWN;
      for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        if (tree.symbol(node) !== symbol.fieldDeclaration) continue;
        const of = readType(tree.child(node, field.type), depth - 1);
        for (let name = tree.firstNamed(node); name !== -1; name = tree.nextNamed(name)) {
          if (tree.field(name) === field.name) fields.push([tree.textOf(name), of]);
        }
      }
      return { is: 'record', fields };
    };
    const methods = (node: number, depth: number): Expression => {
      const fields: [string, Expression][] = [];
      for (let member = tree.firstNamed(node); member !== -1; member = tree.nextNamed(member)) {
        if (tree.symbol(member) !== symbol.method || depth < 2) continue;
        const parameters = parametersOf(tree.child(member, field.parameters));
        const result = resultOf(tree.child(member, field.result));
        const name = tree.textOf(tree.child(member, field.name));
        fields.push([
          name,
          result === undefined ? { is: 'function', parameters } : { is: 'function', parameters, type: result },
        ]);
      }
      return fields.length === 0 ? UNKNOWN : { is: 'record', fields };
    };
    const parametersOf = (list: number): Parameter[] => {
      const parameters: Parameter[] = [];
      if (list === -1) return parameters;
      for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        const kind = tree.symbol(node);
        if (kind === symbol.variadic) {
          const of = type(tree.child(node, field.type));
          const name = tree.child(node, field.name);
          const all: Expression = { is: 'apply', of: { is: 'name', name: '[]', at: tree.start(node) }, types: [of] };
          parameters.push({ name: name === -1 ? '' : tree.textOf(name), type: all, rest: true });
        }
        if (kind !== symbol.parameter) continue;
        const of = type(tree.child(node, field.type));
        const before = parameters.length;
        for (let name = tree.firstNamed(node); name !== -1; name = tree.nextNamed(name)) {
          if (tree.field(name) === field.name) parameters.push({ name: tree.textOf(name), type: of });
        }
        if (parameters.length === before) parameters.push({ name: '', type: of });
      }
      return parameters;
    };
    const resultOf = (node: number): Expression | undefined => {
      if (node === -1) return undefined;
      if (tree.symbol(node) !== symbol.parameters) return type(node);
      const of = parametersOf(node).map((parameter) => parameter.type ?? UNKNOWN);
      return of.length === 1 ? of[0] : { is: 'tuple', of };
    };
    const genericsOf = (list: number): Generic[] => {
      const generics: Generic[] = [];
      if (list === -1) return generics;
      for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        if (tree.symbol(node) !== symbol.typeParameter) continue;
        const bound = boundOf(tree.child(node, field.type));
        for (let name = tree.firstNamed(node); name !== -1; name = tree.nextNamed(name)) {
          if (tree.field(name) !== field.name) continue;
          generics.push(bound === undefined ? { name: tree.textOf(name) } : { name: tree.textOf(name), bound });
        }
      }
      return generics;
    };
    const boundOf = (node: number): Expression | undefined => {
      const first = node === -1 ? -1 : tree.firstNamed(node);
      if (first === -1 || tree.nextNamed(first) !== -1) return undefined;
      const bound = type(first);
      return bound.is === 'name' && (bound.name === 'any' || bound.name === 'comparable') ? undefined : bound;
    };
    return { forget, value, type, parameters: parametersOf, result: resultOf, generics: genericsOf, callee: calleeOf };
  };
}
