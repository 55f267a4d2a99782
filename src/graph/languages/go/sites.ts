import type { Expression } from '../../model/expression.ts';
import { addCandidate, addSite } from '../tree-walk.ts';
import type { GoWalk } from './file.ts';

const BUILT_IN_VALUES = new Set(['nil', 'true', 'false', 'iota', '_']);

const BUILT_IN_TYPES = new Set(
  (
    'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string ' +
    'uint uint8 uint16 uint32 uint64 uintptr nil _'
  ).split(' '),
);

export function callSite(w: GoWalk, node: number): void {
  const list = w.tree.child(node, w.field.arguments);
  let { node: callee } = w.read.callee(w.tree.child(node, w.field.function));
  while (callee !== -1 && w.tree.symbol(callee) === w.symbol.parenthesized) callee = w.tree.firstNamed(callee);
  if (callee === -1) return;
  const kind = w.tree.symbol(callee);
  if (kind === w.symbol.identifier) addSite(w, callee, 'call', undefined, countArguments(w, list));
  else if (kind === w.symbol.selector) {
    const operand = w.tree.child(callee, w.field.operand);
    addSite(w, w.tree.child(callee, w.field.field), 'call', w.read.value(operand), countArguments(w, list));
  }
}

function countArguments(w: GoWalk, list: number): number | undefined {
  if (list === -1) return 0;
  let count = 0;
  for (let arg = w.tree.firstNamed(list); arg !== -1; arg = w.tree.nextNamed(arg)) {
    const kind = w.tree.symbol(arg);
    if (kind === w.symbol.variadicArgument) return undefined;
    if (kind !== w.symbol.comment) count++;
  }
  return count;
}

/** `f[T](x)` looks like a conversion to the grammar, and so does a call of an element, `table[i](x)`. */
export function conversion(w: GoWalk, node: number): void {
  const type = w.tree.child(node, w.field.type);
  if (type === -1 || w.tree.symbol(type) !== w.symbol.generic) return;
  const name = w.tree.child(type, w.field.type);
  const root = w.tree.symbol(name) === w.symbol.qualified ? w.tree.child(name, w.field.package) : name;
  if (!w.variables.has(w.tree.textOf(root))) typeSite(w, name, 'call');
}

function typeSite(w: GoWalk, type: number, kind: 'call' | 'new' | 'type'): void {
  if (type === -1) return;
  let name = type;
  let receiver: Expression | undefined;
  if (w.tree.symbol(type) === w.symbol.qualified) {
    const module = w.tree.child(type, w.field.package);
    receiver = { is: 'name', name: w.tree.textOf(module), at: w.tree.start(module) };
    name = w.tree.child(type, w.field.name);
  } else if (w.tree.symbol(type) !== w.symbol.typeName) return;
  if (kind !== 'type') addSite(w, name, kind, receiver, kind === 'call' ? 1 : undefined);
  else if (receiver !== undefined || !BUILT_IN_TYPES.has(w.tree.textOf(name))) addCandidate(w, name, kind, receiver);
}

export function typeName(w: GoWalk, node: number): void {
  const parent = w.tree.parent(node);
  const kind = w.tree.symbol(parent);
  if (kind === w.symbol.qualified) return;
  if (w.tree.field(node) === w.field.name && (kind === w.symbol.type || kind === w.symbol.alias)) return;
  if (kind === w.symbol.generic && w.tree.field(node) === w.field.type) {
    const outer = w.tree.symbol(w.tree.parent(parent));
    if (outer === w.symbol.composite || outer === w.symbol.conversion) return;
  }
  if (kind === w.symbol.composite || isReceiver(w, node)) return;
  typeSite(w, node, 'type');
}

export function qualifiedType(w: GoWalk, node: number): void {
  const parent = w.tree.parent(node);
  const kind = w.tree.symbol(parent);
  const outer = kind === w.symbol.generic ? w.tree.symbol(w.tree.parent(parent)) : kind;
  if (outer !== w.symbol.composite && !(kind === w.symbol.generic && outer === w.symbol.conversion))
    typeSite(w, node, 'type');
}

/** The type that a method is written for, whose type parameters it names. */
function isReceiver(w: GoWalk, node: number): boolean {
  let at = w.tree.parent(node);
  while (at > 0 && w.tree.field(at) !== w.field.receiver) {
    const kind = w.tree.symbol(at);
    if (kind === w.symbol.parameters || kind === w.symbol.block || kind === w.symbol.type) return false;
    at = w.tree.parent(at);
  }
  return at > 0;
}

export function composite(w: GoWalk, node: number): void {
  const type = w.tree.child(node, w.field.type);
  if (type === -1) return;
  typeSite(w, w.tree.symbol(type) === w.symbol.generic ? w.tree.child(type, w.field.type) : type, 'new');
}

export function valueName(w: GoWalk, node: number): void {
  const what = w.tree.field(node);
  if (what === w.field.name || what === w.field.function) return;
  const parent = w.tree.parent(node);
  const kind = w.tree.symbol(parent);
  if (kind === w.symbol.selector || kind === w.symbol.index) return;
  if (kind === w.symbol.element && w.tree.field(parent) === w.field.key) return;
  if (
    kind === w.symbol.expressions &&
    w.tree.field(parent) === w.field.left &&
    w.tree.symbol(w.tree.parent(parent)) !== w.symbol.assignment
  )
    return;
  if (kind === w.symbol.expressions && w.tree.field(parent) === w.field.alias) return;
  const name = w.tree.textOf(node);
  if (BUILT_IN_VALUES.has(name) || w.imported.has(name)) return;
  addCandidate(w, node, 'reference');
}

/** `s.handler`, `s.part.handle` and `pkg.Handler` where they are handed on: methods are values like any other. */
export function memberValue(w: GoWalk, node: number): void {
  const kind = w.tree.symbol(w.tree.parent(node));
  if (kind !== w.symbol.arguments && kind !== w.symbol.expressions && kind !== w.symbol.element) return;
  const operand = w.tree.child(node, w.field.operand);
  if (operand === -1) return;
  const at = w.tree.child(node, w.field.field);
  if (at === -1) return;
  addCandidate(w, at, 'reference', w.read.value(operand));
}
