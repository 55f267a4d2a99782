import type { DefinitionKind, Trait } from '../../model/facts.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import { addDefinition, headOf, startDraft, watchComments } from '../facts-draft.ts';
import type { Comments, DefinitionDraft, FactsDraft } from '../facts-draft.ts';
import { createCReader } from './expressions.ts';
import type { CReader } from './expressions.ts';
import type { CFields, CSymbols } from './grammar.ts';
import { createCReferences } from './references.ts';

export interface Frame {
  /** Holds up to this node. */
  readonly after: number;
  /** -1 for the module. */
  readonly index: number;
  readonly kind: 'outside' | 'class' | 'function';
  /** What is in a nameless namespace belongs to this file alone. */
  readonly isHidden: boolean;
  access: 'public' | 'private';
}

export interface CWalk {
  readonly tree: FlatTree;
  readonly S: CSymbols;
  readonly F: CFields;
  readonly text: string;
  readonly draft: FactsDraft;
  readonly read: CReader;
  readonly comments: Comments;
  readonly references: ReturnType<typeof createCReferences>;
  /** Classes of this file by name. */
  readonly classes: Map<string, number>;
  readonly frames: Frame[];
  /** The innermost of `frames`. */
  frame: Frame;
  hasProjectInclude: boolean;
}

export function startWalk(tree: FlatTree, S: CSymbols, F: CFields): CWalk {
  const draft = startDraft();
  const read = createCReader(tree, S, F);
  const outermost: Frame = { after: tree.count, index: -1, kind: 'outside', isHidden: false, access: 'public' };
  return {
    tree,
    S,
    F,
    text: tree.text,
    draft,
    read,
    comments: watchComments(tree, () => true),
    references: createCReferences(tree, S, F, read, draft),
    classes: new Map(),
    frames: [outermost],
    frame: outermost,
    hasProjectInclude: false,
  };
}

export function push(
  w: CWalk,
  node: number,
  index: number,
  kind: Frame['kind'],
  isHidden = w.frame.isHidden,
  access = w.frame.access,
): void {
  w.frame = { after: w.tree.after(node), index, kind, isHidden, access };
  w.frames.push(w.frame);
}

function wholeOf(w: CWalk, node: number): number {
  const parent = w.tree.parent(node);
  return parent !== -1 && w.tree.symbol(parent) === w.S.template_declaration ? parent : node;
}

export function define(
  w: CWalk,
  node: number,
  nameNode: number,
  kind: DefinitionKind,
  headEnd: number,
  traits: readonly Trait[] = [],
  container = w.frame.index,
): DefinitionDraft {
  const whole = wholeOf(w, node);
  const start = w.tree.start(whole);
  const name = w.tree.textOf(nameNode).replace(/\s+/g, ' ');
  const definition = addDefinition(w.draft, name, kind, container, start, w.tree.end(node), w.tree.start(nameNode));
  definition.signature = headOf(w.text, start, headEnd);
  const doc = w.comments.before(start);
  if (doc !== undefined) definition.doc = doc;
  const isMember = w.frame.kind === 'class';
  if (isMember && w.frame.access === 'private') definition.visibility = 'private';
  const isLocal = w.frame.kind === 'function';
  definition.exported =
    !isLocal && !w.frame.isHidden && (isMember ? w.frame.access === 'public' : !hasWord(w, node, 'static'));
  definition.traits = isLocal ? [...traits, 'local'] : traits;
  if (whole !== node) definition.generics = w.read.generics(whole);
  return definition;
}

export function hasWord(w: CWalk, node: number, word: string): boolean {
  for (let at = w.tree.firstChild(node); at !== -1; at = w.tree.nextSibling(at)) {
    const symbol = w.tree.symbol(at);
    if ((symbol === w.S.storage_class_specifier || symbol === w.S.type_qualifier) && w.tree.textOf(at) === word)
      return true;
    if (w.tree.field(at) === w.F.declarator) break;
  }
  return false;
}
