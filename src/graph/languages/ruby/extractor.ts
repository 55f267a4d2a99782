import type { Extractor, Extracted } from '../language.ts';
import type { Writing } from '../repair-brackets.ts';
import { createTreeExtractor } from '../tree-walk.ts';
import { namingSymbols, rubyFields, rubySymbols } from './expressions.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import { finishDraft } from '../facts-draft.ts';
import { aliasOf, assign, bindParameters, classLike, method } from './definitions.ts';
import type { RubyFields, RubySymbols } from './expressions.ts';
import { push, startWalk } from './file.ts';
import type { Frame, RubyWalk } from './file.ts';
import { call, callSuper, constantUse, word } from './sites.ts';

function extractRuby(tree: FlatTree, S: RubySymbols, F: RubyFields, naming: ReadonlySet<number>): Extracted {
  const w = startWalk(tree, S, F, naming);
  for (let node = 1; node < tree.count; node++) {
    while (node >= w.frame.after) {
      w.frames.pop();
      w.frame = w.frames[w.frames.length - 1] as Frame;
    }
    // What the text lacks has no name.
    if (!tree.isMissing(node)) visit(w, node, tree.symbol(node));
  }
  return finishDraft(w.draft, tree.damaged, () => true);
}

function visit(w: RubyWalk, node: number, symbol: number): void {
  if (symbol === w.S.call) call(w, node);
  else if (symbol === w.S.identifier) word(w, node);
  else if (symbol === w.S.constant) constantUse(w, node);
  else if (symbol === w.S.comment) w.comments.note(w.tree.start(node), w.tree.end(node));
  else if (symbol === w.S.assignment || symbol === w.S.operator_assignment) assign(w, node);
  else if (symbol === w.S.method) {
    const before = w.frame.access;
    if (w.inlineAccess !== undefined && node < w.inlineAccess) w.frame.access = 'private';
    const outer = w.frame;
    method(w, node, false);
    outer.access = before;
    w.inlineAccess = undefined;
  } else if (symbol === w.S.singleton_method) method(w, node, true);
  else if (symbol === w.S.class && w.tree.isNamed(node)) classLike(w, node, 'class');
  else if (symbol === w.S.module && w.tree.isNamed(node)) classLike(w, node, 'namespace');
  else if (symbol === w.S.alias) aliasOf(w, node);
  else if (symbol === w.S.singleton_class) push(w, node, w.frame.index, 'class', true);
  else if (symbol === w.S.super && w.tree.field(node) !== w.F.method) callSuper(w, node, undefined);
  else if (symbol === w.S.block || symbol === w.S.do_block || symbol === w.S.lambda)
    bindParameters(w, w.tree.child(node, w.F.parameters), w.tree.start(node), w.tree.end(node));
}

const WRITING: Writing = {
  starts: /(?:def|class|module|end|private|protected|public|attr_\w+|include|extend)\b/y,
  lineComment: '#',
  longQuote: '"',
};

export function createExtractor(): Promise<Extractor> {
  return createTreeExtractor(
    'ruby',
    (grammar, tree) => {
      const symbols = rubySymbols(grammar);
      return { tree, symbols, fields: rubyFields(grammar), naming: namingSymbols(symbols) };
    },
    ({ tree, symbols, fields, naming }) => extractRuby(tree, symbols, fields, naming),
    WRITING,
  );
}
