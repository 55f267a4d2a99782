import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import { fillFunction, headEnd } from './definitions.ts';
import { SIGNATURE } from '../facts-draft.ts';
import { lastIndex } from '../tree-walk.ts';
import { bind, define } from './file.ts';
import type { GoWalk } from './file.ts';

/** `a, b := f()` and its like: the nth name gets the nth value, or the nth part of the only one. */
function nth(w: GoWalk, values: number, n: number, count: number): Expression {
  if (values === -1) return UNKNOWN;
  let node = w.tree.symbol(values) === w.symbol.expressions ? w.tree.firstNamed(values) : values;
  const only = node !== -1 && w.tree.nextNamed(node) === -1;
  if (count === 1 || !only) {
    for (let skip = n; skip > 0 && node !== -1; skip--) node = w.tree.nextNamed(node);
    return node === -1 ? UNKNOWN : w.read.value(node);
  }
  const kind = w.tree.symbol(node);
  const isTest = kind === w.symbol.index || kind === w.symbol.assertion || kind === w.symbol.unary;
  if (isTest) return n === 0 ? w.read.value(node) : { is: 'literal', type: 'bool' };
  return { is: 'part', of: w.read.value(node), n };
}

function onlyFunction(w: GoWalk, values: number): number {
  const node = values === -1 ? -1 : w.tree.firstNamed(values);
  return node !== -1 && w.tree.symbol(node) === w.symbol.function && w.tree.nextNamed(node) === -1 ? node : -1;
}

function namesOf(w: GoWalk, node: number): number[] {
  const names: number[] = [];
  for (let name = w.tree.firstNamed(node); name !== -1; name = w.tree.nextNamed(name)) {
    if (w.tree.field(name) === w.field.name && w.tree.symbol(name) === w.symbol.identifier) names.push(name);
  }
  return names;
}

/** A name that a function literal is bound to becomes the name of the function. */
function namedFunction(w: GoWalk, name: number, node: number, literal: number): void {
  const { within } = w.frame;
  const definition = define(w, name, 'function', node, within, headEnd(w, literal));
  fillFunction(w, definition, literal);
  if (within !== -1) definition.traits = ['local'];
  w.functionNames.set(literal, lastIndex(w));
}

export function valueSpec(w: GoWalk, node: number, isConst: boolean): void {
  const names = namesOf(w, node);
  const typeNode = w.tree.child(node, w.field.type);
  const values = w.tree.child(node, w.field.value);
  let type = typeNode === -1 ? undefined : w.read.type(typeNode);
  if (isConst) {
    // A constant without a value repeats the one before, type included.
    if (type === undefined && values === -1) type = w.constType;
    w.constType = type;
  }
  const literal = names.length === 1 ? onlyFunction(w, values) : -1;
  if (literal !== -1 && names[0] !== undefined && names[0] !== -1 && w.tree.textOf(names[0]) !== '_') {
    namedFunction(w, names[0], node, literal);
    return;
  }
  names.forEach((name, n) => {
    const value = values === -1 ? undefined : nth(w, values, n, names.length);
    if (w.frame.within !== -1 || w.frame.self !== '' || w.frames.length > 1) {
      bind(w, name, w.tree.end(node), type, type === undefined ? value : undefined);
      return;
    }
    if (w.tree.textOf(name) === '_') return;
    w.variables.add(w.tree.textOf(name));
    const definition = define(w, name, isConst ? 'constant' : 'variable', node, -1, w.tree.end(node));
    definition.signature = `${isConst ? 'const' : 'var'} ${definition.signature}`.slice(0, SIGNATURE);
    if (type !== undefined) definition.type = type;
    else if (value !== undefined) definition.values = [value];
  });
}

export function shortVariables(w: GoWalk, left: number, right: number, end: number): void {
  if (left === -1) return;
  const names: number[] = [];
  for (let name = w.tree.firstNamed(left); name !== -1; name = w.tree.nextNamed(name)) names.push(name);
  const literal = names.length === 1 ? onlyFunction(w, right) : -1;
  if (literal !== -1 && names[0] !== undefined && w.tree.textOf(names[0]) !== '_') {
    namedFunction(w, names[0], w.tree.parent(left), literal);
    return;
  }
  // All values are read before the first name means something else.
  const values = names.map((_, n) => nth(w, right, n, names.length));
  names.forEach((name, n) => {
    if (w.tree.symbol(name) === w.symbol.identifier) bind(w, name, end, undefined, values[n]);
  });
}

export function rangeClause(w: GoWalk, node: number): void {
  const left = w.tree.child(node, w.field.left);
  if (left === -1 || w.text.slice(w.tree.end(left), w.tree.end(left) + 4).trim()[0] !== ':') return;
  const of = w.read.value(w.tree.child(node, w.field.right));
  let n = 0;
  for (let name = w.tree.firstNamed(left); name !== -1; name = w.tree.nextNamed(name)) {
    if (w.tree.symbol(name) === w.symbol.identifier) {
      bind(w, name, w.tree.end(node), undefined, { is: 'part', of: { is: 'each', of }, n });
    }
    n++;
  }
}

export function typeCase(w: GoWalk, node: number): void {
  const statement = w.tree.parent(node);
  const alias = w.tree.symbol(statement) === w.symbol.typeSwitch ? w.tree.child(statement, w.field.alias) : -1;
  const name = alias === -1 ? -1 : w.tree.firstNamed(alias);
  if (name === -1) return;
  const types: number[] = [];
  for (let type = w.tree.firstNamed(node); type !== -1; type = w.tree.nextNamed(type)) {
    if (w.tree.field(type) === w.field.type) types.push(type);
  }
  const only = types.length === 1 && types[0] !== undefined ? w.read.type(types[0]) : undefined;
  const isNil = only?.is === 'name' && only.name === 'nil';
  if (only !== undefined && !isNil) bind(w, name, w.tree.start(node), only, undefined);
  else bind(w, name, w.tree.start(node), undefined, w.read.value(w.tree.child(statement, w.field.value)));
}
