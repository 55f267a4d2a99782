import type { Expression } from '../../model/expression.ts';
import { finishDraft } from '../facts-draft.ts';
import type { Extracted, Extractor } from '../language.ts';
import type { Writing } from '../repair-brackets.ts';
import { createTreeExtractor, leave } from '../tree-walk.ts';
import { begin, enter, passAttribute, push, startWalk } from './file.ts';
import type { RustWalk } from './file.ts';
import { aliasItem, constantItem, externCrate, functionItem, look, macroItem, modItem, useItem } from './items.ts';
import { bindPattern, closure, letDeclaration, matched } from './patterns.ts';
import { callSite, macroSite, pathValue, structSite, tokens, typeName, valueName } from './sites.ts';
import { ROLE } from './symbols.ts';
import { implItem, traitItem, typeItem } from './types.ts';

const WRITING: Writing = {
  starts:
    /(?:#!?\[|(?:pub|async|unsafe|const|extern|fn|struct|enum|trait|impl|mod|use|type|static|union)\b|macro_rules!)/y,
  lineComment: '//',
  longQuote: '"',
  shortQuote: true,
};

export function createExtractor(): Promise<Extractor> {
  return createTreeExtractor('rust', startWalk, walk, WRITING);
}

function walk(w: RustWalk): Extracted {
  begin(w);
  look(w);
  for (let node = 1; node < w.tree.count; node++) {
    while (node >= w.frame.after) leave(w);
    switch (w.roles[w.tree.symbol(node)] ?? 0) {
      case ROLE.comment:
        w.comments.note(w.tree.start(node), w.tree.end(node));
        passAttribute(w, node);
        break;
      case ROLE.attribute:
        w.comments.pass(w.tree.start(node), w.tree.end(node));
        passAttribute(w, node);
        node = w.tree.after(node) - 1;
        break;
      case ROLE.use:
        useItem(w, node);
        node = w.tree.after(node) - 1;
        break;
      case ROLE.module:
        modItem(w, node);
        break;
      case ROLE.crate:
        externCrate(w, node);
        break;
      case ROLE.function:
        functionItem(w, node);
        break;
      case ROLE.type:
        typeItem(w, node);
        push(w, node, w.indexOfType.get(node) ?? w.frame.within, w.frame.block);
        break;
      case ROLE.trait:
        traitItem(w, node);
        break;
      case ROLE.impl:
        implItem(w, node);
        break;
      case ROLE.alias:
        aliasItem(w, node);
        break;
      case ROLE.constant:
        constantItem(w, node, 'constant');
        break;
      case ROLE.static:
        constantItem(w, node, 'variable');
        break;
      case ROLE.macro:
        macroItem(w, node);
        node = w.tree.after(node) - 1;
        break;
      case ROLE.scope:
        enter(w, node);
        break;
      case ROLE.arm:
        enter(w, node);
        bindPattern(
          w,
          w.tree.child(node, w.field.pattern),
          w.tree.start(node),
          undefined,
          w.read.value(matched(w, node)),
        );
        break;
      case ROLE.for:
        enter(w, node);
        bindPattern(w, w.tree.child(node, w.field.pattern), w.tree.start(w.tree.child(node, w.field.body)), undefined, {
          is: 'each',
          of: w.read.value(w.tree.child(node, w.field.value)),
        });
        break;
      case ROLE.let:
        letDeclaration(w, node);
        break;
      case ROLE.condition:
        bindPattern(
          w,
          w.tree.child(node, w.field.pattern),
          w.tree.end(node),
          undefined,
          w.read.value(w.tree.child(node, w.field.value)),
        );
        break;
      case ROLE.closure:
        closure(w, node);
        break;
      case ROLE.call:
        callSite(w, node);
        break;
      case ROLE.struct:
        structSite(w, node);
        break;
      case ROLE.macroCall:
        macroSite(w, node);
        break;
      case ROLE.tokens:
        tokens(w, node);
        break;
      case ROLE.typeName:
        typeName(w, node);
        break;
      case ROLE.name:
        valueName(w, node);
        break;
      case ROLE.path:
        pathValue(w, node);
        break;
    }
  }
  const given = new Set(w.draft.imports.map(({ local }) => local));
  for (const { name } of w.draft.definitions) given.add(name);
  return finishDraft(w.draft, w.tree.damaged, ({ name, kind, receiver }) => {
    if (receiver === undefined) return given.has(name) || (kind === 'type' && given.has('*'));
    const root = rootOf(receiver);
    return root !== undefined && given.has(root);
  });
}

function rootOf(expression: Expression): string | undefined {
  let at = expression;
  while (at.is === 'member') at = at.of;
  return at.is === 'name' ? at.name : undefined;
}
