import type { Expression, Generic } from '../../model/expression.ts';
import type { DefinitionKind } from '../../model/facts.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { Grammar } from '../../parse/tree-sitter.ts';
import { addBinding, addDefinition, headOf } from '../facts-draft.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { beginFile, rolesOf, startTreeWalk } from '../tree-walk.ts';
import type { Frame, TreeWalk } from '../tree-walk.ts';
import { createRustExpressions } from './expressions.ts';
import type { RustExpressions } from './expressions.ts';
import { fieldsOf, ROLES, symbolsOf } from './symbols.ts';
import { createUseReader } from './uses.ts';

export interface RustFrame extends Frame {
  /** Where items are put: a module, or -1 for the file. */
  readonly container: number;
  /** The inline modules around. */
  readonly modules: readonly string[];
  readonly block: Block | undefined;
}

/** An `impl` block or a trait. */
export interface Block {
  readonly self: Expression;
  /** The definition that its items belong to, -1 when that is in another file. */
  readonly owner: number;
  readonly isTrait: boolean;
  /** Whether it implements a trait, so that its items are as visible as that. */
  readonly ofTrait: boolean;
  readonly generics: readonly Generic[];
  readonly at: number;
}

export interface RustWalk extends TreeWalk<RustFrame> {
  readonly symbol: ReturnType<typeof symbolsOf>;
  readonly field: ReturnType<typeof fieldsOf>;
  readonly roles: Uint8Array;
  readonly read: RustExpressions;
  readonly usesOf: ReturnType<typeof createUseReader>;
  /** Names that the file itself gives: items and what `use` brings in. */
  readonly known: Set<string>;
  /** Types by the list of items they stand in, so that `impl` blocks find them wherever they are. */
  readonly typeNodes: Map<string, number>;
  readonly indexOfType: Map<number, number>;
  /** Modules that are named by their path alone. */
  readonly namedModules: Set<string>;
  /** The item that the attributes before it say is there for tests. */
  tested: number;
}

export function startWalk(grammar: Grammar, tree: FlatTree): RustWalk {
  const w: RustWalk = {
    ...startTreeWalk(tree, outermost(tree), isDoc),
    symbol: symbolsOf(grammar),
    field: fieldsOf(grammar),
    roles: rolesOf(grammar, ROLES),
    read: createRustExpressions(grammar)(tree, {
      self: () => w.frame.block?.self,
      isKnown: (name) => w.known.has(name),
      module: (segments, at) => nameModule(w, segments, at),
    }),
    usesOf: createUseReader(grammar),
    known: new Set(),
    typeNodes: new Map(),
    indexOfType: new Map(),
    namedModules: new Set(),
    tested: -1,
  };
  return w;
}

/** The tree has been filled with another file. */
export function begin(w: RustWalk): void {
  beginFile(w, outermost(w.tree), isDoc);
  w.known.clear();
  w.typeNodes.clear();
  w.indexOfType.clear();
  w.namedModules.clear();
  w.tested = -1;
  w.read.forget();
}

function outermost(tree: FlatTree): RustFrame {
  return { after: tree.count, within: -1, from: 0, to: tree.text.length, container: -1, modules: [], block: undefined };
}

/** Paths inside inline modules, as seen from the file. */
export function modulePath(w: RustWalk, segments: readonly string[]): string {
  const { modules } = w.frame;
  const [root = ''] = segments;
  if (modules.length === 0 || (root !== 'self' && root !== 'super')) {
    if (modules.length > 0 && root !== 'crate' && w.known.has(`${modules.join('::')}::${root}`)) {
      return ['self', ...modules, ...segments].join('::');
    }
    return segments.join('::');
  }
  let depth = modules.length;
  let used = root === 'self' ? 1 : 0;
  while (segments[used] === 'super' && depth > 0) {
    used++;
    depth--;
  }
  const rest = segments.slice(used);
  if (rest[0] === 'super') return rest.join('::');
  return ['self', ...modules.slice(0, depth), ...rest].join('::');
}

export function push(w: RustWalk, node: number, within: number, block: Block | undefined): void {
  const { container, modules } = w.frame;
  w.frame = {
    after: w.tree.after(node),
    within,
    from: w.tree.start(node),
    to: w.tree.end(node),
    container,
    modules,
    block,
  };
  w.frames.push(w.frame);
}

export function enter(w: RustWalk, node: number): void {
  return push(w, node, w.frame.within, w.frame.block);
}

export function isPublic(w: RustWalk, node: number): boolean {
  return w.tree.childOf(node, w.symbol.visibility) !== -1;
}

export function define(
  w: RustWalk,
  node: number,
  nameNode: number,
  kind: DefinitionKind,
  container: number,
): DefinitionDraft {
  const start = w.tree.start(node);
  const body = w.tree.child(node, w.field.body);
  const doc = w.comments.before(start);
  const name = w.tree.textOf(nameNode);
  const definition = addDefinition(w.draft, name, kind, container, start, w.tree.end(node), w.tree.start(nameNode));
  definition.signature = headOf(
    w.text,
    start,
    body === -1 || kind === 'constant' ? w.tree.end(node) : w.tree.start(body),
  );
  definition.exported = isPublic(w, node);
  definition.visibility = definition.exported ? 'public' : 'private';
  if (doc !== undefined) definition.doc = doc;
  if (node === w.tested) definition.traits = ['test'];
  return definition;
}

/** `#[test]`, `#[tokio::test]`, `#[bench]`, `#[cfg(test)]`. */
const FOR_TESTS =
  /^#\[\s*(?:(?:\w+::)*(?:\w+_)?(?:test|bench|rstest|test_case|quickcheck)\s*(?:\]|\()|cfg\s*\(\s*(?:all\s*\(\s*)?test\s*[,)])/;

/** What stands between an attribute and its item, the attribute itself included. */
export function passAttribute(w: RustWalk, node: number): void {
  const isAttribute = w.tree.symbol(node) === w.symbol.attribute;
  if (node === w.tested || (isAttribute && FOR_TESTS.test(w.tree.textOf(node)))) w.tested = w.tree.after(node);
}

/** Puts an item of an `impl` block or trait where it belongs. */
export function belong(definition: DefinitionDraft, block: Block): void {
  if (block.isTrait || block.ofTrait) {
    definition.exported = true;
    definition.visibility = 'public';
  }
  if (block.isTrait) return;
  definition.bases = [{ how: 'adds', type: block.self, at: block.at }];
  definition.generics = block.generics.length === 0 ? definition.generics : block.generics.concat(definition.generics);
}

export function itemContainer(w: RustWalk): number {
  const { block, container, within } = w.frame;
  if (block !== undefined && isItemLevel(w)) return block.owner === -1 ? container : block.owner;
  return isItemLevel(w) ? container : within;
}

/** Directly in the file, a module, a trait or an `impl` block, not in a function. */
export function isItemLevel(w: RustWalk): boolean {
  const { within, container, block } = w.frame;
  return block === undefined
    ? within === container
    : within === block.owner || (block.owner === -1 && within === container);
}

export function typeKey(list: number, name: string): string {
  return `${list}:${name}`;
}

export function bindName(
  w: RustWalk,
  node: number,
  from: number,
  type: Expression | undefined,
  value: Expression | undefined,
): void {
  const name = w.tree.textOf(node);
  // A capital letter means a constant or a variant that is compared with.
  if (/^[A-Z]/.test(name)) return;
  const { within, to } = w.frame;
  addBinding(w.draft, name, within, from, to, w.tree.start(node), type, value);
}

/** A path to a module that no `use` has named gets an import of its own. */
function nameModule(w: RustWalk, segments: readonly string[], at: number): string {
  const module = modulePath(w, segments);
  if (!w.namedModules.has(module)) {
    w.namedModules.add(module);
    w.draft.imports.push({ local: module, module, name: '*', kind: 'value', within: -1, at });
  }
  return module;
}
/** `//!` and `/*!` document what is around them. */
function isDoc(text: string, start: number): boolean {
  const third = text[start + 2];
  return (third === '/' && text[start + 3] !== '/') || (third === '*' && text[start + 1] === '*');
}
