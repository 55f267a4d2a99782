import { finishDraft } from '../facts-draft.ts';
import type { Extracted, Extractor } from '../language.ts';
import type { Writing } from '../repair-brackets.ts';
import { createTreeExtractor, leave } from '../tree-walk.ts';
import {
  annotationElement,
  classDeclaration,
  constructorDeclaration,
  enumConstant,
  fieldDeclaration,
  importDeclaration,
  methodDeclaration,
} from './definitions.ts';
import { begin, lastName, push, startWalk } from './file.ts';
import type { JavaWalk } from './file.ts';
import {
  annotation,
  callSite,
  constructSite,
  creationSite,
  memberValue,
  methodReference,
  typeName,
  valueName,
} from './sites.ts';
import { ROLE } from './symbols.ts';
import { catchClause, forEach, lambda, localVariables, pattern, resource } from './variables.ts';

const WRITING: Writing = {
  starts:
    /(?:@\w|(?:public|private|protected|static|final|abstract|class|interface|enum|record|import)\b|(?!(?:return|else|new|throw|case|assert|yield)\b)[\w.]+(?:<[^;(){}]*>)?(?:\[\])*[ \t]+\w+[ \t]*\([^;(){}]*\)[^;(){}]*\{)/y,
  lineComment: '//',
  longQuote: '"""',
};

export function createExtractor(): Promise<Extractor> {
  return createTreeExtractor('java', startWalk, walk, WRITING);
}

function walk(w: JavaWalk): Extracted {
  begin(w);
  for (let node = 1; node < w.tree.count; node++) {
    while (node >= w.frame.after) leave(w);
    switch (w.roles[w.tree.symbol(node)]) {
      case ROLE.comment:
        w.comments.note(w.tree.start(node), w.tree.end(node));
        break;
      case ROLE.package: {
        const name = w.tree.childOf(node, w.symbol.scoped);
        w.draft.package = w.tree.textOf(name === -1 ? Math.max(w.tree.childOf(node, w.symbol.identifier), node) : name);
        break;
      }
      case ROLE.import:
        importDeclaration(w, node);
        node = w.tree.after(node) - 1;
        break;
      case ROLE.class:
        classDeclaration(w, node);
        break;
      case ROLE.method:
        methodDeclaration(w, node);
        break;
      case ROLE.constructor:
        constructorDeclaration(w, node);
        break;
      case ROLE.field:
        fieldDeclaration(w, node);
        break;
      case ROLE.constant:
        enumConstant(w, node);
        break;
      case ROLE.element:
        annotationElement(w, node);
        break;
      case ROLE.scope:
        push(w, node, w.frame.within);
        break;
      case ROLE.local:
        localVariables(w, node);
        break;
      case ROLE.for:
        forEach(w, node);
        break;
      case ROLE.resource:
        resource(w, node);
        break;
      case ROLE.catch:
        catchClause(w, node);
        break;
      case ROLE.lambda:
        lambda(w, node);
        break;
      case ROLE.pattern:
        pattern(w, w.tree.child(node, w.field.right), w.tree.child(node, w.field.name));
        break;
      case ROLE.typePattern:
      case ROLE.component:
        pattern(w, w.tree.firstNamed(node), lastName(w, node));
        break;
      case ROLE.call:
        callSite(w, node);
        break;
      case ROLE.construct:
        constructSite(w, node);
        break;
      case ROLE.creation:
        creationSite(w, node);
        break;
      case ROLE.reference:
        methodReference(w, node);
        break;
      case ROLE.annotation:
        annotation(w, node);
        break;
      case ROLE.typeName:
        typeName(w, node);
        break;
      case ROLE.access:
        memberValue(w, node);
        break;
      case ROLE.name:
        valueName(w, node);
        break;
      default: {
        const index = w.anonymous.get(node);
        if (index !== undefined) push(w, node, index);
      }
    }
  }
  return finishDraft(w.draft, w.tree.damaged, ({ receiver }) => receiver?.is !== 'unknown');
}
