import type { Expression } from '../../model/expression.ts';
import type { DefinitionKind } from '../../model/facts.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import { addBinding, addDefinition, headOf } from '../facts-draft.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { beginFile, rolesOf, startTreeWalk } from '../tree-walk.ts';
import type { Frame, TreeWalk } from '../tree-walk.ts';
import { createJavaExpressions } from './expressions.ts';
import type { JavaExpressions } from './expressions.ts';
import { fieldsOf, ROLES, symbolsOf } from './symbols.ts';

export interface JavaWalk extends TreeWalk {
  readonly symbol: ReturnType<typeof symbolsOf>;
  readonly field: ReturnType<typeof fieldsOf>;
  readonly roles: Uint8Array;
  readonly read: JavaExpressions;
  readonly variables: Set<string>;
  readonly imported: Set<string>;
  /** Classes and packages that are named by their path alone. */
  readonly qualified: Set<string>;
  /** Bodies of classes without a name, and their definitions. */
  readonly anonymous: Map<number, number>;
}

export function startWalk(grammar: Grammar, tree: FlatTree): JavaWalk {
  const w: JavaWalk = {
    ...startTreeWalk(tree, outermost(tree), isDoc),
    symbol: symbolsOf(grammar),
    field: fieldsOf(grammar),
    roles: rolesOf(grammar, ROLES),
    read: createJavaExpressions(grammar)(tree, {
      isVariable: (name) => w.variables.has(name),
      qualified: (name, at) => nameModule(w, name, name.slice(name.lastIndexOf('.') + 1), at),
    }),
    variables: new Set(),
    imported: new Set(),
    qualified: new Set(),
    anonymous: new Map(),
  };
  return w;
}

/** The tree has been filled with another file. */
export function begin(w: JavaWalk): void {
  beginFile(w, outermost(w.tree), isDoc);
  w.variables.clear();
  w.imported.clear();
  w.qualified.clear();
  w.anonymous.clear();
  w.read.forget();
}

function outermost(tree: FlatTree): Frame {
  return { after: tree.count, within: -1, from: 0, to: tree.text.length };
}

/** What is written with its package is as good as imported. */
export function nameModule(w: JavaWalk, module: string, name: string, at: number): string {
  if (!w.qualified.has(module)) {
    w.qualified.add(module);
    w.draft.imports.push({ local: module, module, name, kind: 'value', within: -1, at });
  }
  return module;
}

export function push(w: JavaWalk, node: number, within: number): void {
  w.frame = { after: w.tree.after(node), within, from: w.tree.start(node), to: w.tree.end(node) };
  w.frames.push(w.frame);
}

export function bind(
  w: JavaWalk,
  node: number,
  from: number,
  type: Expression | undefined,
  value: Expression | undefined,
): void {
  if (node === -1) return;
  const name = w.tree.textOf(node);
  w.variables.add(name);
  const { within, to } = w.frame;
  addBinding(w.draft, name, within, from, to, w.tree.start(node), type, value);
}

/** `var` says nothing; what it is set to does. */
export function declared(w: JavaWalk, type: number): Expression | undefined {
  return type === -1 || w.tree.textOf(type) === 'var' ? undefined : w.read.type(type);
}

export function define(
  w: JavaWalk,
  node: number,
  nameNode: number,
  kind: DefinitionKind,
  headEnd: number,
  words: ReadonlySet<string>,
  isOpen: boolean,
): DefinitionDraft {
  const start = startOf(w, node);
  const doc = w.comments.before(w.tree.start(node));
  const { within } = w.frame;
  const definition = addDefinition(
    w.draft,
    w.tree.textOf(nameNode),
    kind,
    within,
    start,
    w.tree.end(node),
    w.tree.start(nameNode),
  );
  definition.signature = headOf(w.text, start, headEnd);
  definition.exported = isOpen || words.has('public') || words.has('protected');
  if (words.has('private')) {
    definition.visibility = 'private';
    definition.exported = false;
  }
  if (doc !== undefined) definition.doc = doc;
  return definition;
}

export function bodyStart(w: JavaWalk, node: number): number {
  const body = w.tree.child(node, w.field.body);
  return body === -1 ? w.tree.end(node) : w.tree.start(body);
}

export function modifiersOf(w: JavaWalk, node: number): ReadonlySet<string> {
  const list = w.tree.childOf(node, w.symbol.modifiers);
  const words = new Set<string>();
  for (let word = list === -1 ? -1 : w.tree.firstChild(list); word !== -1; word = w.tree.nextSibling(word)) {
    if (!w.tree.isNamed(word)) words.add(w.tree.textOf(word));
  }
  return words;
}

/** Where a declaration starts when its annotations are left out. */
function startOf(w: JavaWalk, node: number): number {
  const list = w.tree.firstChild(node);
  if (list === -1 || w.tree.symbol(list) !== w.symbol.modifiers) return w.tree.start(node);
  let last = -1;
  for (let word = w.tree.firstChild(list); word !== -1; word = w.tree.nextSibling(word)) {
    const kind = w.tree.symbol(word);
    if (kind !== w.symbol.annotation && kind !== w.symbol.marker) return w.tree.start(word);
    last = word;
  }
  const next = w.tree.nextSibling(list);
  return last === -1 || next === -1 ? w.tree.start(node) : w.tree.start(next);
}

export function arrayOf(of: Expression, at: number): Expression {
  return {
    is: 'apply',
    of: { is: 'name', name: '[]', at },
    types: [of],
  };
}

export function lastName(w: JavaWalk, node: number): number {
  let last = -1;
  for (let one = w.tree.firstNamed(node); one !== -1; one = w.tree.nextNamed(one)) last = one;
  return last !== -1 && w.tree.symbol(last) === w.symbol.identifier ? last : -1;
}

/** Members of interfaces and annotations are public without a word. */
export function isInInterface(w: JavaWalk, node: number): boolean {
  const kind = w.tree.symbol(w.tree.parent(node));
  return kind === w.symbol.interfaceBody || kind === w.symbol.annotationBody;
}

/** Only comments with two stars document something. */
function isDoc(text: string, start: number): boolean {
  return text[start + 1] === '*' && text[start + 2] === '*';
}
