import type { Expression } from '../../model/expression.ts';
import { addReference } from '../facts-draft.ts';
import { addCandidate, addSite, lastIndex } from '../tree-walk.ts';
import { define, lastName, nameModule } from './file.ts';
import type { JavaWalk } from './file.ts';
import { ROLE } from './symbols.ts';

/** Everyone has these without an import, and nobody asks who uses them. */
const EVERYWHERE = new Set(
  (
    'var String Object Integer Long Short Byte Double Float Boolean Character Number Void Class Math System Iterable ' +
    'Override Deprecated SuppressWarnings SafeVarargs FunctionalInterface Exception RuntimeException Throwable Error'
  ).split(' '),
);

interface Arguments {
  readonly count: number;
  /** Undefined where nothing is known of them. */
  readonly given: readonly Expression[] | undefined;
}

function argumentsOf(w: JavaWalk, node: number): Arguments {
  const list = w.tree.child(node, w.field.arguments);
  const given: Expression[] = [];
  for (let arg = list === -1 ? -1 : w.tree.firstNamed(list); arg !== -1; arg = w.tree.nextNamed(arg)) {
    const kind = w.tree.symbol(arg);
    if (kind !== w.symbol.comment && kind !== w.symbol.blockComment) given.push(w.read.value(arg));
  }
  return { count: given.length, given: given.some(({ is }) => is !== 'unknown') ? given : undefined };
}

export function callSite(w: JavaWalk, node: number): void {
  const object = w.tree.child(node, w.field.object);
  let receiver: Expression | undefined;
  if (object !== -1) {
    const isSuper = w.tree.childOf(node, w.symbol.super) !== -1;
    receiver = isSuper ? { is: 'super', at: w.tree.start(object) } : w.read.value(object);
  }
  const { count, given } = argumentsOf(w, node);
  addSite(w, w.tree.child(node, w.field.name), 'call', receiver, count, given);
}

export function constructSite(w: JavaWalk, node: number): void {
  const word = w.tree.child(node, w.field.constructor);
  if (word === -1) return;
  const at = w.tree.start(word);
  const receiver: Expression = w.tree.symbol(word) === w.symbol.super ? { is: 'super', at } : { is: 'this', at };
  const { count, given } = argumentsOf(w, node);
  addReference(w.draft.references, w.frame.within, 'constructor', 'call', at, receiver, count, given);
}

export function creationSite(w: JavaWalk, node: number): void {
  const type = w.tree.child(node, w.field.type);
  if (type === -1) return;
  const made = w.tree.symbol(type) === w.symbol.generic ? w.tree.firstNamed(type) : type;
  const first = w.tree.firstNamed(node);
  const outer =
    first !== type && w.tree.symbol(first) !== w.symbol.annotation && w.tree.start(first) < w.tree.start(type)
      ? first
      : -1;
  const args = argumentsOf(w, node);
  if (w.tree.symbol(made) === w.symbol.scopedType) scopedSite(w, made, 'new', args);
  else addSite(w, made, 'new', outer === -1 ? undefined : w.read.value(outer), args.count, args.given);
  const body = w.tree.childOf(node, w.symbol.classBody);
  if (body !== -1) anonymousClass(w, node, type, made, body);
}

/** A class written with what contains it, or with its package. */
function scopedSite(w: JavaWalk, node: number, kind: 'new' | 'type', args?: Arguments): void {
  const { count, given } = args ?? {};
  let name = -1;
  for (let one = w.tree.firstNamed(node); one !== -1; one = w.tree.nextNamed(one)) name = one;
  const whole = w.read.type(node);
  const list = kind === 'new' ? w.draft.references : w.draft.candidates;
  if (whole.is === 'member')
    addReference(list, w.frame.within, whole.name, kind, w.tree.start(name), whole.of, count, given);
  if (whole.is !== 'name') return;
  const dot = whole.name.lastIndexOf('.');
  const inPackage = nameModule(w, whole.name.slice(0, dot), '*', whole.at);
  const receiver: Expression = { is: 'name', name: inPackage, at: whole.at };
  addReference(list, w.frame.within, whole.name.slice(dot + 1), kind, w.tree.start(name), receiver, count, given);
}

/** It has no name, so it is called by what it is made of. */
function anonymousClass(w: JavaWalk, node: number, type: number, made: number, body: number): void {
  const definition = define(w, node, made, 'class', w.tree.start(body), new Set(), false);
  const name = w.tree.textOf(made);
  definition.name = `new ${name.slice(name.lastIndexOf('.') + 1)}`;
  definition.traits = ['local'];
  definition.bases = [{ how: 'extends', type: w.read.type(type), at: w.tree.start(type) }];
  w.anonymous.set(body, lastIndex(w));
}

export function methodReference(w: JavaWalk, node: number): void {
  const of = w.tree.firstNamed(node);
  const name = lastName(w, node);
  if (of === -1) return;
  if (name !== -1 && name !== of && isOwn(w, of)) standIn(w, node, w.tree.textOf(name));
  if (name !== -1 && name !== of) addSite(w, name, 'reference', w.read.value(of));
  else if (w.tree.symbol(of) === w.symbol.identifier || w.tree.symbol(of) === w.symbol.typeName)
    addSite(w, of, 'reference');
}

/** `this::noted`, or `Store::open` in the file that has the class. */
function isOwn(w: JavaWalk, of: number): boolean {
  const name = w.tree.textOf(of);
  return name === 'this' || w.draft.definitions.some((one) => one.kind === 'class' && one.name === name);
}

/** A lambda or a method reference is what is called of the interface that its place expects. */
export function standIn(w: JavaWalk, node: number, name: string): void {
  const expected = w.read.expected(node);
  if (expected.is === 'unknown') return;
  addReference(w.draft.references, w.frame.within, name, 'implements', w.tree.start(node), expected);
}

export function annotation(w: JavaWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const simple = w.tree.symbol(name) === w.symbol.scoped ? w.tree.child(name, w.field.name) : name;
  if (!EVERYWHERE.has(w.tree.textOf(simple))) addSite(w, simple, 'decorator');
}

export function typeName(w: JavaWalk, node: number): void {
  const name = w.tree.textOf(node);
  const parent = w.tree.parent(node);
  const kind = w.tree.symbol(parent);
  if (EVERYWHERE.has(name) || kind === w.symbol.typeParameter || kind === w.symbol.methodReference) return;
  if (kind === w.symbol.scopedType) {
    if (w.tree.end(node) === w.tree.end(parent) && w.tree.symbol(w.tree.parent(parent)) !== w.symbol.creation)
      scopedSite(w, parent, 'type');
    return;
  }
  const holder = kind === w.symbol.generic && w.tree.firstNamed(parent) === node ? parent : node;
  if (w.tree.symbol(w.tree.parent(holder)) === w.symbol.creation && w.tree.field(holder) === w.field.type) return;
  addCandidate(w, node, 'type');
}

/** `Kind.BOOK` and `this.x` where they are handed on. */
export function memberValue(w: JavaWalk, node: number): void {
  const kind = w.tree.symbol(w.tree.parent(node));
  const isHanded =
    kind === w.symbol.arguments ||
    kind === w.symbol.return ||
    kind === w.symbol.declarator ||
    kind === w.symbol.assignment;
  if (!isHanded || w.tree.field(node) === w.field.left) return;
  const object = w.tree.child(node, w.field.object);
  const name = w.tree.child(node, w.field.field);
  if (object === -1 || name === -1 || w.tree.symbol(name) !== w.symbol.identifier) return;
  const root = w.tree.symbol(object);
  const isType = root === w.symbol.identifier && /^[A-Z]/.test(w.tree.textOf(object));
  if (isType || root === w.symbol.this) {
    addCandidate(w, name, 'reference', w.read.value(object));
  }
}

export function valueName(w: JavaWalk, node: number): void {
  if (!w.imported.has(w.tree.textOf(node))) return;
  const what = w.tree.field(node);
  if (what === w.field.name || what === w.field.field || what === w.field.object || what === w.field.key) return;
  const kind = w.tree.symbol(w.tree.parent(node));
  if (kind === w.symbol.scoped || w.roles[kind] === ROLE.import || kind === w.symbol.methodReference) return;
  addCandidate(w, node, 'reference');
}
