import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import { known, namedIn } from '../expression-table.ts';
import type { ReadContext } from '../expression-table.ts';
import type { expressionFields, expressionSymbols } from './symbols.ts';

/** What the walk knows about the place at hand. */
export interface RustScope {
  /** What `Self` stands for. */
  self(): Expression | undefined;
  /** Whether the file itself says what a name at the start of a path is. */
  isKnown(name: string): boolean;
  /** A path to a module that no `use` has named; gives the name it gets. */
  module(segments: readonly string[], at: number): string;
}

export type Rust = ReadContext<ReturnType<typeof expressionSymbols>, ReturnType<typeof expressionFields>, RustScope>;

/** The name that a pattern is, if it is nothing else. */
export function nameOf({ tree, symbol }: Rust, pattern: number): string {
  return pattern !== -1 && tree.symbol(pattern) === symbol.identifier ? tree.textOf(pattern) : '';
}

/** `A + B`: all traits that are meant, lifetimes left out. */
export function allOf(c: Rust, node: number, depth: number): Expression {
  const parts = namedIn(c.tree, node).filter((part) => c.tree.symbol(part) !== c.symbol.lifetime);
  return known(
    'both',
    parts.map((part) => c.readType(part, depth - 1)),
  );
}

export function parametersOf(c: Rust, list: number): Parameter[] {
  const parameters: Parameter[] = [];
  for (const node of namedIn(c.tree, list)) {
    switch (c.tree.symbol(node)) {
      case c.symbol.parameter:
        parameters.push({
          name: nameOf(c, c.tree.child(node, c.field.pattern)),
          type: c.type(c.tree.child(node, c.field.type)),
        });
        break;
      case c.symbol.selfParameter:
      case c.symbol.attribute:
      case c.symbol.lineComment:
      case c.symbol.blockComment:
      case c.symbol.variadic:
        break;
      default:
        parameters.push({ name: '', type: c.type(node) });
    }
  }
  return parameters;
}

export function genericsOf(c: Rust, node: number): Generic[] {
  const generics: { name: string; bound?: Expression }[] = [];
  const list = c.tree.child(node, c.field.typeParameters);
  for (const one of namedIn(c.tree, list)) {
    if (c.tree.symbol(one) !== c.symbol.typeParameter) continue;
    const generic: { name: string; bound?: Expression } = { name: c.tree.textOf(c.tree.child(one, c.field.name)) };
    addBound(c, generic, c.tree.child(one, c.field.bounds));
    generics.push(generic);
  }
  const where = generics.length === 0 ? -1 : c.tree.childOf(node, c.symbol.where);
  for (const one of namedIn(c.tree, where)) {
    const left = c.tree.child(one, c.field.left);
    const generic = left === -1 ? undefined : generics.find(({ name }) => name === c.tree.textOf(left));
    if (generic !== undefined) addBound(c, generic, c.tree.child(one, c.field.bounds));
  }
  return generics;
}

function addBound(c: Rust, generic: { bound?: Expression }, bounds: number): void {
  const bound = bounds === -1 ? UNKNOWN : allOf(c, bounds, MAX_DEPTH);
  if (bound.is === 'unknown') return;
  generic.bound = generic.bound === undefined ? bound : { is: 'both', of: [generic.bound, bound] };
}
