import { UNKNOWN } from '../model/expression.ts';
import type { Expression, Parameter } from '../model/expression.ts';
import type { FlatTree } from '../parse/flat-tree.ts';
import { keepExpressions, limitNesting } from './kept-expressions.ts';
import type { KeptExpressions } from './kept-expressions.ts';

/** What readers of nodes work with. `S` and `F` have the numbers of a grammar's kinds of nodes and of its fields. */
export interface ReadContext<S, F, Scope> extends KeptExpressions {
  readonly tree: FlatTree;
  readonly symbol: S;
  readonly field: F;
  readonly scope: Scope;
  readonly type: (node: number) => Expression;
  /** A type that is part of another, which has this much depth left. */
  readType(node: number, depth: number): Expression;
}

/** A node becomes an expression that is at most so deep. */
export type Reader<C> = (c: C, node: number, depth: number) => Expression;

/** Which reader reads which kind of node; all others are unknown. */
export type Readers<C, S> = Partial<Readonly<Record<keyof S, Reader<C>>>>;

type AnyContext<Field extends string> = ReadContext<unknown, Readonly<Record<Field, number>>, unknown>;

export function createReadContext<S extends Readonly<Record<string, number>>, F, Scope>(
  { tree, symbol, field, scope }: Pick<ReadContext<S, F, Scope>, 'tree' | 'symbol' | 'field' | 'scope'>,
  values: Readers<ReadContext<S, F, Scope>, S>,
  types: Readers<ReadContext<S, F, Scope>, S>,
): ReadContext<S, F, Scope> {
  const byKind = (readers: typeof values): Reader<ReadContext<S, F, Scope>> => {
    const numbered: Reader<ReadContext<S, F, Scope>>[] = [];
    for (const kind of Object.keys(readers)) {
      const [number, reader] = [symbol[kind], readers[kind]];
      if (number !== undefined && reader) numbered[number] = reader;
    }
    return (c, node, depth) => numbered[tree.symbol(node)]?.(c, node, depth) ?? UNKNOWN;
  };
  const [valueOf, typeOf] = [byKind(values), byKind(types)];
  const readType = (node: number, depth: number): Expression =>
    node === -1 || depth === 0 ? UNKNOWN : typeOf(c, node, depth);
  const kept = keepExpressions(tree, (node, depth) => valueOf(c, node, depth));
  const c: ReadContext<S, F, Scope> = { tree, symbol, field, scope, ...kept, readType, type: limitNesting(readType) };
  return c;
}

export function literal(type: string): Reader<unknown> {
  return () => ({ is: 'literal', type });
}

export function plainName({ tree }: AnyContext<never>, node: number): Expression {
  return { is: 'name', name: tree.textOf(node), at: tree.start(node) };
}

export function thisObject({ tree }: AnyContext<never>, node: number): Expression {
  return { is: 'this', at: tree.start(node) };
}

/** The value of what is inside, as in parentheses. */
export function inner(c: AnyContext<never>, node: number, depth: number): Expression {
  return c.read(c.tree.firstNamed(node), depth - 1);
}

export function through<Field extends string>(field: Field): Reader<AnyContext<Field>> {
  return (c, node, depth) => c.read(c.tree.child(node, c.field[field]), depth - 1);
}

export function member<Field extends string>(of: Field, name: Field): Reader<AnyContext<Field>> {
  return (c, node, depth) => ({
    is: 'member',
    of: c.read(c.tree.child(node, c.field[of]), depth - 1),
    name: c.tree.textOf(c.tree.child(node, c.field[name])),
  });
}

export function element<Field extends string>(of: Field): Reader<AnyContext<Field>> {
  return (c, node, depth) => ({ is: 'element', of: c.read(c.tree.child(node, c.field[of]), depth - 1) });
}

export function cast(c: AnyContext<'type'>, node: number): Expression {
  return { is: 'as', type: c.type(c.tree.child(node, c.field.type)) };
}

export function typeThrough<Field extends string>(field: Field): Reader<AnyContext<Field>> {
  return (c, node, depth) => c.readType(c.tree.child(node, c.field[field]), depth - 1);
}

/** The parts of a list, none where there is no list. */
export function namedIn(tree: FlatTree, list: number): number[] {
  const nodes: number[] = [];
  for (let node = list === -1 ? -1 : tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) nodes.push(node);
  return nodes;
}

export function listOf(tree: FlatTree, of: Expression, node: number): Expression {
  return { is: 'apply', of: { is: 'name', name: '[]', at: tree.start(node) }, types: [of] };
}

export function functionOf(parameters: readonly Parameter[], type: Expression | undefined): Expression {
  return type === undefined ? { is: 'function', parameters } : { is: 'function', parameters, type };
}

/** What is known of several, without those that say nothing. */
export function known(is: 'either' | 'both', all: readonly Expression[]): Expression {
  const of = all.filter((one) => one.is !== 'unknown');
  const [first = UNKNOWN] = of;
  return of.length > 1 ? { is, of } : first;
}
