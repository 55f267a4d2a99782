import type { Node } from 'oxc-parser';
import { ERROR_SYMBOL } from '../../parse/flat-tree.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';

/** A node of the same shape as those of the other parser, with what the walk looks at. */
export interface Made {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

/** Makes nodes of one tree. */
export interface Maker {
  readonly tree: FlatTree;
  /** What kind of node it is, by the grammar's name; empty for what has no builder. */
  kind(node: number): string;
  /** The child that is this to the node, -1 for none. */
  child(node: number, field: string): number;
  /** Named children, comments left out, and those inside what could not be understood. */
  children(node: number): number[];
  /** Keywords and signs directly in a node. */
  words(node: number): ReadonlySet<string>;
  make(node: number): Made;
}

/** How nodes of a kind are made. */
export type Builders = Readonly<Record<string, (maker: Maker, node: number) => Made>>;

/** Turns trees of a grammar into statements. */
export function createReader(grammar: Grammar, builders: Builders): (tree: FlatTree) => Node[] {
  const kinds = new Map<number, string>();
  for (const kind of Object.keys(builders)) kinds.set(grammar.symbol(kind), kind);
  const comment = grammar.symbol('comment');
  const fields = new Map<string, number>();
  const fieldOf = (name: string): number => {
    let field = fields.get(name);
    if (field === undefined) fields.set(name, (field = grammar.field(name)));
    return field;
  };
  return (tree) => {
    const collect = (node: number, into: number[]): number[] => {
      for (let at = tree.firstNamed(node); at !== -1; at = tree.nextNamed(at)) {
        const symbol = tree.symbol(at);
        if (symbol === ERROR_SYMBOL) collect(at, into);
        else if (symbol !== comment) into.push(at);
      }
      return into;
    };
    const maker: Maker = {
      tree,
      kind: (node) => kinds.get(tree.symbol(node)) ?? '',
      child: (node, field) => tree.child(node, fieldOf(field)),
      children: (node) => collect(node, []),
      words(node) {
        const words = new Set<string>();
        for (let at = tree.firstChild(node); at !== -1; at = tree.nextSibling(at)) {
          if (!tree.isNamed(at)) words.add(tree.textOf(at));
        }
        return words;
      },
      make(node) {
        if (node === -1) return { type: 'EmptyStatement', start: 0, end: 0 };
        const build = builders[kinds.get(tree.symbol(node)) ?? ''];
        return build ? build(maker, node) : passed(maker, node);
      },
    };
    return makeAll(maker, maker.children(0)) as unknown as Node[];
  };
}

/** What has no meaning of its own: only what is in it counts. */
function passed(maker: Maker, node: number): Made {
  return made(maker, node, 'SequenceExpression', { expressions: maker.children(node).map(maker.make) });
}

export function made(maker: Maker, node: number, type: string, parts: Readonly<Record<string, unknown>>): Made {
  return { type, start: maker.tree.start(node), end: maker.tree.end(node), ...parts };
}

export function makeAll(maker: Maker, nodes: readonly number[]): Made[] {
  return nodes.map(maker.make);
}

/** Undefined becomes null, as the walk expects of what is not there. */
export function makeIf(maker: Maker, node: number): Made | null {
  return node === -1 ? null : maker.make(node);
}

export function makeChild(maker: Maker, node: number, field: string): Made | null {
  return makeIf(maker, maker.child(node, field));
}

export function first(maker: Maker, node: number): Made {
  return maker.make(maker.children(node)[0] ?? -1);
}

export function ofKind(maker: Maker, node: number, kind: string): number {
  return maker.children(node).find((child) => maker.kind(child) === kind) ?? -1;
}

export function named(maker: Maker, node: number): Made {
  return made(maker, node, 'Identifier', { name: maker.tree.textOf(node) });
}

export function namedIf(maker: Maker, node: number): Made | null {
  return node === -1 || maker.tree.isMissing(node) ? null : named(maker, node);
}
