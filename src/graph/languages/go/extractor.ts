import { finishDraft } from '../facts-draft.ts';
import type { Extracted, Extractor } from '../language.ts';
import type { Writing } from '../repair-brackets.ts';
import { createTreeExtractor, leave } from '../tree-walk.ts';
import { enterFunction, functionDeclaration, importSpec, methodDeclaration, typeSpec } from './definitions.ts';
import { begin, push, startWalk } from './file.ts';
import type { GoWalk } from './file.ts';
import { callSite, composite, conversion, memberValue, qualifiedType, typeName, valueName } from './sites.ts';
import { ROLE } from './symbols.ts';
import { rangeClause, shortVariables, typeCase, valueSpec } from './variables.ts';

const WRITING: Writing = {
  starts: /(?:func|type|var|const|import)\b/y,
  lineComment: '//',
  longQuote: '`',
  shortQuote: true,
};

export function createExtractor(): Promise<Extractor> {
  return createTreeExtractor('go', startWalk, walk, WRITING);
}

function walk(w: GoWalk): Extracted {
  begin(w);
  for (let node = w.tree.firstNamed(0); node !== -1; node = w.tree.nextNamed(node)) {
    if (w.tree.symbol(node) !== w.symbol.typeDeclaration) continue;
    for (let spec = w.tree.firstNamed(node); spec !== -1; spec = w.tree.nextNamed(spec)) {
      const name = w.tree.child(spec, w.field.name);
      if (name !== -1 && !w.typeNodes.has(w.tree.textOf(name))) w.typeNodes.set(w.tree.textOf(name), spec);
    }
  }
  for (let node = 1; node < w.tree.count; node++) {
    while (node >= w.frame.after) leave(w);
    const role = w.roles[w.tree.symbol(node)];
    if (role === undefined || role === 0) continue;
    switch (role) {
      case ROLE.comment:
        w.comments.note(w.tree.start(node), w.tree.end(node));
        break;
      case ROLE.package:
        w.draft.package = w.tree.textOf(w.tree.firstNamed(node));
        break;
      case ROLE.import:
        importSpec(w, node);
        break;
      case ROLE.function:
        functionDeclaration(w, node);
        break;
      case ROLE.method:
        methodDeclaration(w, node);
        break;
      case ROLE.type:
        typeSpec(w, node);
        push(w, node, w.indexOfType.get(node) ?? w.frame.within, w.frame.self);
        break;
      case ROLE.constants:
        w.constType = undefined;
        break;
      case ROLE.constant:
        valueSpec(w, node, true);
        break;
      case ROLE.variable:
        valueSpec(w, node, false);
        break;
      case ROLE.short:
        shortVariables(w, w.tree.child(node, w.field.left), w.tree.child(node, w.field.right), w.tree.end(node));
        break;
      case ROLE.receive:
        if (
          w.text
            .slice(w.tree.end(w.tree.child(node, w.field.left)), w.tree.start(w.tree.child(node, w.field.right)))
            .includes(':')
        ) {
          shortVariables(w, w.tree.child(node, w.field.left), w.tree.child(node, w.field.right), w.tree.end(node));
        }
        break;
      case ROLE.range:
        rangeClause(w, node);
        break;
      case ROLE.literal:
        enterFunction(w, node, w.functionNames.get(node) ?? w.frame.within, w.frame.self);
        break;
      case ROLE.scope:
        push(w, node, w.frame.within, w.frame.self);
        break;
      case ROLE.typeCase:
        push(w, node, w.frame.within, w.frame.self);
        typeCase(w, node);
        break;
      case ROLE.call:
        callSite(w, node);
        break;
      case ROLE.conversion:
        conversion(w, node);
        break;
      case ROLE.composite:
        composite(w, node);
        break;
      case ROLE.typeName:
        typeName(w, node);
        break;
      case ROLE.qualified:
        qualifiedType(w, node);
        break;
      case ROLE.name:
        valueName(w, node);
        break;
      case ROLE.member:
        memberValue(w, node);
        break;
    }
  }
  return finishDraft(w.draft, w.tree.damaged, () => true);
}
