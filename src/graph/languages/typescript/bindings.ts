import type { Node, VariableDeclaration, VariableDeclarator } from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import { annotationOf, objectHelper, keyName, valueOf } from './expressions.ts';
import * as make from './make.ts';
import { typeOf } from './types.ts';
import { bind, define } from './walk.ts';
import type { DeclarationSpan, Range, Walk } from './walk.ts';

/** Binds all names of a pattern; on the outer level they are definitions. */
export function bindPattern(
  walk: Walk,
  pattern: Node,
  source: Expression,
  range: Range,
  where: 'local' | DeclarationSpan,
): void {
  const { heights } = walk.t;
  switch (pattern.type) {
    case 'Identifier':
      if (where === 'local') {
        bind(walk, pattern.name, pattern.start, range, undefined, source === UNKNOWN ? undefined : source);
      } else {
        const span = { ...where, name: pattern.name, at: pattern.start };
        const definition = define(walk, 'constant', span, where.start, []);
        definition.signature = pattern.name;
        if (source !== UNKNOWN) definition.values = [source];
      }
      return;
    case 'AssignmentPattern':
      walk.visit(pattern.right);
      bindPattern(
        walk,
        pattern.left,
        make.several(heights, 'either', [source, valueOf(walk.t, pattern.right)]),
        range,
        where,
      );
      return;
    case 'RestElement':
      bindPattern(walk, pattern.argument, source, range, where);
      return;
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') bindPattern(walk, property.argument, source, range, where);
        else {
          if (property.computed) walk.visit(property.key);
          const name = keyName(property.key, property.computed);
          const value = name === undefined ? make.wrap(heights, 'element', source) : make.member(heights, source, name);
          bindPattern(walk, property.value, value, range, where);
        }
      }
      return;
    case 'ArrayPattern':
      pattern.elements.forEach((element, n) => {
        if (element?.type === 'RestElement') bindPattern(walk, element.argument, source, range, where);
        else if (element) bindPattern(walk, element, make.part(heights, source, n), range, where);
      });
      return;
    default:
      // A target of an assignment that is no name: `[this.a, b.c] = …`.
      walk.visit(pattern);
  }
}

/** What the first assignment to a variable without a value says. */
export function noteAssignment(walk: Walk, name: string, at: number, right: Node): void {
  const open = walk.unset.get(name);
  if (open === undefined) return;
  if ('from' in open && (at < open.from || at >= open.to)) return;
  const value = make.fit(walk.t.heights, valueOf(walk.t, right));
  if (value === UNKNOWN || value === make.NULL || value === make.UNDEFINED) return;
  if ('from' in open) {
    open.value = value;
    walk.unset.delete(name);
  } else {
    open.values = [...open.values, value];
    if (open.values.length === 3) walk.unset.delete(name);
  }
}

/** What is put into a list that was made empty says what it holds. */
export function noteElement(walk: Walk, name: string, at: number, element: Node): void {
  const list = walk.growing.get(name);
  if (list === undefined || at < list.binding.from || at >= list.binding.to) return;
  const { heights } = walk.t;
  const type = make.typeOfValue(heights, valueOf(walk.t, element));
  if (type === UNKNOWN) return;
  list.types.push(type);
  const held = make.several(heights, 'either', list.types.slice());
  list.binding.value = make.fit(heights, make.as(heights, make.apply(heights, make.nameAt('Array', at), [held])));
  if (list.types.length === 3) walk.growing.delete(name);
}

/** Whether a variable is as good as without a value. */
export function isUnset(init: Node | null): boolean {
  if (init === null) return true;
  return (init.type === 'Literal' && init.value === null && !('regex' in init)) || isUndefined(init);
}

function isUndefined(node: Node): boolean {
  return (
    (node.type === 'Identifier' && node.name === 'undefined') ||
    (node.type === 'UnaryExpression' && node.operator === 'void')
  );
}

/** A variable inside a function or block. */
export function bindVariable(walk: Walk, declaration: VariableDeclaration, declarator: VariableDeclarator): void {
  const { id, init } = declarator;
  const { heights } = walk.t;
  const range = declaration.kind === 'var' ? walk.body : walk.block;
  const annotation = annotationOf(id);
  const type = annotation && typeOf(heights, annotation);
  if (annotation) walk.visitType(annotation);
  if (id.type !== 'Identifier') {
    if (init) walk.visit(init);
    bindPattern(walk, id, type ? make.as(heights, type) : init ? valueOf(walk.t, init) : UNKNOWN, range, 'local');
    return;
  }
  const value = type || init === null || isUnset(init) ? UNKNOWN : valueOf(walk.t, init);
  const binding = bind(walk, id.name, id.start, range, type, value === UNKNOWN ? undefined : value);
  if (!type && isUnset(init)) walk.unset.set(id.name, binding);
  if (!type && init?.type === 'ArrayExpression' && init.elements.length === 0) {
    walk.growing.set(id.name, { binding, types: [] });
  } else walk.growing.delete(id.name);
  if (init) {
    if (type) walk.visitExpecting(init, make.as(heights, type));
    else walk.visit(init);
  }
}

/** The object literal in `{…} as const`, `{…} satisfies T`, `Object.freeze({…})`. */
export function literalIn(node: Node): Extract<Node, { type: 'ObjectExpression' }> | undefined {
  switch (node.type) {
    case 'ObjectExpression':
      return node;
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return literalIn(node.expression);
    case 'CallExpression': {
      const first = node.arguments[0];
      const helper = objectHelper(node.callee);
      return (helper === 'freeze' || helper === 'seal') && first ? literalIn(first) : undefined;
    }
    default:
      return undefined;
  }
}
