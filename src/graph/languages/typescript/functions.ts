import type { Node } from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import type { Trait } from '../../model/facts.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { bindPattern } from './bindings.ts';
import { annotationOf, parametersOf, returnsOf, valueOf } from './expressions.ts';
import type { AnyFunction } from './expressions.ts';
import * as make from './make.ts';
import { genericsOf, typeOf } from './types.ts';
import { bind, define, lastIndex, markLocal, spanOf } from './walk.ts';
import type { Walk } from './walk.ts';

export function functionTraits(node: AnyFunction): Trait[] {
  const traits: Trait[] = [];
  if (node.async) traits.push('async');
  if (node.generator) traits.push('generator');
  if (!node.body) traits.push('declared');
  if (saysThis(node)) traits.push('unbound');
  return traits;
}

/** `this: T`, where it is something. */
function saysThis({ params: [first] }: AnyFunction): boolean {
  if (first?.type !== 'Identifier' || first.name !== 'this') return false;
  return first.typeAnnotation?.typeAnnotation.type !== 'TSVoidKeyword';
}

/** Where the head of a function ends. */
export function headEnd(node: AnyFunction): number {
  return node.body?.start ?? node.end;
}

/** Fills in what a function is; `expected` is what its place says it should be. */
export function fillFunction(
  walk: Walk,
  definition: DefinitionDraft,
  node: AnyFunction,
  expected: Expression | undefined,
): void {
  const { t } = walk;
  definition.generics = genericsOf(t.heights, node.typeParameters);
  definition.parameters = parametersOf(t, node.params);
  if (node.returnType) definition.type = typeOf(t.heights, node.returnType);
  else if (expected) definition.values = [make.call(t.heights, 'call', expected, [], undefined)];
  else if (!node.generator) definition.values = returnsOf(t, node);
}

export function visitFunctionDeclaration(walk: Walk, node: AnyFunction): void {
  const { id } = node;
  const name = id?.name ?? 'default';
  const span = spanOf(walk, node, name, id?.start ?? node.start);
  const definition = define(walk, 'function', span, headEnd(node), functionTraits(node));
  if (walk.isLocal) markLocal(walk, definition, walk.block);
  fillFunction(walk, definition, node, undefined);
  enterFunction(walk, node, lastIndex(walk), undefined);
}

/** A function expression; only one with a name of its own is a definition. */
export function visitFunctionExpression(walk: Walk, node: AnyFunction, expected: Expression | undefined): void {
  const { id } = node;
  if (!id || node === walk.made) {
    enterFunction(walk, node, -1, expected);
    return;
  }
  const span = { name: id.name, at: id.start, start: node.start, end: node.end, from: node.start, exported: false };
  const definition = define(walk, 'function', span, headEnd(node), functionTraits(node));
  markLocal(walk, definition, node);
  fillFunction(walk, definition, node, expected);
  enterFunction(walk, node, lastIndex(walk), expected);
}

/** Goes through a function; `index` is its definition, -1 for one without a name. */
export function enterFunction(walk: Walk, node: AnyFunction, index: number, expected: Expression | undefined): void {
  const { within, block, body, isLocal, thisClass, returns, yields } = walk;
  const { heights } = walk.t;
  if (index !== -1) walk.within = index;
  walk.isLocal = true;
  walk.block = node;
  walk.body = node;
  walk.yields = undefined;
  const definition = walk.draft.definitions[index];
  if (node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression') {
    // A method keeps the class that its class has set; any other function has a `this` of its own.
    const isMethod = definition !== undefined && definition.container === thisClass && definition.kind === 'method';
    const isMaker = definition !== undefined && walk.isJavaScript && /^[A-Z]/.test(definition.name);
    if (!isMethod) walk.thisClass = isMaker && definition.kind === 'function' ? index : -1;
    if (node.generator && definition && !definition.type) walk.yields = [];
  }
  if (node.returnType) {
    const type = make.as(heights, typeOf(heights, node.returnType));
    walk.returns = node.async ? make.wrap(heights, 'await', type) : type;
  } else walk.returns = expected && make.call(heights, 'call', expected, [], undefined);
  if (node.body) bindParameters(walk, node, expected);
  else for (const param of node.params) walk.visitType(param);
  if (node.typeParameters) walk.visitType(node.typeParameters);
  if (node.returnType) walk.visitType(node.returnType);
  if (node.body?.type === 'BlockStatement') {
    for (const statement of node.body.body) walk.visit(statement);
  } else if (node.body) {
    if (walk.returns) walk.visitExpecting(node.body, walk.returns);
    else walk.visit(node.body);
  }
  if (walk.yields && definition) definition.values = walk.yields;
  walk.within = within;
  walk.block = block;
  walk.body = body;
  walk.isLocal = isLocal;
  walk.thisClass = thisClass;
  walk.returns = returns;
  walk.yields = yields;
}

function bindParameters(walk: Walk, node: AnyFunction, expected: Expression | undefined): void {
  const { heights } = walk.t;
  let n = -1;
  for (const param of node.params) {
    const inner = param.type === 'TSParameterProperty' ? param.parameter : param;
    const plain = inner.type === 'AssignmentPattern' ? inner.left : inner;
    const pattern = plain.type === 'RestElement' ? plain.argument : plain;
    const preset = inner.type === 'AssignmentPattern' ? inner.right : undefined;
    if (param.decorators) for (const decorator of param.decorators) walk.visit(decorator);
    const annotation = annotationOf(plain);
    const type = annotation && typeOf(heights, annotation);
    if (annotation) walk.visitType(annotation);
    if (pattern.type === 'Identifier' && pattern.name === 'this') {
      bind(walk, 'this', pattern.start, node, type, undefined);
      continue;
    }
    n++;
    let source = type ? make.as(heights, type) : expected && make.parameter(heights, expected, n);
    if (preset) {
      if (type) walk.visitExpecting(preset, make.as(heights, type));
      else walk.visit(preset);
      if (!type) source = make.several(heights, 'either', [source ?? UNKNOWN, valueOf(walk.t, preset)]);
    }
    if (pattern.type === 'Identifier') {
      bind(walk, pattern.name, pattern.start, node, type, type || source === UNKNOWN ? undefined : source);
    } else bindPattern(walk, pattern, source ?? UNKNOWN, node, 'local');
  }
}

/** Whether knowing what its place expects would tell more about it. */
export function wantsContext(node: Node, depth = 0): boolean {
  switch (node.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      if (node.params.some((param) => !isTyped(param))) return true;
      return node.body?.type !== 'BlockStatement' && node.body !== null && wantsContext(node.body, depth + 1);
    case 'ObjectExpression':
      if (depth > 2) return false;
      return node.properties.some(
        (property) => property.type === 'Property' && wantsContext(property.value, depth + 1),
      );
    case 'ArrayExpression':
      return depth <= 2 && node.elements.some((element) => element !== null && wantsContext(element, depth + 1));
    case 'ConditionalExpression':
      return wantsContext(node.consequent, depth) || wantsContext(node.alternate, depth);
    case 'LogicalExpression':
      return wantsContext(node.left, depth) || wantsContext(node.right, depth);
    case 'TSSatisfiesExpression':
      return wantsContext(node.expression, depth);
    default:
      return false;
  }
}

function isTyped(param: Node): boolean {
  if (param.type === 'TSParameterProperty') return true;
  return annotationOf(param.type === 'AssignmentPattern' ? param.left : param) !== undefined;
}
