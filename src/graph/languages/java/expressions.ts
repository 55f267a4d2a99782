import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import { keepExpressions, limitNesting } from '../kept-expressions.ts';
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
}

export function createJavaExpressions(grammar: Grammar): (tree: FlatTree, scope: JavaScope) => JavaExpressions {
  const symbol = expressionSymbols(grammar);
  const field = expressionFields(grammar);
  return (tree, scope) => {
    const make = (node: number, depth: number): Expression => {
      switch (tree.symbol(node)) {
        case symbol.identifier:
        case symbol.typeName:
          return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
        case symbol.this:
          return { is: 'this', at: tree.start(node) };
        case symbol.super:
          return { is: 'super', at: tree.start(node) };
        case symbol.fieldAccess:
          return access(node, depth);
        case symbol.call:
          return call(node, depth);
        case symbol.creation:
          return creation(node, depth);
        case symbol.parenthesized:
          return read(tree.firstNamed(node), depth - 1);
        case symbol.cast:
          return { is: 'as', type: type(tree.child(node, field.type)) };
        case symbol.arrayAccess:
          return { is: 'element', of: read(tree.child(node, field.array), depth - 1) };
        case symbol.arrayCreation:
          return { is: 'as', type: arrayOf(type(tree.child(node, field.type)), node) };
        case symbol.classLiteral: {
          const of: Expression = { is: 'name', name: 'Class', at: tree.start(node) };
          return { is: 'as', type: { is: 'apply', of, types: [type(tree.firstNamed(node))] } };
        }
        case symbol.ternary:
          return either(
            read(tree.child(node, field.consequence), depth - 1),
            read(tree.child(node, field.alternative), depth - 1),
          );
        case symbol.assignment:
          return read(tree.child(node, field.right), depth - 1);
        case symbol.lambda:
          return lambda(node, depth);
        case symbol.methodReference:
          return reference(node, depth);
        case symbol.string:
          return { is: 'literal', type: 'String' };
        case symbol.integer:
          return { is: 'literal', type: 'int' };
        case symbol.decimal:
          return { is: 'literal', type: 'double' };
        case symbol.true:
        case symbol.false:
        case symbol.instanceof:
          return { is: 'literal', type: 'boolean' };
        case symbol.binary:
          return sum(node);
        default:
          return UNKNOWN;
      }
    };
    const { value, read, forget } = keepExpressions(tree, make);
    const either = (a: Expression, b: Expression): Expression => {
      if (a.is === 'unknown') return b;
      return b.is === 'unknown' ? a : { is: 'either', of: [a, b] };
    };
    /** Text plus anything is text. */
    const sum = (node: number): Expression => {
      for (let side = tree.firstNamed(node), n = 0; side !== -1 && n < 2; side = tree.nextNamed(side), n++) {
        if (tree.symbol(side) === symbol.string) return { is: 'literal', type: 'String' };
      }
      return UNKNOWN;
    };
    const access = (node: number, depth: number): Expression => {
      const object = tree.child(node, field.object);
      const name = tree.child(node, field.field);
      if (name === -1) return UNKNOWN;
      // `Outer.this` and `Outer.super`.
      if (tree.symbol(name) === symbol.this) return { is: 'as', type: type(object) };
      const whole = qualifiedName(node);
      if (whole !== undefined) return whole;
      return { is: 'member', of: read(object, depth - 1), name: tree.textOf(name) };
    };
    /** `com.acme.Item`: a path in lower case that ends with a class, and starts with no variable. */
    const qualifiedName = (node: number): Expression | undefined => {
      const text = tree.textOf(node);
      if (!/^[a-z]\w*(?:\.[a-z]\w*)+\.[A-Z]\w*[a-z]\w*$/.test(text)) return undefined;
      const root = text.slice(0, text.indexOf('.'));
      if (scope.isVariable(root)) return undefined;
      return { is: 'name', name: scope.qualified(text, tree.start(node)), at: tree.start(node) };
    };
    const call = (node: number, depth: number): Expression => {
      const object = tree.child(node, field.object);
      const nameNode = tree.child(node, field.name);
      if (nameNode === -1) return UNKNOWN;
      const name = tree.textOf(nameNode);
      const isSuper = tree.childOf(node, symbol.super) !== -1;
      const of: Expression =
        object === -1
          ? { is: 'name', name, at: tree.start(nameNode) }
          : { is: 'member', of: isSuper ? { is: 'super', at: tree.start(object) } : read(object, depth - 1), name };
      const args = listed(tree.child(node, field.arguments), depth - 1);
      const types = tree.child(node, field.typeArguments);
      return types === -1 ? { is: 'call', of, args } : { is: 'call', of, args, types: typesOf(types) };
    };
    const creation = (node: number, depth: number): Expression => {
      const made = tree.child(node, field.type);
      if (made === -1) return UNKNOWN;
      const args = listed(tree.child(node, field.arguments), depth - 1);
      const isGeneric = tree.symbol(made) === symbol.generic;
      const of = type(isGeneric ? tree.firstNamed(made) : made);
      const types = isGeneric ? typesOf(tree.childOf(made, symbol.typeArguments)) : [];
      return types.length === 0 ? { is: 'new', of, args } : { is: 'new', of, args, types };
    };
    const listed = (list: number, depth: number): Expression[] => {
      const found: Expression[] = [];
      for (let node = list === -1 ? -1 : tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        const kind = tree.symbol(node);
        if (kind !== symbol.lineComment && kind !== symbol.blockComment) found.push(read(node, depth));
      }
      return found;
    };
    const lambda = (node: number, depth: number): Expression => {
      const list = tree.child(node, field.parameters);
      const parameters = lambdaNames(list);
      const body = tree.child(node, field.body);
      if (body === -1 || tree.symbol(body) === symbol.block) {
        const returned = body === -1 ? -1 : firstReturn(body);
        return returned === -1
          ? { is: 'function', parameters }
          : { is: 'function', parameters, values: [read(returned, depth - 1)] };
      }
      return { is: 'function', parameters, values: [read(body, depth - 1)] };
    };
    const firstReturn = (body: number): number => {
      for (let node = tree.firstNamed(body); node !== -1; node = tree.nextNamed(node)) {
        if (tree.symbol(node) === symbol.return) return tree.firstNamed(node);
      }
      return -1;
    };
    const lambdaNames = (list: number): Parameter[] => {
      if (list === -1) return [];
      if (tree.symbol(list) === symbol.identifier) return [{ name: tree.textOf(list) }];
      if (tree.symbol(list) === symbol.formal) return parametersOf(list);
      const parameters: Parameter[] = [];
      for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node))
        parameters.push({ name: tree.textOf(node) });
      return parameters;
    };
    const reference = (node: number, depth: number): Expression => {
      const of = tree.firstNamed(node);
      if (of === -1) return UNKNOWN;
      let last = of;
      for (let part = of; part !== -1; part = tree.nextNamed(part)) last = part;
      if (last === of || tree.symbol(last) !== symbol.identifier) {
        return { is: 'function', parameters: [], values: [{ is: 'new', of: type(of), args: [] }] };
      }
      return { is: 'member', of: read(of, depth - 1), name: tree.textOf(last) };
    };
    const lambdaParameter = (node: number, n: number): Expression => {
      const of = expectedOf(node);
      return of.is === 'unknown' ? UNKNOWN : { is: 'parameter', of, n };
    };
    const expectedOf = (node: number): Expression => {
      const parent = tree.parent(node);
      switch (tree.symbol(parent)) {
        case symbol.arguments: {
          const callNode = tree.parent(parent);
          let index = 0;
          for (let arg = tree.firstNamed(parent); arg !== -1 && arg !== node; arg = tree.nextNamed(arg)) index++;
          const callee = value(callNode);
          return callee.is === 'call' || callee.is === 'new' ? { is: 'expected', call: callee, n: index } : UNKNOWN;
        }
        case symbol.declarator: {
          const declared = tree.child(tree.parent(parent), field.type);
          return declared === -1 ? UNKNOWN : { is: 'as', type: type(declared) };
        }
        case symbol.return:
          return { is: 'as', type: resultAround(parent) };
        case symbol.cast:
          return { is: 'as', type: type(tree.child(parent, field.type)) };
        case symbol.parenthesized:
          return expectedOf(parent);
        default:
          return UNKNOWN;
      }
    };
    const resultAround = (node: number): Expression => {
      for (let at = tree.parent(node); at > 0; at = tree.parent(at)) {
        if (tree.symbol(at) === symbol.lambda) return UNKNOWN;
        if (tree.symbol(at) === symbol.method) return type(tree.child(at, field.type));
      }
      return UNKNOWN;
    };
    const readType = (node: number): Expression => {
      if (node === -1) return UNKNOWN;
      switch (tree.symbol(node)) {
        case symbol.typeName:
        case symbol.identifier:
        case symbol.integral:
        case symbol.floating:
        case symbol.boolean:
          return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
        case symbol.void:
          return { is: 'tuple', of: [] };
        case symbol.generic: {
          const of = type(tree.firstNamed(node));
          const types = typesOf(tree.childOf(node, symbol.typeArguments));
          return types.length === 0 ? of : { is: 'apply', of, types };
        }
        case symbol.scopedType: {
          const of = typeBefore(node);
          const name = lastNamed(node);
          return of === undefined ? qualified(node) : { is: 'member', of, name: tree.textOf(name) };
        }
        case symbol.scoped:
        case symbol.fieldAccess:
          return access(node, MAX_DEPTH);
        case symbol.array:
          return arrayOf(type(tree.child(node, field.element)), node);
        case symbol.annotated:
          return type(lastNamed(node));
        case symbol.wildcard: {
          const bound = lastNamed(node);
          return bound === -1 || tree.symbol(bound) === symbol.super ? UNKNOWN : type(bound);
        }
        case symbol.catchType: {
          const of: Expression[] = [];
          for (let one = tree.firstNamed(node); one !== -1; one = tree.nextNamed(one)) of.push(type(one));
          return of.length === 1 ? (of[0] ?? UNKNOWN) : { is: 'either', of };
        }
        default:
          return UNKNOWN;
      }
    };
    const type = limitNesting(readType);
    const qualified = (node: number): Expression => ({
      is: 'name',
      name: scope.qualified(tree.textOf(node), tree.start(node)),
      at: tree.start(node),
    });
    /** Nothing when what stands before is a package, so that the whole is one name. */
    const typeBefore = (node: number): Expression | undefined => {
      if (tree.symbol(node) !== symbol.scopedType) return undefined;
      const first = tree.firstNamed(node);
      if (first === -1) return undefined;
      const text = tree.textOf(first);
      return /^[a-z][\w.]*$/.test(text) && /(?:^|\.)[a-z]\w*$/.test(text) ? undefined : type(first);
    };
    const lastNamed = (node: number): number => {
      let last = -1;
      for (let one = tree.firstNamed(node); one !== -1; one = tree.nextNamed(one)) last = one;
      return last;
    };
    const arrayOf = (of: Expression, node: number): Expression => ({
      is: 'apply',
      of: { is: 'name', name: '[]', at: tree.start(node) },
      types: [of],
    });
    const typesOf = (list: number): Expression[] => {
      const types: Expression[] = [];
      for (let node = list === -1 ? -1 : tree.firstNamed(list); node !== -1; node = tree.nextNamed(node))
        types.push(type(node));
      return types;
    };
    const parametersOf = (list: number): Parameter[] => {
      const parameters: Parameter[] = [];
      for (let node = list === -1 ? -1 : tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        const kind = tree.symbol(node);
        if (kind === symbol.parameter) {
          const name = tree.child(node, field.name);
          parameters.push({ name: name === -1 ? '' : tree.textOf(name), type: type(tree.child(node, field.type)) });
        } else if (kind === symbol.spread) {
          const declarator = tree.childOf(node, symbol.declarator);
          const name = declarator === -1 ? -1 : tree.child(declarator, field.name);
          parameters.push({
            name: name === -1 ? '' : tree.textOf(name),
            type: arrayOf(spreadType(node), node),
            rest: true,
          });
        }
      }
      return parameters;
    };
    const spreadType = (node: number): Expression => {
      for (let part = tree.firstNamed(node); part !== -1; part = tree.nextNamed(part)) {
        const found = type(part);
        if (found.is !== 'unknown') return found;
      }
      return UNKNOWN;
    };
    const genericsOf = (list: number): Generic[] => {
      const generics: Generic[] = [];
      for (let node = list === -1 ? -1 : tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        const nameNode = tree.childOf(node, symbol.typeName);
        if (nameNode === -1) continue;
        const name = tree.textOf(nameNode);
        const bounds = tree.childOf(node, symbol.bound);
        const of = typesOf(bounds);
        if (of.length === 0) generics.push({ name });
        else generics.push({ name, bound: of.length === 1 ? (of[0] ?? UNKNOWN) : { is: 'both', of } });
      }
      return generics;
    };
    return { forget, value, type, parameters: parametersOf, generics: genericsOf, typeBefore, lambdaParameter };
  };
}
