import type { Node } from 'oxc-parser';
import type { Reference } from '../../model/facts.ts';
import { importInPlace } from './modules.ts';
import { entityOf } from './types.ts';
import { visitChildren } from './walk.ts';
import type { Visits, Walk } from './walk.ts';

const annotation = (walk: Walk, node: { readonly typeAnnotation?: Node | null }): void => {
  if (node.typeAnnotation) visitType(walk, node.typeAnnotation);
};

const nothing = (): void => undefined;

const VISITS: Visits = {
  TSTypeReference(walk, node) {
    refer(walk, node.typeName, walk.draft.candidates, 'type');
    if (node.typeArguments) visitType(walk, node.typeArguments);
  },
  TSTypeQuery(walk, node) {
    if (node.exprName.type === 'TSImportType') visitType(walk, node.exprName);
    else refer(walk, node.exprName, walk.draft.references, 'reference');
    if (node.typeArguments) visitType(walk, node.typeArguments);
  },
  TSImportType(walk, node) {
    importInPlace(walk, 'type', node.source, node.start);
    if (node.typeArguments) visitType(walk, node.typeArguments);
  },
  Identifier: annotation,
  TSTypePredicate: annotation,
  TSPropertySignature: annotation,
  TSTypeAnnotation: annotation,
  TSTypeParameter(walk, node) {
    if (node.constraint) visitType(walk, node.constraint);
    if (node.default) visitType(walk, node.default);
  },
  TSLiteralType: nothing,
  MemberExpression: nothing,
  Literal: nothing,
  TSStringKeyword: nothing,
  TSNumberKeyword: nothing,
  TSBooleanKeyword: nothing,
  TSVoidKeyword: nothing,
  TSAnyKeyword: nothing,
};

/** Finds the names in a type. Whether they count is known when the whole file is. */
export function visitType(walk: Walk, node: Node): void {
  const visit = VISITS[node.type] as ((walk: Walk, node: Node) => void) | undefined;
  if (visit) visit(walk, node);
  else visitChildren(node, walk.visitType);
}

function refer(walk: Walk, node: Node, into: Reference[], kind: 'type' | 'reference'): void {
  const { within } = walk;
  if (node.type === 'Identifier') {
    if (kind === 'type' || walk.names.has(node.name)) into.push({ within, name: node.name, kind, at: node.start });
  } else if (node.type === 'TSQualifiedName') {
    let root: Node = node;
    while (root.type === 'TSQualifiedName') root = root.left;
    if (kind === 'reference' && (root.type !== 'Identifier' || !walk.names.has(root.name))) return;
    const receiver = entityOf(walk.t.heights, node.left);
    into.push({ within, name: node.right.name, kind, at: node.right.start, receiver });
  }
}
