import type {
  CallExpression,
  Decorator,
  JSXOpeningElement,
  NewExpression,
  Node,
  TaggedTemplateExpression,
} from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import { noteElement } from './bindings.ts';
import { memberName, valueOf } from './expressions.ts';
import { wantsContext } from './functions.ts';
import * as make from './make.ts';
import { importInPlace, requiredModule } from './modules.ts';
import { hasStandIns, noteStandIn, noteStandIns } from './stand-ins.ts';
import { refer } from './walk.ts';
import type { Walk } from './walk.ts';

type Called = CallExpression | NewExpression | TaggedTemplateExpression;

/** `wanted` is what the place of the call expects. */
export function visitCall(walk: Walk, node: Called, wanted?: Expression): void {
  const isTag = node.type === 'TaggedTemplateExpression';
  const args = isTag ? [] : node.arguments;
  referTo(
    walk,
    isTag ? node.tag : node.callee,
    node.type === 'NewExpression' ? 'new' : 'call',
    isTag ? undefined : args,
  );
  if (node.typeArguments) walk.visitType(node.typeArguments);
  if (isTag) for (const expression of node.quasi.expressions) walk.visit(expression);
  if (node.type === 'CallExpression' && requiredModule(node) !== undefined && args[0]) {
    importInPlace(walk, 'value', args[0], node.start);
  }
  for (let n = 0; n < args.length; n++) {
    const arg = args[n] as Node;
    if (arg.type === 'SpreadElement') walk.visit(arg.argument);
    else if (wantsContext(arg)) {
      const result = node.typeArguments ? undefined : wanted;
      walk.visitExpecting(arg, make.expected(walk.t.heights, valueOf(walk.t, node), n, result));
    } else {
      if (hasStandIns(arg)) noteStandIns(walk, arg, make.expected(walk.t.heights, valueOf(walk.t, node), n, undefined));
      visitValue(walk, arg);
    }
  }
}

/** The call alone, without what is passed. */
export function referCall(walk: Walk, node: Node): void {
  if (node.type === 'MemberExpression') referCall(walk, node.object);
  if (node.type === 'CallExpression') referTo(walk, node.callee, 'call', node.arguments);
}

function referTo(
  walk: Walk,
  callee: Node,
  kind: 'call' | 'new' | 'decorator',
  args: readonly Node[] | undefined,
): void {
  switch (callee.type) {
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
    case 'TSInstantiationExpression':
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      if (callee.type === 'TSInstantiationExpression') walk.visitType(callee.typeArguments);
      else if ('typeAnnotation' in callee) walk.visitType(callee.typeAnnotation);
      referTo(walk, callee.expression, kind, args);
      return;
    case 'Identifier':
      count(refer(walk, callee.name, kind, callee.start), args);
      return;
    case 'Super': {
      const reference = count(refer(walk, 'constructor', kind, callee.start), args);
      reference.receiver = valueOf(walk.t, callee);
      return;
    }
    case 'MemberExpression': {
      const name = memberName(callee);
      if (name === 'bind' || name === 'call' || name === 'apply') referMember(walk, callee.object);
      if (name === 'push' && callee.object.type === 'Identifier' && args?.length === 1 && args[0]) {
        noteElement(walk, callee.object.name, callee.object.start, args[0]);
      }
      walk.visit(callee.object);
      if (name === undefined) walk.visit(callee.property);
      const reference = count(refer(walk, name ?? '', kind, callee.property.start), args);
      reference.receiver = valueOf(walk.t, name === undefined ? callee : callee.object);
      return;
    }
    default: {
      walk.visit(callee);
      const isFunction = callee.type === 'FunctionExpression' || callee.type === 'ArrowFunctionExpression';
      const reference = count(refer(walk, '', kind, callee.start), args);
      reference.receiver = isFunction ? UNKNOWN : valueOf(walk.t, callee);
    }
  }
}

function count<T extends { args?: number }>(reference: T, args: readonly Node[] | undefined): T {
  if (args) {
    for (const { type } of args) if (type === 'SpreadElement') return reference;
    reference.args = args.length;
  }
  return reference;
}

/** A value that goes somewhere: as an argument, into a variable, out of a function. */
export function visitValue(walk: Walk, node: Node): void {
  referMember(walk, node);
  walk.visit(node);
}

function referMember(walk: Walk, node: Node): void {
  if (node.type !== 'MemberExpression') return;
  const { object } = node;
  if (object.type !== 'ThisExpression' && (object.type !== 'Identifier' || !walk.names.has(object.name))) return;
  const name = memberName(node);
  if (name !== undefined) refer(walk, name, 'reference', node.property.start).receiver = valueOf(walk.t, object);
}

export function visitDecorator(walk: Walk, { expression }: Decorator): void {
  if (expression.type !== 'CallExpression') {
    referTo(walk, expression, 'decorator', undefined);
    return;
  }
  referTo(walk, expression.callee, 'decorator', expression.arguments);
  for (const arg of expression.arguments) visitValue(walk, arg);
}

export function visitElement(walk: Walk, node: JSXOpeningElement): void {
  const { name } = node;
  const { heights } = walk.t;
  const isComponent =
    name.type === 'JSXMemberExpression' || (name.type === 'JSXIdentifier' && !/^[a-z]/.test(name.name));
  if (name.type === 'JSXMemberExpression') {
    const reference = refer(walk, name.property.name, 'call', name.property.start);
    reference.receiver = valueOf(walk.t, name.object);
  } else if (isComponent && name.type === 'JSXIdentifier') refer(walk, name.name, 'call', name.start);
  if (node.typeArguments) walk.visitType(node.typeArguments);
  for (const attribute of node.attributes) {
    if (attribute.type === 'JSXSpreadAttribute') walk.visit(attribute.argument);
    else if (attribute.value?.type === 'JSXExpressionContainer') {
      const { expression } = attribute.value;
      if (isComponent && attribute.name.type === 'JSXIdentifier') {
        const props = make.parameter(heights, valueOf(walk.t, name), 0);
        const wanted = make.member(heights, props, attribute.name.name);
        noteStandIn(walk, expression, wanted, attribute.name.start);
        walk.visitExpecting(expression, wanted);
      } else visitValue(walk, expression);
    } else if (attribute.value) walk.visit(attribute.value);
  }
}
