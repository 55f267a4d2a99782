import { PARSER_LIMIT_MS } from '../../parse/budget.ts';
import { loadGrammar } from '../../parse/tree-sitter.ts';
import { finishDraft, startDraft } from '../facts-draft.ts';
import {
  annotationElement,
  classDeclaration,
  constructorDeclaration,
  enumConstant,
  fieldDeclaration,
  importDeclaration,
  methodDeclaration,
} from './definitions.ts';
import { begin, lastName, leave, push, startWalk } from './file.ts';
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
import type { Extracted, Extractor, Source } from '../language.ts';

export async function createJavaExtractor(): Promise<Extractor> {
  const grammar = await loadGrammar('java');
  let w: JavaWalk | undefined;
  return {
    extract(source: Source): Extracted {
      const tree = grammar.parse(source.text, PARSER_LIMIT_MS);
      if (tree === undefined) return finishDraft(startDraft(), true, () => false);
      // There is one tree, which every parse fills anew.
      w ??= startWalk(grammar, tree);
      return walk(w);
    },
  };
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
