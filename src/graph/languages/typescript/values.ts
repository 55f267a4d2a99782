import type { Node } from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import { visitAssignment } from './assignments.ts';
import { visitClass } from './classes.ts';
import { keyName, valueOf } from './expressions.ts';
import { visitFunctionExpression, wantsContext } from './functions.ts';
import * as make from './make.ts';
import { importInPlace } from './modules.ts';
import { narrow } from './narrowing.ts';
import { visitCall, visitDecorator, visitElement, visitValue } from './references.ts';
import { noteStandIns } from './stand-ins.ts';
import { THIS_MEMBER, typeOf } from './types.ts';
import type { NodeOf } from './types.ts';
import { bind, visitChildren } from './walk.ts';
import type { Visits, Walk } from './walk.ts';

const nothing = (): void => undefined;

function visitFunction(walk: Walk, node: NodeOf<'FunctionExpression' | 'ArrowFunctionExpression'>): void {
  visitFunctionExpression(walk, node, undefined);
}

function visitCast(walk: Walk, node: NodeOf<'TSAsExpression' | 'TSTypeAssertion' | 'TSSatisfiesExpression'>): void {
  const { heights } = walk.t;
  visitExpecting(walk, node.expression, make.as(heights, typeOf(heights, node.typeAnnotation)));
  walk.visitType(node.typeAnnotation);
}

function visitProperties(walk: Walk, node: NodeOf<'ObjectExpression'>, expected: Expression): void {
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      walk.visit(property.argument);
      continue;
    }
    if (property.computed) walk.visit(property.key);
    const name = expected === UNKNOWN ? undefined : keyName(property.key, property.computed);
    if (name === undefined) visitValue(walk, property.value);
    else if (property.value.type === 'FunctionExpression') visitMethod(walk, property.value, expected, name);
    else visitExpecting(walk, property.value, make.member(walk.t.heights, expected, name));
  }
}

/** A method of a literal object whose place says what the object is. */
function visitMethod(walk: Walk, node: NodeOf<'FunctionExpression'>, expected: Expression, name: string): void {
  const { heights } = walk.t;
  const { sawThis } = walk;
  walk.sawThis = false;
  visitExpecting(walk, node, make.member(heights, expected, name));
  if (walk.sawThis) {
    const declared = make.member(heights, expected, THIS_MEMBER);
    bind(walk, 'this', node.start, node, undefined, make.several(heights, 'either', [declared, expected]));
  }
  walk.sawThis = sawThis;
}

export function visitName(walk: Walk, name: string, at: number): void {
  if (walk.names.has(name)) walk.draft.references.push({ within: walk.within, name, kind: 'reference', at });
}

/** Everything that has a value; names and literals are met before. */
export const VALUES: Visits = {
  MemberExpression(walk, node) {
    walk.visit(node.object);
    if (node.computed) walk.visit(node.property);
  },
  CallExpression: visitCall,
  NewExpression: visitCall,
  TaggedTemplateExpression: visitCall,
  ThisExpression(walk) {
    walk.sawThis = true;
  },
  Super: nothing,
  MetaProperty: nothing,
  JSXText: nothing,
  JSXClosingElement: nothing,
  AssignmentExpression: visitAssignment,
  FunctionExpression: visitFunction,
  ArrowFunctionExpression: visitFunction,
  ClassExpression: (walk, node) => visitClass(walk, node, undefined),
  ObjectExpression: (walk, node) => visitProperties(walk, node, UNKNOWN),
  JSXOpeningElement: visitElement,
  Decorator: visitDecorator,
  ImportExpression(walk, node) {
    importInPlace(walk, 'dynamic', node.source, node.start);
    visitChildren(node, walk.visit);
  },
  YieldExpression(walk, node) {
    if (!node.argument) return;
    if (walk.yields && walk.yields.length < 4) {
      const value = valueOf(walk.t, node.argument);
      walk.yields.push(node.delegate ? make.wrap(walk.t.heights, 'each', value) : value);
    }
    visitValue(walk, node.argument);
  },
  TSAsExpression: visitCast,
  TSTypeAssertion: visitCast,
  TSSatisfiesExpression: visitCast,
  TSInstantiationExpression(walk, node) {
    walk.visit(node.expression);
    walk.visitType(node.typeArguments);
  },
  LogicalExpression(walk, node) {
    if (node.operator !== '??') narrow(walk, node.left, node.right, node.operator === '&&');
    walk.visit(node.left);
    walk.visit(node.right);
  },
  ConditionalExpression(walk, node) {
    narrow(walk, node.test, node.consequent, true);
    narrow(walk, node.test, node.alternate, false);
    walk.visit(node.test);
    visitValue(walk, node.consequent);
    visitValue(walk, node.alternate);
  },
};

export function visitExpecting(walk: Walk, node: Node, expected: Expression): void {
  const { heights } = walk.t;
  const inner = node.type === 'ChainExpression' ? node.expression : node;
  if (inner.type === 'CallExpression' || inner.type === 'NewExpression') {
    visitCall(walk, inner, expected);
    return;
  }
  if (node.type === 'ObjectExpression') noteStandIns(walk, node, expected);
  if (expected === UNKNOWN || !wantsContext(node)) {
    visitValue(walk, node);
    return;
  }
  switch (node.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      visitFunctionExpression(walk, node, expected);
      return;
    case 'ObjectExpression':
      visitProperties(walk, node, expected);
      return;
    case 'ArrayExpression':
      for (const [n, element] of node.elements.entries()) {
        if (element) visitExpecting(walk, element, make.part(heights, expected, n));
      }
      return;
    case 'ConditionalExpression':
      walk.visit(node.test);
      visitExpecting(walk, node.consequent, expected);
      visitExpecting(walk, node.alternate, expected);
      return;
    case 'LogicalExpression':
      visitExpecting(walk, node.left, expected);
      visitExpecting(walk, node.right, expected);
      return;
    default:
      walk.visit(node);
  }
}
