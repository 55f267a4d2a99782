import type { Expression } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import { addBinding, addDefinition, headOf } from '../facts-draft.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { beginFile, rolesOf, startTreeWalk } from '../tree-walk.ts';
import type { Frame, TreeWalk } from '../tree-walk.ts';
import { createGoExpressions } from './expressions.ts';
import type { GoExpressions } from './expressions.ts';
import { fieldsOf, ROLES, symbolsOf } from './symbols.ts';

export interface GoFrame extends Frame {
  /** Name of the receiver while a method is around; empty once something else has that name. */
  self: string;
}

export interface GoWalk extends TreeWalk<GoFrame> {
  readonly symbol: ReturnType<typeof symbolsOf>;
  readonly field: ReturnType<typeof fieldsOf>;
  readonly roles: Uint8Array;
  readonly read: GoExpressions;
  /** Names of variables so far: a call of an element of one is no generic call. */
  readonly variables: Set<string>;
  readonly imported: Set<string>;
  /** Types of the outer level, so that methods find their container wherever it stands. */
  readonly typeNodes: Map<string, number>;
  readonly typeIndex: Map<string, number>;
  readonly indexOfType: Map<number, number>;
  /** Function literals that are bound to a name. */
  readonly functionNames: Map<number, number>;
  /** What a constant without a type takes from the one before. */
  constType: Expression | undefined;
}

export function startWalk(grammar: Grammar, tree: FlatTree): GoWalk {
  const w: GoWalk = {
    ...startTreeWalk(tree, outermost(tree), isDoc),
    symbol: symbolsOf(grammar),
    field: fieldsOf(grammar),
    roles: rolesOf(grammar, ROLES),
    read: createGoExpressions(grammar)(tree, {
      isThis: (name) => name === w.frame.self && name !== '',
      isVariable: (name) => w.variables.has(name),
    }),
    variables: new Set(),
    imported: new Set(),
    typeNodes: new Map(),
    typeIndex: new Map(),
    indexOfType: new Map(),
    functionNames: new Map(),
    constType: undefined,
  };
  return w;
}

/** The tree has been filled with another file. */
export function begin(w: GoWalk): void {
  beginFile(w, outermost(w.tree), isDoc);
  w.variables.clear();
  w.imported.clear();
  w.typeNodes.clear();
  w.typeIndex.clear();
  w.indexOfType.clear();
  w.functionNames.clear();
  w.constType = undefined;
  w.read.forget();
}

function outermost(tree: FlatTree): GoFrame {
  return { after: tree.count, within: -1, from: 0, to: tree.text.length, self: '' };
}

export function push(w: GoWalk, node: number, within: number, self: string): void {
  w.frame = { after: w.tree.after(node), within, from: w.tree.start(node), to: w.tree.end(node), self };
  w.frames.push(w.frame);
}

export function bind(
  w: GoWalk,
  node: number,
  from: number,
  type: Expression | undefined,
  value: Expression | undefined,
): void {
  const name = w.tree.textOf(node);
  if (name === '_' || name === '') return;
  if (w.frame.self === name) w.frame.self = '';
  w.variables.add(name);
  addBinding(w.draft, name, w.frame.within, from, w.frame.to, w.tree.start(node), type, value);
}

export function define(
  w: GoWalk,
  nameNode: number,
  kind: DefinitionDraft['kind'],
  node: number,
  container: number,
  headEnd: number,
): DefinitionDraft {
  const name = w.tree.textOf(nameNode);
  const start = w.tree.start(node);
  const doc = w.comments.before(start);
  const definition = addDefinition(w.draft, name, kind, container, start, w.tree.end(node), w.tree.start(nameNode));
  definition.signature = headOf(w.text, start, headEnd);
  definition.exported = isExported(name) && (container === -1 || kind === 'method' || kind === 'field');
  definition.visibility = isExported(name) ? 'public' : 'private';
  if (doc !== undefined) definition.doc = doc;
  return definition;
}

function isExported(name: string): boolean {
  const first = name.charCodeAt(0);
  if (first < 128) return first >= 65 && first <= 90;
  return /^\p{Lu}/u.test(name);
}

/** Any comment right before something documents it. */
function isDoc(): boolean {
  return true;
}
