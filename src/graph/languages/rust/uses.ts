import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';

/** One name that a `use` brings in, with the path it comes from. */
export interface UseLeaf {
  readonly local: string;
  /** All that stands before the name. */
  readonly path: readonly string[];
  /** `*` for the module itself and for all its names. */
  readonly name: string;
  readonly isStar: boolean;
  readonly at: number;
}

export function createUseReader(grammar: Grammar): (tree: FlatTree, declaration: number) => UseLeaf[] {
  const [list, scopedList, scoped, wildcard, renamed] = [
    'use_list',
    'scoped_use_list',
    'scoped_identifier',
    'use_wildcard',
    'use_as_clause',
  ].map((type) => grammar.symbol(type));
  const self = grammar.symbol('self');
  const argument = grammar.field('argument');
  const pathField = grammar.field('path');
  const nameField = grammar.field('name');
  const listField = grammar.field('list');
  const alias = grammar.field('alias');

  const segmentsOf = (tree: FlatTree, node: number): string[] => {
    const segments: string[] = [];
    let at = node;
    while (at !== -1 && tree.symbol(at) === scoped) {
      segments.unshift(tree.textOf(tree.child(at, nameField)));
      at = tree.child(at, pathField);
    }
    if (at !== -1) segments.unshift(tree.textOf(at));
    return segments;
  };

  return (tree, declaration) => {
    const leaves: UseLeaf[] = [];
    const addPath = (path: readonly string[], at: number, local?: string): void => {
      const name = path.at(-1) ?? '';
      const isModule = path.length === 1;
      leaves.push({
        local: local ?? name,
        path: isModule ? path : path.slice(0, -1),
        name: isModule ? '*' : name,
        isStar: false,
        at,
      });
    };
    const open: { readonly node: number; readonly before: readonly string[] }[] = [
      { node: tree.child(declaration, argument), before: [] },
    ];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      const { node, before } = one;
      if (node === -1 || tree.isMissing(node)) continue;
      const kind = tree.symbol(node);
      const at = tree.start(node);
      if (kind === list || kind === scopedList) {
        const inner = kind === list ? node : tree.child(node, listField);
        const prefix = kind === list ? -1 : tree.child(node, pathField);
        const path = prefix === -1 ? before : before.concat(segmentsOf(tree, prefix));
        const parts: number[] = [];
        for (let part = inner === -1 ? -1 : tree.firstNamed(inner); part !== -1; part = tree.nextNamed(part))
          parts.push(part);
        for (const part of parts.toReversed()) open.push({ node: part, before: path });
      } else if (kind === wildcard) {
        const prefix = tree.firstNamed(node);
        const path = prefix === -1 ? before : before.concat(segmentsOf(tree, prefix));
        leaves.push({ local: '*', path, name: '*', isStar: true, at });
      } else if (kind === renamed) {
        const from = tree.child(node, pathField);
        const path = isSelf(tree, from, self) && before.length > 0 ? before : before.concat(segmentsOf(tree, from));
        addPath(path, tree.start(tree.child(node, alias)), tree.textOf(tree.child(node, alias)));
      } else if (kind === self && before.length > 0) addPath(before, at);
      else addPath(before.concat(segmentsOf(tree, node)), tree.end(node) - lastLength(tree, node, scoped, nameField));
    }
    return leaves;
  };
}

function isSelf(tree: FlatTree, node: number, self: number | undefined): boolean {
  return node !== -1 && tree.symbol(node) === self;
}

/** A path is found at its last name. */
function lastLength(tree: FlatTree, node: number, scoped: number | undefined, name: number): number {
  const last = tree.symbol(node) === scoped ? tree.child(node, name) : node;
  return last === -1 ? 0 : tree.end(last) - tree.start(last);
}
