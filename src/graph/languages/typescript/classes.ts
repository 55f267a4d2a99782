import type { Class, ClassElement, Node, TSInterfaceDeclaration, TSSignature } from 'oxc-parser';
import type { Base, Trait } from '../../model/facts.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { keyName, parametersOf, valueOf } from './expressions.ts';
import { enterFunction, fillFunction, functionTraits, headEnd } from './functions.ts';
import * as make from './make.ts';
import { CALL_MEMBER, entityOf, genericsOf, INDEX_MEMBER, NEW_MEMBER, typeOf, typesOf } from './types.ts';
import { define, lastIndex, markLocal, spanOf } from './walk.ts';
import type { DeclarationSpan, Walk } from './walk.ts';

type Field = Extract<
  ClassElement,
  { type: 'PropertyDefinition' | 'AccessorProperty' | 'TSAbstractPropertyDefinition' }
>;
type Method = Extract<ClassElement, { type: 'MethodDefinition' | 'TSAbstractMethodDefinition' }>;

/** `bound` is that of the variable that an expression is the value of. */
export function visitClass(walk: Walk, node: Class, bound: DeclarationSpan | undefined): void {
  const isExpression = node.type === 'ClassExpression';
  const name = node.id?.name ?? (isExpression ? 'class' : 'default');
  const span = bound ?? spanOf(walk, node, name, node.id?.start ?? node.start);
  const traits: Trait[] = node.abstract ? ['abstract'] : [];
  const definition = define(walk, 'class', span, node.body.start, traits);
  if (walk.isLocal || (isExpression && !bound)) {
    markLocal(walk, definition, isExpression && !bound ? node : walk.block);
  }
  definition.generics = genericsOf(walk.t.heights, node.typeParameters);
  definition.bases = basesOf(walk, node);
  const index = lastIndex(walk);
  const { within, thisClass } = walk;
  walk.within = index;
  for (const decorator of node.decorators ?? []) walk.visit(decorator);
  if (node.typeParameters) walk.visitType(node.typeParameters);
  if (node.superClass && !isName(node.superClass)) walk.visit(node.superClass);
  if (node.superTypeArguments) walk.visitType(node.superTypeArguments);
  for (const { typeArguments } of node.implements ?? []) if (typeArguments) walk.visitType(typeArguments);
  walk.thisClass = index;
  walk.members.set(index, memberNames(node));
  for (const element of node.body.body) visitElement(walk, element);
  walk.within = within;
  walk.thisClass = thisClass;
}

function isName(node: Node): boolean {
  return node.type === 'Identifier' || (node.type === 'MemberExpression' && !node.computed && isName(node.object));
}

function basesOf(walk: Walk, node: Class): Base[] {
  const { heights } = walk.t;
  const bases: Base[] = [];
  const { superClass, superTypeArguments } = node;
  if (superClass) {
    const of = isName(superClass) ? entityOf(heights, superClass) : valueOf(walk.t, superClass);
    const type = superTypeArguments ? make.apply(heights, of, typesOf(heights, superTypeArguments.params)) : of;
    bases.push({ how: 'extends', type, at: nameStart(superClass) });
  }
  for (const { expression, typeArguments } of node.implements ?? []) {
    bases.push({ how: 'implements', type: heritage(walk, expression, typeArguments), at: nameStart(expression) });
  }
  return bases;
}

function heritage(walk: Walk, expression: Node, args: { readonly params: readonly Node[] } | null) {
  const of = entityOf(walk.t.heights, expression);
  return args ? make.apply(walk.t.heights, of, typesOf(walk.t.heights, args.params)) : of;
}

function nameStart(node: Node): number {
  return node.type === 'MemberExpression' && !node.computed ? node.property.start : node.start;
}

function memberNames(node: Class): Map<string, undefined> {
  const names = new Map<string, undefined>();
  for (const element of node.body.body) {
    if (!('key' in element)) continue;
    const name = keyName(element.key, element.computed);
    if (name !== undefined) names.set(name, undefined);
  }
  return names;
}

function visitElement(walk: Walk, element: ClassElement): void {
  switch (element.type) {
    case 'MethodDefinition':
    case 'TSAbstractMethodDefinition':
      visitMethod(walk, element);
      return;
    case 'PropertyDefinition':
    case 'TSAbstractPropertyDefinition':
    case 'AccessorProperty':
    case 'TSAbstractAccessorProperty':
      visitField(walk, element as Field);
      return;
    case 'StaticBlock': {
      const { block, body, isLocal } = walk;
      walk.block = element;
      walk.body = element;
      walk.isLocal = true;
      for (const statement of element.body) walk.visit(statement);
      walk.block = block;
      walk.body = body;
      walk.isLocal = isLocal;
      return;
    }
    case 'TSIndexSignature':
      defineIndex(walk, element);
      return;
    default:
  }
}

/** Members are reached through their class, wherever that is. */
function member(
  walk: Walk,
  kind: 'method' | 'field',
  span: DeclarationSpan,
  head: number,
  traits: Trait[],
): DefinitionDraft {
  const definition = define(walk, kind, span, head, traits);
  definition.exported = false;
  return definition;
}

function visitMethod(walk: Walk, node: Method): void {
  if (node.computed) walk.visit(node.key);
  const name = keyName(node.key, node.computed);
  if (name === undefined) {
    for (const decorator of node.decorators) walk.visit(decorator);
    enterFunction(walk, node.value, -1, undefined);
    return;
  }
  const traits = functionTraits(node.value);
  if (node.static) traits.push('static');
  if (node.type === 'TSAbstractMethodDefinition') traits.push('abstract');
  if (node.kind === 'get') traits.push('getter');
  if (node.kind === 'set') traits.push('setter');
  if (node.kind === 'constructor') traits.push('constructor');
  if (node.optional) traits.push('optional');
  const span = spanOf(walk, node, name, node.key.start);
  const definition = member(walk, 'method', span, headEnd(node.value), traits);
  if (node.accessibility === 'private') definition.visibility = 'private';
  if (node.kind === 'constructor') definition.visibility = 'special';
  fillFunction(walk, definition, node.value, undefined);
  if (node.kind === 'constructor') definition.values = [];
  const index = lastIndex(walk);
  visitDecorators(walk, node.decorators, index);
  if (node.kind === 'constructor') defineParameterFields(walk, node);
  enterFunction(walk, node.value, index, undefined);
}

function visitDecorators(walk: Walk, decorators: readonly Node[], index: number): void {
  const { within } = walk;
  walk.within = index;
  for (const decorator of decorators) walk.visit(decorator);
  walk.within = within;
}

/** `constructor(private a: A)` declares a field. */
function defineParameterFields(walk: Walk, node: Method): void {
  for (const param of node.value.params) {
    if (param.type !== 'TSParameterProperty') continue;
    const inner = param.parameter;
    const plain = inner.type === 'AssignmentPattern' ? inner.left : inner;
    if (plain.type !== 'Identifier') continue;
    const span = spanOf(walk, param, plain.name, plain.start);
    const definition = member(walk, 'field', span, param.end, []);
    if (param.accessibility === 'private') definition.visibility = 'private';
    const [parameter] = parametersOf(walk.t, [param]);
    if (parameter?.type) definition.type = parameter.type;
    else if (parameter?.value) definition.values = [parameter.value];
  }
}

function visitField(walk: Walk, node: Field): void {
  if (node.computed) walk.visit(node.key);
  const { value } = node;
  const annotation = node.typeAnnotation;
  const name = keyName(node.key, node.computed);
  if (name === undefined) {
    if (annotation) walk.visitType(annotation);
    if (value) walk.visit(value);
    return;
  }
  const { heights } = walk.t;
  const traits: Trait[] = node.static ? ['static'] : [];
  if (node.type === 'TSAbstractPropertyDefinition') traits.push('abstract');
  if (node.declare === true) traits.push('declared');
  if (node.optional === true) traits.push('optional');
  const span = spanOf(walk, node, name, node.key.start);
  const type = annotation ? typeOf(heights, annotation) : undefined;
  const expected = type && make.as(heights, type);
  const isFunction = value?.type === 'ArrowFunctionExpression' || value?.type === 'FunctionExpression';
  if (isFunction) traits.push(...functionTraits(value));
  else if (type?.is === 'function') traits.push('callable');
  const head = isFunction ? headEnd(value) : value && isLong(value) ? value.start : node.end;
  const definition = member(walk, isFunction ? 'method' : 'field', span, head, traits);
  if (node.accessibility === 'private') definition.visibility = 'private';
  if (isFunction) fillFunction(walk, definition, value, expected);
  else if (type) definition.type = type;
  else if (value) definition.values = [make.fit(heights, valueOf(walk.t, value))];
  const index = lastIndex(walk);
  if (!type && !isFunction) walk.members.get(walk.thisClass)?.set(name, definition);
  visitDecorators(walk, node.decorators, index);
  const { within } = walk;
  walk.within = index;
  if (annotation) walk.visitType(annotation);
  if (isFunction) enterFunction(walk, value, index, expected);
  else if (value && expected) walk.visitExpecting(value, expected);
  else if (value) walk.visit(value);
  walk.within = within;
}

/** Too much for a signature. */
export function isLong(value: Node): boolean {
  return value.end - value.start > 80;
}

export function visitInterface(walk: Walk, node: TSInterfaceDeclaration): void {
  const span = spanOf(walk, node, node.id.name, node.id.start);
  const definition = define(walk, 'interface', span, node.body.start, []);
  if (walk.isLocal) markLocal(walk, definition, walk.block);
  definition.generics = genericsOf(walk.t.heights, node.typeParameters);
  definition.bases = node.extends.map(({ expression, typeArguments }) => ({
    how: 'extends',
    type: heritage(walk, expression, typeArguments),
    at: nameStart(expression),
  }));
  const { within } = walk;
  walk.within = lastIndex(walk);
  if (node.typeParameters) walk.visitType(node.typeParameters);
  for (const { typeArguments } of node.extends) if (typeArguments) walk.visitType(typeArguments);
  for (const signature of node.body.body) visitSignature(walk, signature);
  walk.within = within;
}

/** A member of an interface or of a literal type. */
export function visitSignature(walk: Walk, node: TSSignature): void {
  const { heights } = walk.t;
  if (node.type === 'TSIndexSignature') {
    defineIndex(walk, node);
    return;
  }
  const name = signatureName(node);
  if (name === undefined) {
    walk.visitType(node);
    return;
  }
  const traits: Trait[] = ['declared'];
  const isField = node.type === 'TSPropertySignature';
  if (node.type === 'TSMethodSignature') {
    if (node.kind === 'get') traits.push('getter');
    if (node.kind === 'set') traits.push('setter');
  }
  if ('optional' in node && node.optional) traits.push('optional');
  const at = 'key' in node ? node.key.start : node.start;
  const span = spanOf(walk, node, name, at);
  const type = isField && node.typeAnnotation ? typeOf(heights, node.typeAnnotation) : undefined;
  if (type?.is === 'function') traits.push('callable');
  const definition = member(walk, isField ? 'field' : 'method', span, node.end, traits);
  if (!('key' in node)) definition.visibility = 'special';
  if (type) definition.type = type;
  if (!isField) {
    definition.generics = genericsOf(heights, node.typeParameters);
    definition.parameters = parametersOf(walk.t, node.params);
    if (node.returnType) definition.type = typeOf(heights, node.returnType);
  }
  const { within } = walk;
  walk.within = lastIndex(walk);
  walk.visitType(node);
  walk.within = within;
}

function signatureName(node: Exclude<TSSignature, { type: 'TSIndexSignature' }>): string | undefined {
  if (node.type === 'TSCallSignatureDeclaration') return CALL_MEMBER;
  return node.type === 'TSConstructSignatureDeclaration' ? NEW_MEMBER : keyName(node.key, node.computed);
}

function defineIndex(walk: Walk, node: Extract<TSSignature, { type: 'TSIndexSignature' }>): void {
  const span = spanOf(walk, node, INDEX_MEMBER, node.start);
  const definition = member(walk, 'field', span, node.end, ['declared']);
  definition.visibility = 'special';
  definition.type = typeOf(walk.t.heights, node.typeAnnotation);
  walk.visitType(node.typeAnnotation);
}
