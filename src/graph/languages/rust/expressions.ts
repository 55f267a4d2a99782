import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import { keepExpressions, limitNesting } from '../kept-expressions.ts';
import { createRustHeads } from './heads.ts';
import { expressionFields, expressionSymbols } from './symbols.ts';

/** What the walk knows about the place at hand. */
export interface RustScope {
  /** What `Self` stands for. */
  self(): Expression | undefined;
  /** Whether the file itself says what a name at the start of a path is. */
  isKnown(name: string): boolean;
  /** A path to a module that no `use` has named; gives the name it gets. */
  module(segments: readonly string[], at: number): string;
}

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
    const make = (node: number, depth: number): Expression => {
      switch (tree.symbol(node)) {
        case symbol.identifier:
          return named(tree.textOf(node), tree.start(node));
        case symbol.self:
          return { is: 'this', at: tree.start(node) };
        case symbol.scoped:
        case symbol.scopedType:
          return path(node, depth);
        case symbol.fieldAccess:
          return {
            is: 'member',
            of: read(tree.child(node, field.value), depth - 1),
            name: tree.textOf(tree.child(node, field.field)),
          };
        case symbol.call:
          return call(node, depth);
        case symbol.generic:
          return read(tree.child(node, field.function), depth - 1);
        case symbol.struct:
          return made(tree.child(node, field.name), depth);
        case symbol.try:
          return { is: 'entered', of: read(tree.firstNamed(node), depth - 1) };
        case symbol.await:
          return { is: 'await', of: read(tree.firstNamed(node), depth - 1) };
        case symbol.reference:
          return read(tree.child(node, field.value), depth - 1);
        case symbol.parenthesized:
        case symbol.asyncBlock:
        case symbol.unsafeBlock:
          return read(tree.firstNamed(node), depth - 1);
        case symbol.unary:
          return tree.text[tree.start(node)] === '*' ? read(tree.firstNamed(node), depth - 1) : UNKNOWN;
        case symbol.index:
          return { is: 'element', of: read(tree.firstNamed(node), depth - 1) };
        case symbol.cast:
          return { is: 'as', type: type(tree.child(node, field.type)) };
        case symbol.block:
          return read(tailOf(node), depth - 1);
        case symbol.if:
          return branches([tree.child(node, field.consequence), tree.child(node, field.alternative)], depth);
        case symbol.else:
          return read(tree.firstNamed(node), depth - 1);
        case symbol.match:
          return branches(armsOf(tree.child(node, field.body)), depth);
        case symbol.closure:
          return lambda(node, depth);
        case symbol.tuple:
        case symbol.array:
          return { is: 'tuple', of: listed(node, depth - 1) };
        case symbol.macro:
          return expanded(node);
        case symbol.string:
        case symbol.rawString:
          return { is: 'literal', type: 'str' };
        case symbol.integer:
          return { is: 'literal', type: 'i32' };
        case symbol.float:
          return { is: 'literal', type: 'f64' };
        case symbol.boolean:
          return { is: 'literal', type: 'bool' };
        case symbol.char:
          return { is: 'literal', type: 'char' };
        default:
          return UNKNOWN;
      }
    };
    const { value, read, forget } = keepExpressions(tree, make);
    const named = (name: string, at: number): Expression => {
      if (name === 'Self') return headOfSelf() ?? UNKNOWN;
      return name === 'self' ? { is: 'this', at } : { is: 'name', name, at };
    };
    const headOfSelf = (): Expression | undefined => {
      const self = scope.self();
      return self?.is === 'apply' ? self.of : self;
    };
    /** The names of a path from the left; undefined where it starts with a type in angle brackets. */
    const segmentsOf = (node: number): number[] | undefined => {
      const segments: number[] = [];
      let at = node;
      while (at !== -1) {
        const kind = tree.symbol(at);
        if (kind === symbol.scoped || kind === symbol.scopedType) {
          segments.unshift(tree.child(at, field.name));
          at = tree.child(at, field.path);
        } else if (kind === symbol.genericType || kind === symbol.genericTurbofish) at = tree.child(at, field.type);
        else if (kind === symbol.bracketed) return undefined;
        else {
          segments.unshift(at);
          at = -1;
        }
      }
      return segments.includes(-1) ? undefined : segments;
    };
    const path = (node: number, depth: number): Expression => {
      const segments = segmentsOf(node);
      if (segments === undefined) {
        const of = pathBefore(node);
        return of === undefined ? UNKNOWN : { is: 'member', of, name: tree.textOf(tree.child(node, field.name)) };
      }
      return fromSegments(segments, depth);
    };
    const fromSegments = (segments: readonly number[], depth: number): Expression => {
      const first = segments[0];
      if (first === undefined) return UNKNOWN;
      const root = tree.textOf(first);
      let used = 1;
      let of: Expression;
      if (root === 'Self') of = headOfSelf() ?? UNKNOWN;
      else if (segments.length > 1 && startsModule(root)) {
        while (used < segments.length - 1 && isModuleName(tree.textOf(segments[used] as number))) used++;
        const names = segments.slice(0, used).map((segment) => tree.textOf(segment));
        of = { is: 'name', name: scope.module(names, tree.start(first)), at: tree.start(first) };
      } else of = { is: 'name', name: root, at: tree.start(first) };
      for (const segment of segments.slice(used, used + depth)) of = { is: 'member', of, name: tree.textOf(segment) };
      return of;
    };
    const startsModule = (root: string): boolean => {
      if (root === 'crate' || root === 'super' || root === 'self') return true;
      return isModuleName(root) && !scope.isKnown(root);
    };
    const pathBefore = (node: number): Expression | undefined => {
      const kind = tree.symbol(node);
      if (kind !== symbol.scoped && kind !== symbol.scopedType) return undefined;
      const before = tree.child(node, field.path);
      if (before === -1) return undefined;
      if (tree.symbol(before) === symbol.bracketed) {
        const inner = tree.firstNamed(before);
        const of = type(tree.symbol(inner) === symbol.qualified ? tree.child(inner, field.type) : inner);
        return of.is === 'apply' ? of.of : of;
      }
      const segments = segmentsOf(node);
      if (segments === undefined) return UNKNOWN;
      const whole = fromSegments(segments, MAX_DEPTH);
      return whole.is === 'member' ? whole.of : UNKNOWN;
    };
    const call = (node: number, depth: number): Expression => {
      const callee = tree.child(node, field.function);
      const of = read(callee, depth - 1);
      const args = listed(tree.child(node, field.arguments), depth - 1);
      const types =
        tree.symbol(callee) === symbol.generic ? typesOf(tree.child(callee, field.typeArguments)) : undefined;
      return types === undefined ? { is: 'call', of, args } : { is: 'call', of, args, types };
    };
    const listed = (list: number, depth: number): Expression[] => {
      const found: Expression[] = [];
      if (list === -1) return found;
      for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        const kind = tree.symbol(node);
        if (kind !== symbol.attribute && kind !== symbol.lineComment && kind !== symbol.blockComment) {
          found.push(read(node, depth));
        }
      }
      return found;
    };
    const made = (node: number, depth: number): Expression => {
      if (node === -1) return UNKNOWN;
      if (tree.symbol(node) === symbol.typeName && tree.textOf(node) === 'Self') {
        const self = scope.self();
        return self === undefined ? UNKNOWN : { is: 'as', type: self };
      }
      const types = tree.symbol(node) === symbol.genericTurbofish ? typesOf(tree.child(node, field.typeArguments)) : [];
      const segments = segmentsOf(node);
      if (segments === undefined) return UNKNOWN;
      const of = fromSegments(segments, depth);
      return types.length === 0 ? { is: 'new', of, args: [] } : { is: 'new', of, args: [], types };
    };
    /** The expression at the end of a block, which is its value. */
    const tailOf = (block: number): number => {
      let last = -1;
      for (let node = tree.firstNamed(block); node !== -1; node = tree.nextNamed(node)) {
        const kind = tree.symbol(node);
        if (kind !== symbol.lineComment && kind !== symbol.blockComment) last = node;
      }
      return last;
    };
    const armsOf = (body: number): number[] => {
      const arms: number[] = [];
      if (body === -1) return arms;
      for (let arm = tree.firstNamed(body); arm !== -1; arm = tree.nextNamed(arm)) {
        if (tree.symbol(arm) === symbol.arm) arms.push(tree.child(arm, field.value));
      }
      return arms;
    };
    const branches = (nodes: readonly number[], depth: number): Expression => {
      const of: Expression[] = [];
      for (const node of nodes.slice(0, MOST_BRANCHES)) {
        const found = node === -1 ? UNKNOWN : read(node, depth - 1);
        if (found.is !== 'unknown') of.push(found);
      }
      if (of.length === 0) return UNKNOWN;
      return of.length === 1 ? (of[0] ?? UNKNOWN) : { is: 'either', of };
    };
    const lambda = (node: number, depth: number): Expression => {
      const parameters = closureParameters(tree.child(node, field.parameters));
      const result = tree.child(node, field.returnType);
      if (result !== -1) return { is: 'function', parameters, type: type(result) };
      return { is: 'function', parameters, values: [read(tree.child(node, field.body), depth - 1)] };
    };
    const closureParameters = (list: number): Parameter[] => {
      const parameters: Parameter[] = [];
      if (list === -1) return parameters;
      for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        const kind = tree.symbol(node);
        if (kind === symbol.parameter) {
          parameters.push({ name: nameOf(tree.child(node, field.pattern)), type: type(tree.child(node, field.type)) });
        } else parameters.push({ name: nameOf(node) });
      }
      return parameters;
    };
    const nameOf = (pattern: number): string =>
      pattern !== -1 && tree.symbol(pattern) === symbol.identifier ? tree.textOf(pattern) : '';
    const closureParameter = (closure: number, n: number): Expression => {
      const list = tree.parent(closure);
      if (tree.symbol(list) !== symbol.arguments) return UNKNOWN;
      const callNode = tree.parent(list);
      if (tree.symbol(callNode) !== symbol.call) return UNKNOWN;
      let index = 0;
      for (let arg = tree.firstNamed(list); arg !== -1 && arg !== closure; arg = tree.nextNamed(arg)) index++;
      return { is: 'parameter', of: { is: 'expected', call: value(callNode), n: index }, n };
    };
    /** What the macros of the standard library make. */
    const expanded = (node: number): Expression => {
      const name = tree.textOf(tree.child(node, field.macro));
      const at = tree.start(node);
      if (name === 'format') return { is: 'as', type: { is: 'name', name: 'String', at } };
      if (name !== 'vec') return UNKNOWN;
      return { is: 'as', type: { is: 'apply', of: { is: 'name', name: 'Vec', at }, types: [UNKNOWN] } };
    };
    const readType = (node: number, depth: number): Expression => {
      if (node === -1 || depth === 0) return UNKNOWN;
      switch (tree.symbol(node)) {
        case symbol.typeName:
        case symbol.primitive:
        case symbol.identifier: {
          const name = tree.textOf(node);
          return name === 'Self' ? (scope.self() ?? UNKNOWN) : { is: 'name', name, at: tree.start(node) };
        }
        case symbol.scopedType:
        case symbol.scoped:
          return path(node, depth);
        case symbol.genericType:
        case symbol.genericTurbofish: {
          const of = readType(tree.child(node, field.type), depth - 1);
          const types = typesOf(tree.child(node, field.typeArguments));
          return types.length === 0 ? of : { is: 'apply', of, types };
        }
        case symbol.referenceType:
        case symbol.pointer:
          return readType(tree.child(node, field.type), depth - 1);
        case symbol.dynamic:
        case symbol.abstract:
          return readType(tree.child(node, field.trait), depth - 1);
        case symbol.higherRanked:
          return readType(tree.child(node, field.type), depth - 1);
        case symbol.bounded:
          return allOf(node, depth);
        case symbol.tupleType: {
          const of: Expression[] = [];
          for (let part = tree.firstNamed(node); part !== -1; part = tree.nextNamed(part))
            of.push(readType(part, depth - 1));
          return { is: 'tuple', of };
        }
        case symbol.unit:
          return { is: 'tuple', of: [] };
        case symbol.arrayType: {
          const of: Expression = { is: 'name', name: '[]', at: tree.start(node) };
          return { is: 'apply', of, types: [readType(tree.child(node, field.element), depth - 1)] };
        }
        case symbol.functionType: {
          const parameters = parametersOf(tree.child(node, field.parameters));
          const result = tree.child(node, field.returnType);
          return result === -1 ? { is: 'function', parameters } : { is: 'function', parameters, type: type(result) };
        }
        default:
          return UNKNOWN;
      }
    };
    const type = limitNesting(readType);
    /** `A + B`: all traits that are meant, lifetimes left out. */
    const allOf = (node: number, depth: number): Expression => {
      const of: Expression[] = [];
      for (let part = tree.firstNamed(node); part !== -1; part = tree.nextNamed(part)) {
        if (tree.symbol(part) === symbol.lifetime) continue;
        const found = readType(part, depth - 1);
        if (found.is !== 'unknown') of.push(found);
      }
      if (of.length === 0) return UNKNOWN;
      return of.length === 1 ? (of[0] ?? UNKNOWN) : { is: 'both', of };
    };
    /** Lifetimes say nothing; `Item = T` stands for the first type of an iterator. */
    const typesOf = (list: number): Expression[] => {
      const types: Expression[] = [];
      if (list === -1) return types;
      for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
        const kind = tree.symbol(node);
        if (kind === symbol.lifetime) continue;
        types.push(type(kind === symbol.typeBinding ? tree.child(node, field.type) : node));
      }
      return types;
    };
    const { parameters: parametersOf, generics: genericsOf } = createRustHeads(tree, symbol, field, type, allOf);
    return { forget, value, type, pathBefore, parameters: parametersOf, generics: genericsOf, closureParameter, named };
  };
}

function isModuleName(name: string): boolean {
  const first = name.charCodeAt(0);
  return (first >= 97 && first <= 122) || first === 95;
}
