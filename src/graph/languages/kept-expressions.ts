import { MAX_DEPTH, UNKNOWN } from '../model/expression.ts';
import type { Expression } from '../model/expression.ts';
import type { FlatTree } from '../parse/flat-tree.ts';

/** Expressions of one file by their nodes, each made once. */
export interface KeptExpressions {
  value(node: number): Expression;
  /** One that is part of another, which has this much depth left. */
  read(node: number, depth: number): Expression;
  /** Another file has come. */
  forget(): void;
}

export function keepExpressions(tree: FlatTree, make: (node: number, depth: number) => Expression): KeptExpressions {
  const known = new Map<number, Expression>();
  let isCut = false;

  /** What was cut off is not kept: from nearer by there is more to see. */
  function read(node: number, depth: number): Expression {
    if (node === -1) return UNKNOWN;
    if (depth <= 0) {
      isCut = true;
      return UNKNOWN;
    }
    // What has nothing below it is made anew sooner than it is found.
    if (tree.after(node) === node + 1) return make(node, depth);
    const kept = known.get(node);
    if (kept !== undefined) return kept;
    const before = isCut;
    isCut = false;
    const found = make(node, depth);
    if (!isCut) known.set(node, found);
    isCut ||= before;
    return found;
  }

  return {
    value(node) {
      const before = isCut;
      const found = read(node, MAX_DEPTH);
      isCut = before;
      return found;
    },
    read,
    forget: () => known.clear(),
  };
}

/** Types in types start anew, and must end all the same. */
export function limitNesting(read: (node: number, depth: number) => Expression): (node: number) => Expression {
  let nesting = 0;
  return (node) => {
    if (nesting > MAX_DEPTH) return UNKNOWN;
    nesting++;
    const found = read(node, MAX_DEPTH);
    nesting--;
    return found;
  };
}
