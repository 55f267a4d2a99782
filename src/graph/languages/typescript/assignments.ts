import type { AssignmentExpression, Class, MemberExpression, Node } from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { bindPattern, noteAssignment } from './bindings.ts';
import { visitClass } from './classes.ts';
import { defineProperties } from './declarations.ts';
import { memberName, valueOf } from './expressions.ts';
import type { AnyFunction } from './expressions.ts';
import { enterFunction, fillFunction, functionTraits, headEnd } from './functions.ts';
import * as make from './make.ts';
import { exportValue } from './modules.ts';
import { entityOf } from './types.ts';
import { define, lastIndex } from './walk.ts';
import type { DeclarationSpan, Walk } from './walk.ts';

/** Goes through an assignment, unless it is one that defines or exports something. */
export function visitAssignment(walk: Walk, node: AssignmentExpression): void {
  const { left, right } = node;
  if (left.type === 'MemberExpression') {
    if (node.operator === '=' && assignMember(walk, node, left)) return;
    walk.visit(left);
    walk.visitExpecting(right, valueOf(walk.t, left));
    return;
  }
  if (left.type === 'Identifier') {
    noteAssignment(walk, left.name, left.start, right);
    walk.visit(left);
  } else if (left.type === 'ObjectPattern' || left.type === 'ArrayPattern') assignPattern(walk, left);
  else walk.visit(left);
  if (left.type === 'Identifier') walk.visitExpecting(right, valueOf(walk.t, left));
  else walk.visit(right);
}

/** Names in the pattern are variables that exist; only what is computed on the way is of interest. */
function assignPattern(walk: Walk, pattern: Node): void {
  const kept = walk.draft.bindings.length;
  bindPattern(walk, pattern, UNKNOWN, pattern, 'local');
  walk.draft.bindings.length = kept;
}

function assignMember(walk: Walk, node: AssignmentExpression, left: MemberExpression): boolean {
  const name = memberName(left);
  const { object } = left;
  if (name === undefined) return false;
  if (object.type === 'Identifier' && object.name === 'module' && name === 'exports') {
    exportWhole(walk, node);
    return true;
  }
  if (isExports(object)) {
    exportMember(walk, node, left, name);
    return true;
  }
  if (object.type === 'ThisExpression') {
    addField(walk, node, left, name);
    return false;
  }
  return defineMember(walk, node, left, name);
}

function isExports(node: Node): boolean {
  if (node.type === 'Identifier') return node.name === 'exports';
  return node.type === 'MemberExpression' && memberName(node) === 'exports' && isNamed(node.object, 'module');
}

function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function spanAt(node: AssignmentExpression, name: string, at: number): DeclarationSpan {
  return { name, at, start: node.start, end: node.end, from: node.start, exported: false };
}

/** `module.exports = …`: what it is set to, or each part of a literal. */
function exportWhole(walk: Walk, node: AssignmentExpression): void {
  const { right, left } = node;
  const { exports } = walk.draft;
  if (right.type === 'ClassExpression' || isFunction(right)) {
    const id = right.id;
    const span = spanAt(node, id?.name ?? 'default', id?.start ?? left.start);
    exports.push({ name: '=', local: span.name, at: left.start });
    defineAssigned(walk, right, span, -1, 'function');
    return;
  }
  if (right.type !== 'ObjectExpression') {
    exportValue(walk, '=', right, left.start);
    return;
  }
  const fields: (readonly [string, ReturnType<typeof valueOf>])[] = [];
  const parts: ReturnType<typeof valueOf>[] = [];
  for (const property of right.properties) {
    if (property.type === 'SpreadElement') {
      parts.push(valueOf(walk.t, property.argument));
      walk.visit(property.argument);
      continue;
    }
    const { value, key } = property;
    const name = key.type === 'Identifier' && !property.computed ? key.name : undefined;
    if (name !== undefined && isFunction(value) && property.kind === 'init') {
      const span = {
        name,
        at: key.start,
        start: property.start,
        end: property.end,
        from: property.start,
        exported: true,
      };
      defineAssigned(walk, value, span, -1, 'function');
      fields.push([name, make.nameAt(name, key.start)]);
      continue;
    }
    if (name !== undefined) fields.push([name, valueOf(walk.t, value)]);
    if (!property.shorthand || value.type !== 'Identifier') walk.visit(value);
  }
  parts.push(make.record(walk.t.heights, fields));
  const value = make.several(walk.t.heights, 'both', parts);
  exports.push({ name: '=', local: '', value, at: left.start });
}

function exportMember(walk: Walk, node: AssignmentExpression, left: MemberExpression, name: string): void {
  const { right } = node;
  const at = left.property.start;
  if (isFunction(right) || right.type === 'ClassExpression') {
    defineAssigned(walk, right, { ...spanAt(node, name, at), exported: true }, -1, 'function');
    return;
  }
  // `exports.a = void 0` only announces it.
  if (right.type !== 'UnaryExpression' || right.operator !== 'void') exportValue(walk, name, right, at);
}

/** `Foo.prototype.bar = function …`, `foo.bar = function …`, `Foo.prototype = {…}` of what this file defines. */
function defineMember(walk: Walk, node: AssignmentExpression, left: MemberExpression, name: string): boolean {
  const { right } = node;
  let { object } = left;
  let isPrototype = false;
  if (object.type === 'MemberExpression' && memberName(object) === 'prototype') {
    isPrototype = true;
    ({ object } = object);
  }
  if (object.type !== 'Identifier' || walk.isLocal) return false;
  const owner = name === 'prototype' && right.type === 'ObjectExpression' ? outerNamed(walk, object.name) : -1;
  if (owner !== -1 && right.type === 'ObjectExpression') {
    const { within } = walk;
    walk.within = owner;
    defineProperties(walk, right, undefined);
    walk.within = within;
    return true;
  }
  if (!isFunction(right) && right.type !== 'ClassExpression') return false;
  const container = outerNamed(walk, object.name);
  // To set a method of some object is not to define one.
  if (container === -1 ? !isPrototype : !isPrototype && !mayHaveMembers(walk, container)) return false;
  const definition = defineAssigned(walk, right, spanAt(node, name, left.property.start), container, 'method');
  if (!isPrototype && definition.kind === 'method') definition.traits = [...definition.traits, 'static'];
  if (container === -1) {
    definition.bases = [{ how: 'adds', type: entityOf(walk.t.heights, object), at: object.start }];
  }
  return true;
}

function outerNamed(walk: Walk, name: string): number {
  const { definitions } = walk.draft;
  return definitions.findIndex((one) => one.name === name && one.container === walk.within && one.kind !== 'type');
}

function mayHaveMembers(walk: Walk, index: number): boolean {
  const kind = walk.draft.definitions[index]?.kind;
  return kind === 'class' || kind === 'function' || kind === 'namespace' || walk.members.has(index);
}

function isFunction(node: Node): node is Extract<Node, AnyFunction> {
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
}

function defineAssigned(
  walk: Walk,
  right: AnyFunction | Class,
  span: DeclarationSpan,
  container: number,
  kind: 'function' | 'method',
): DefinitionDraft {
  const { within, thisClass, isLocal } = walk;
  walk.isLocal = false;
  walk.within = container;
  let definition: DefinitionDraft;
  if ('superClass' in right) {
    visitClass(walk, right, span);
    definition = walk.draft.definitions.findLast((one) => one.at === span.at) as DefinitionDraft;
  } else {
    definition = define(walk, kind, span, headEnd(right), functionTraits(right));
    fillFunction(walk, definition, right, undefined);
    walk.thisClass = container;
    enterFunction(walk, right, lastIndex(walk), undefined);
  }
  walk.within = within;
  walk.thisClass = thisClass;
  walk.isLocal = isLocal;
  return definition;
}

/** `this.x = …` says what a field is, and in JavaScript that there is one. */
function addField(walk: Walk, node: AssignmentExpression, left: MemberExpression, name: string): void {
  const { thisClass, draft } = walk;
  if (thisClass === -1) return;
  let members = walk.members.get(thisClass);
  if (members === undefined) walk.members.set(thisClass, (members = new Map()));
  const value = make.fit(walk.t.heights, valueOf(walk.t, node.right));
  const known = members.get(name);
  if (known) {
    if (known.values.length < 3 && value !== UNKNOWN && value !== make.NULL && value !== make.UNDEFINED) {
      known.values = [...known.values.filter((one) => one !== make.NULL && one !== make.UNDEFINED), value];
    }
    return;
  }
  if (!walk.isJavaScript || members.has(name)) return;
  const { within, isLocal } = walk;
  walk.within = thisClass;
  walk.isLocal = false;
  const definition = define(walk, 'field', spanAt(node, name, left.property.start), node.end, []);
  walk.within = within;
  walk.isLocal = isLocal;
  if (isFunction(node.right)) definition.traits = ['callable'];
  if (value !== UNKNOWN) definition.values = [value];
  members.set(name, definition);
  if (draft.definitions[thisClass]?.kind === 'function') definition.exported = false;
}
