import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { expressionFields, expressionSymbols } from './symbols.ts';

/** Parameters and type parameters of what has a head. */
export interface RustHeads {
  parameters(list: number): Parameter[];
  generics(node: number): Generic[];
}

export function createRustHeads(
  tree: FlatTree,
  symbol: ReturnType<typeof expressionSymbols>,
  field: ReturnType<typeof expressionFields>,
  type: (node: number) => Expression,
  allOf: (node: number, depth: number) => Expression,
): RustHeads {
  const nameOf = (pattern: number): string =>
    pattern !== -1 && tree.symbol(pattern) === symbol.identifier ? tree.textOf(pattern) : '';
  const parametersOf = (list: number): Parameter[] => {
    const parameters: Parameter[] = [];
    if (list === -1) return parameters;
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      switch (tree.symbol(node)) {
        case symbol.parameter:
          parameters.push({
            name: nameOf(tree.child(node, field.pattern)),
            type: type(tree.child(node, field.type)),
          });
          break;
        case symbol.selfParameter:
        case symbol.attribute:
        case symbol.lineComment:
        case symbol.blockComment:
        case symbol.variadic:
          break;
        default:
          parameters.push({ name: '', type: type(node) });
      }
    }
    return parameters;
  };
  const genericsOf = (node: number): Generic[] => {
    const generics: { name: string; bound?: Expression }[] = [];
    const list = tree.child(node, field.typeParameters);
    for (let one = list === -1 ? -1 : tree.firstNamed(list); one !== -1; one = tree.nextNamed(one)) {
      if (tree.symbol(one) !== symbol.typeParameter) continue;
      const generic: { name: string; bound?: Expression } = { name: tree.textOf(tree.child(one, field.name)) };
      addBound(generic, tree.child(one, field.bounds));
      generics.push(generic);
    }
    const where = generics.length === 0 ? -1 : tree.childOf(node, symbol.where);
    for (let one = where === -1 ? -1 : tree.firstNamed(where); one !== -1; one = tree.nextNamed(one)) {
      const left = tree.child(one, field.left);
      const generic = left === -1 ? undefined : generics.find(({ name }) => name === tree.textOf(left));
      if (generic !== undefined) addBound(generic, tree.child(one, field.bounds));
    }
    return generics;
  };
  const addBound = (generic: { bound?: Expression }, bounds: number): void => {
    const bound = bounds === -1 ? UNKNOWN : allOf(bounds, MAX_DEPTH);
    if (bound.is === 'unknown') return;
    generic.bound = generic.bound === undefined ? bound : { is: 'both', of: [generic.bound, bound] };
  };
  return { parameters: parametersOf, generics: genericsOf };
}
