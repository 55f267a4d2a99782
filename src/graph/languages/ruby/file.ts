import type { DefinitionKind, Trait } from '../../model/facts.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import { addDefinition, headOf, startDraft, watchComments } from '../facts-draft.ts';
import type { Comments, DefinitionDraft, FactsDraft } from '../facts-draft.ts';
import { createRubyReader } from './expressions.ts';
import type { RubyFields, RubySymbols } from './expressions.ts';

export interface Frame {
  readonly after: number;
  readonly index: number;
  readonly kind: 'outside' | 'class' | 'method';
  readonly to: number;
  readonly isStatic: boolean;
  /** What is a variable here; any other bare word is a call. */
  readonly locals: Set<string>;
  access: 'public' | 'private';
}

export interface RubyWalk {
  readonly tree: FlatTree;
  readonly S: RubySymbols;
  readonly F: RubyFields;
  /** Kinds of nodes whose words are new variables. */
  readonly naming: ReadonlySet<number>;
  readonly text: string;
  readonly draft: FactsDraft;
  readonly read: ReturnType<typeof createRubyReader>;
  readonly comments: Comments;
  /** Constants that are referred to, by the definition around them. */
  readonly seen: Set<string>;
  readonly types: Map<string, number>;
  /** Members by the index of what has them and their name. */
  readonly owned: Map<string, DefinitionDraft>;
  readonly frames: Frame[];
  /** The innermost of `frames`. */
  frame: Frame;
  /** Up to this node a method is the argument of `private`. */
  inlineAccess: number | undefined;
}

export function startWalk(tree: FlatTree, S: RubySymbols, F: RubyFields, naming: ReadonlySet<number>): RubyWalk {
  const outermost: Frame = {
    after: tree.count,
    index: -1,
    kind: 'outside',
    to: tree.text.length,
    isStatic: false,
    locals: new Set(),
    access: 'public',
  };
  return {
    tree,
    S,
    F,
    naming,
    text: tree.text,
    draft: startDraft(),
    read: createRubyReader(tree, S, F),
    comments: watchComments(tree, () => true),
    seen: new Set(),
    types: new Map(),
    owned: new Map(),
    frames: [outermost],
    frame: outermost,
    inlineAccess: undefined,
  };
}

export function push(w: RubyWalk, node: number, index: number, kind: Frame['kind'], isStatic = false): void {
  w.frame = {
    after: w.tree.after(node),
    index,
    kind,
    to: w.tree.end(node),
    isStatic,
    locals: new Set(),
    access: 'public',
  };
  w.frames.push(w.frame);
}

export function ownerIndex(w: RubyWalk): number {
  for (let at = w.frames.length - 1; at > 0; at--) {
    const { kind, index } = w.frames[at] as Frame;
    if (kind === 'class') return index;
  }
  return -1;
}

export function define(
  w: RubyWalk,
  node: number,
  name: string,
  at: number,
  kind: DefinitionKind,
  headEnd: number,
  traits: readonly Trait[] = [],
) {
  const start = w.tree.start(node);
  const definition = addDefinition(w.draft, name, kind, w.frame.index, start, w.tree.end(node), at);
  definition.signature = headOf(w.text, start, headEnd);
  const doc = w.comments.before(start)?.replace(/^#+\s*/, '');
  if (doc) definition.doc = doc;
  definition.traits = traits;
  if (w.frame.access === 'private' && kind === 'method') definition.visibility = 'private';
  definition.exported = definition.visibility === 'public' && w.frame.kind !== 'method';
  if (w.frame.index !== -1) w.owned.set(`${w.frame.index}:${name}`, definition);
  return definition;
}
