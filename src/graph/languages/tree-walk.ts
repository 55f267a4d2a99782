import type { Expression } from '../model/expression.ts';
import type { Reference } from '../model/facts.ts';
import { parserLimitFor } from '../parse/budget.ts';
import type { FlatTree } from '../parse/flat-tree.ts';
import { loadGrammar } from '../parse/tree-sitter.ts';
import type { Grammar } from '../parse/tree-sitter.ts';
import { addReference, finishDraft, startDraft, watchComments } from './facts-draft.ts';
import type { Comments, FactsDraft } from './facts-draft.ts';
import type { Extracted, Extractor } from './language.ts';
import { readRepaired } from './repair-brackets.ts';
import type { Writing } from './repair-brackets.ts';

/** What surrounds a node: the definition, and the range in which a name would be visible. */
export interface Frame {
  /** Holds up to this node. */
  readonly after: number;
  readonly within: number;
  readonly from: number;
  readonly to: number;
}

/** One walk serves all files: what belongs to the file at hand is set by `beginFile`. */
export interface TreeWalk<F extends Frame = Frame> {
  readonly tree: FlatTree;
  draft: FactsDraft;
  text: string;
  comments: Comments;
  readonly frames: F[];
  /** The innermost of `frames`. */
  frame: F;
}

type IsDoc = (text: string, start: number) => boolean;

export async function createTreeExtractor<W>(
  language: Parameters<typeof loadGrammar>[0],
  start: (grammar: Grammar, tree: FlatTree) => W,
  walk: (w: W) => Extracted,
  writing: Writing,
): Promise<Extractor> {
  const grammar = await loadGrammar(language);
  let w: W | undefined;
  const read = (text: string): Extracted => {
    const tree = grammar.parse(text, parserLimitFor(text.length));
    if (tree === undefined) return finishDraft(startDraft(), true, () => false);
    // There is one tree, which every parse fills anew.
    w ??= start(grammar, tree);
    return walk(w);
  };
  return { extract: ({ text }) => readRepaired(text, writing, read) };
}

export function startTreeWalk<F extends Frame>(tree: FlatTree, outermost: F, isDoc: IsDoc): TreeWalk<F> {
  return {
    tree,
    draft: startDraft(),
    text: tree.text,
    comments: watchComments(tree, isDoc),
    frames: [outermost],
    frame: outermost,
  };
}

/** The tree has been filled with another file. */
export function beginFile<F extends Frame>(w: TreeWalk<F>, outermost: F, isDoc: IsDoc): void {
  w.draft = startDraft();
  w.text = w.tree.text;
  w.comments = watchComments(w.tree, isDoc);
  w.frame = outermost;
  w.frames.length = 0;
  w.frames.push(outermost);
}

export function leave<F extends Frame>(w: TreeWalk<F>): void {
  w.frames.pop();
  w.frame = w.frames[w.frames.length - 1] as F;
}

export function lastIndex(w: TreeWalk): number {
  return w.draft.definitions.length - 1;
}

/** A reference by the name that a node is, nothing where the text lacks it. */
export function addSite(
  w: TreeWalk,
  node: number,
  kind: Reference['kind'],
  receiver?: Expression,
  args?: number,
  given?: readonly Expression[],
): void {
  if (node === -1 || w.tree.isMissing(node)) return;
  const { within } = w.frame;
  addReference(w.draft.references, within, w.tree.textOf(node), kind, w.tree.start(node), receiver, args, given);
}

/** The same of what counts only if nothing local is meant. */
export function addCandidate(w: TreeWalk, node: number, kind: Reference['kind'], receiver?: Expression): void {
  if (node === -1 || w.tree.isMissing(node)) return;
  addReference(w.draft.candidates, w.frame.within, w.tree.textOf(node), kind, w.tree.start(node), receiver);
}

/** What to do at each kind of node. */
export type Roles = readonly (readonly [role: number, ...types: string[]])[];

/** The same by the number of the kind. */
export function rolesOf({ symbol }: Grammar, roles: Roles): Uint8Array {
  const byNumber = new Uint8Array(0x10000);
  for (const [role, ...types] of roles) for (const type of types) byNumber[symbol(type)] = role;
  return byNumber;
}
