import type {
  Node,
  ObjectExpression,
  TSEnumDeclaration,
  TSImportEqualsDeclaration,
  TSModuleDeclaration,
  TSGlobalDeclaration,
  TSTypeAliasDeclaration,
  VariableDeclaration,
  VariableDeclarator,
} from 'oxc-parser';
import type { DefinitionKind, Trait } from '../../model/facts.ts';
import type { Expression } from '../../model/expression.ts';
import { UNKNOWN } from '../../model/expression.ts';
import { bindPattern, bindVariable, isUnset, literalIn } from './bindings.ts';
import { isLong, visitClass, visitSignature } from './classes.ts';
import { annotationOf, keyName, valueOf } from './expressions.ts';
import { enterFunction, fillFunction, functionTraits, headEnd } from './functions.ts';
import * as make from './make.ts';
import { importRequired } from './modules.ts';
import { referCall } from './references.ts';
import { noteStandIn } from './stand-ins.ts';
import { entityOf, genericsOf, typeOf } from './types.ts';
import { define, lastIndex, markLocal, spanOf } from './walk.ts';
import type { DeclarationSpan, Walk } from './walk.ts';

export function visitVariables(walk: Walk, node: VariableDeclaration): void {
  const { outer } = walk;
  for (const declarator of node.declarations) {
    walk.outer = outer;
    visitVariable(walk, node, declarator);
  }
  walk.outer = undefined;
}

function visitVariable(walk: Walk, node: VariableDeclaration, declarator: VariableDeclarator): void {
  const { id, init } = declarator;
  if (init && importRequired(walk, id, init)) {
    referCall(walk, init);
    return;
  }
  if (id.type === 'Identifier' && init) {
    if (init.type === 'ClassExpression') {
      visitClass(walk, init, variableSpan(walk, node, declarator));
      return;
    }
    const { value, cast } = withoutCasts(init);
    if (value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression') {
      const { heights } = walk.t;
      const annotation = annotationOf(id) ?? cast;
      const expected = annotation && make.as(heights, typeOf(heights, annotation));
      if (annotation) walk.visitType(annotation);
      const span = variableSpan(walk, node, declarator);
      const definition = define(walk, 'function', span, headEnd(value), functionTraits(value));
      if (walk.isLocal) markLocal(walk, definition, node.kind === 'var' ? walk.body : walk.block);
      fillFunction(walk, definition, value, expected);
      enterFunction(walk, value, lastIndex(walk), expected);
      return;
    }
  }
  if (walk.isLocal) bindVariable(walk, node, declarator);
  else defineVariable(walk, node, declarator, variableSpan(walk, node, declarator));
}

/** `(…) as T` is what stands in the brackets; of several casts the outermost says what it is. */
function withoutCasts(node: Node): { readonly value: Node; readonly cast: Node | undefined } {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSTypeAssertion':
    case 'TSSatisfiesExpression':
      return { value: withoutCasts(node.expression).value, cast: node.typeAnnotation };
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return withoutCasts(node.expression);
    default:
      return { value: node, cast: undefined };
  }
}

/** One alone has the keyword, so that it reads as a whole. */
function variableSpan(walk: Walk, node: VariableDeclaration, declarator: VariableDeclarator): DeclarationSpan {
  const { id } = declarator;
  const isOnly = node.declarations.length === 1;
  const span = spanOf(walk, isOnly ? node : declarator, id.type === 'Identifier' ? id.name : '', id.start);
  return isOnly ? span : { ...span, start: declarator.start, end: declarator.end };
}

function defineVariable(
  walk: Walk,
  node: VariableDeclaration,
  declarator: VariableDeclarator,
  span: DeclarationSpan,
): void {
  const { id, init } = declarator;
  const { heights } = walk.t;
  const annotation = annotationOf(id);
  const type = annotation && typeOf(heights, annotation);
  if (id.type !== 'Identifier') {
    if (annotation) walk.visitType(annotation);
    if (init) walk.visit(init);
    bindPattern(walk, id, type ? make.as(heights, type) : init ? valueOf(walk.t, init) : UNKNOWN, id, span);
    return;
  }
  const kind: DefinitionKind = node.kind === 'const' ? 'constant' : 'variable';
  const traits: Trait[] = type?.is === 'function' ? ['callable'] : [];
  const definition = define(walk, kind, span, init && isLong(init) ? init.start : span.end, traits);
  if (type) definition.type = type;
  else if (isUnset(init)) walk.unset.set(id.name, definition);
  else if (init) definition.values = [make.fit(heights, valueOf(walk.t, init))];
  const { within } = walk;
  walk.within = lastIndex(walk);
  if (annotation) walk.visitType(annotation);
  if (init) {
    const expected = type && make.as(heights, type);
    const literal = literalIn(init);
    if (literal) {
      walk.members.set(walk.within, new Map());
      defineProperties(walk, literal, expected);
    } else if (expected) walk.visitExpecting(init, expected);
    else walk.visit(init);
    if (literal !== undefined && literal !== init) visitTypeAround(walk, init);
  }
  walk.within = within;
}

/** The type in `{…} satisfies T`. */
function visitTypeAround(walk: Walk, node: Node): void {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' || node.type === 'TSTypeAssertion') {
    walk.visitType(node.typeAnnotation);
    visitTypeAround(walk, node.expression);
  }
  referCall(walk, node);
}

/** Methods and fields of an object that has a name. */
export function defineProperties(walk: Walk, node: ObjectExpression, expected: Expression | undefined): void {
  const { heights } = walk.t;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      walk.visit(property.argument);
      continue;
    }
    if (property.computed) walk.visit(property.key);
    const { value, key } = property;
    const name = keyName(key, property.computed);
    const wanted = expected && name !== undefined ? make.member(heights, expected, name) : undefined;
    const isFunction = value.type === 'ArrowFunctionExpression' || value.type === 'FunctionExpression';
    if (name === undefined) {
      walk.visit(value);
      continue;
    }
    const span = spanOf(walk, property, name, key.start);
    const traits = isFunction ? functionTraits(value) : [];
    if (property.kind === 'get') traits.push('getter');
    if (property.kind === 'set') traits.push('setter');
    const head = isFunction ? headEnd(value) : isLong(value) ? value.start : property.end;
    const definition = define(walk, isFunction ? 'method' : 'field', span, head, traits);
    definition.exported = false;
    const index = lastIndex(walk);
    if (isFunction) {
      fillFunction(walk, definition, value, wanted);
      const { thisClass } = walk;
      noteIn(walk, index, value, wanted, key.start);
      walk.thisClass = walk.within;
      enterFunction(walk, value, index, wanted);
      walk.thisClass = thisClass;
      continue;
    }
    definition.values = [make.fit(heights, valueOf(walk.t, value))];
    noteIn(walk, index, value, wanted, key.start);
    const { within } = walk;
    walk.within = index;
    if (wanted) walk.visitExpecting(value, wanted);
    else walk.visit(value);
    walk.within = within;
  }
}

/** A property with a definition of its own stands in for what its object should have. */
function noteIn(walk: Walk, index: number, value: Node, wanted: Expression | undefined, at: number): void {
  if (wanted === undefined) return;
  const { within } = walk;
  walk.within = index;
  noteStandIn(walk, value, wanted, at);
  walk.within = within;
}

export function visitTypeAlias(walk: Walk, node: TSTypeAliasDeclaration): void {
  const { heights } = walk.t;
  const { typeAnnotation } = node;
  const span = spanOf(walk, node, node.id.name, node.id.start);
  const definition = define(walk, 'type', span, isLong(typeAnnotation) ? typeAnnotation.start : node.end, []);
  if (walk.isLocal) markLocal(walk, definition, walk.block);
  definition.generics = genericsOf(heights, node.typeParameters);
  const { within } = walk;
  walk.within = lastIndex(walk);
  if (node.typeParameters) walk.visitType(node.typeParameters);
  const parts = typeAnnotation.type === 'TSIntersectionType' ? typeAnnotation.types : [typeAnnotation];
  const rest: Expression[] = [];
  for (const part of parts) {
    if (part.type === 'TSTypeLiteral') for (const member of part.members) visitSignature(walk, member);
    else {
      rest.push(typeOf(heights, part));
      walk.visitType(part);
    }
  }
  // What is written out are members of its own; the type is what it has besides.
  if (rest.length > 0) definition.type = make.several(heights, 'both', rest);
  walk.within = within;
}

export function visitEnum(walk: Walk, node: TSEnumDeclaration): void {
  const span = spanOf(walk, node, node.id.name, node.id.start);
  const definition = define(walk, 'enum', span, node.body.start, []);
  if (walk.isLocal) markLocal(walk, definition, walk.block);
  const { within } = walk;
  walk.within = lastIndex(walk);
  for (const member of node.body.members) {
    const name = member.id.type === 'Identifier' ? member.id.name : keyName(member.id, true);
    if (name !== undefined) {
      const constant = define(walk, 'constant', spanOf(walk, member, name, member.id.start), member.end, []);
      constant.exported = false;
    }
    if (member.initializer) walk.visit(member.initializer);
  }
  walk.within = within;
}

export function visitNamespace(walk: Walk, node: TSModuleDeclaration | TSGlobalDeclaration): void {
  const { within, isAmbient, isLocal } = walk;
  const around = spanOf(walk, node, '', node.id.start);
  const head = node.body?.start ?? node.end;
  for (const { name, at } of namesOf(node.id)) {
    define(walk, 'namespace', { ...around, name, at }, head, node.body ? [] : ['declared']);
    walk.within = lastIndex(walk);
  }
  walk.isLocal = false;
  if (node.declare) walk.isAmbient = true;
  for (const statement of node.body?.body ?? []) walk.visit(statement);
  walk.within = within;
  walk.isAmbient = isAmbient;
  walk.isLocal = isLocal;
}

function namesOf(id: Node): { name: string; at: number }[] {
  if (id.type === 'TSQualifiedName') return [...namesOf(id.left), { name: id.right.name, at: id.right.start }];
  return [{ name: id.type === 'Identifier' ? id.name : (keyName(id, true) ?? ''), at: id.start }];
}

/** `import a = b.c`; the one with `require` is an import like others. */
export function defineAlias(walk: Walk, node: TSImportEqualsDeclaration): void {
  const span = spanOf(walk, node, node.id.name, node.id.start);
  const definition = define(walk, 'constant', span, node.end, []);
  if (walk.isLocal) markLocal(walk, definition, walk.block);
  definition.values = [entityOf(walk.t.heights, node.moduleReference)];
}
