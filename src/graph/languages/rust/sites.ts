import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import { addReference } from '../facts-draft.ts';
import { addCandidate, addSite } from '../tree-walk.ts';
import { called } from './expressions.ts';
import type { RustWalk } from './file.ts';
import { ROLE } from './symbols.ts';

const STANDARD_TYPES = new Set(
  (
    'Self bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 String Vec Option Result Box ' +
    'Some None Ok Err Fn FnMut FnOnce Send Sync Sized Copy Clone Debug Default Drop From Into Iterator'
  ).split(' '),
);

export function callSite(w: RustWalk, node: number): void {
  let callee = w.tree.child(node, w.field.function);
  if (callee !== -1 && w.tree.symbol(callee) === w.symbol.genericFunction)
    callee = w.tree.child(callee, w.field.function);
  if (callee === -1) return;
  const args = countArguments(w, w.tree.child(node, w.field.arguments));
  const kind = w.tree.symbol(callee);
  if (kind === w.symbol.identifier) {
    const name = w.tree.textOf(callee);
    if (name === 'Self') selfSite(w, 'call', w.tree.start(callee), args);
    else addSite(w, callee, 'call', undefined, args);
  } else if (kind === w.symbol.scoped)
    addSite(w, w.tree.child(callee, w.field.name), 'call', w.read.pathBefore(callee), args);
  else if (kind === w.symbol.fieldAccess) {
    addSite(w, w.tree.child(callee, w.field.field), 'call', w.read.value(w.tree.child(callee, w.field.value)), args);
  }
}

/** `Self(...)` and `Self { ... }` name the type by another word. */
function selfSite(w: RustWalk, kind: 'call' | 'new', at: number, args: number | undefined): void {
  const self = w.frame.block?.self;
  const head = self?.is === 'apply' ? self.of : self;
  if (head?.is === 'name') addReference(w.draft.references, w.frame.within, head.name, kind, at, undefined, args);
  else if (head?.is === 'member') addReference(w.draft.references, w.frame.within, head.name, kind, at, head.of, args);
}

function countArguments(w: RustWalk, list: number): number {
  let count = 0;
  for (let arg = list === -1 ? -1 : w.tree.firstNamed(list); arg !== -1; arg = w.tree.nextNamed(arg)) {
    const kind = w.tree.symbol(arg);
    if (kind !== w.symbol.lineComment && kind !== w.symbol.blockComment && kind !== w.symbol.attribute) count++;
  }
  return count;
}

export function structSite(w: RustWalk, node: number): void {
  let name = w.tree.child(node, w.field.name);
  if (name !== -1 && w.tree.symbol(name) === w.symbol.turbofish) name = w.tree.child(name, w.field.type);
  if (name === -1) return;
  if (w.tree.symbol(name) !== w.symbol.typeName)
    addSite(w, w.tree.child(name, w.field.name), 'new', w.read.pathBefore(name));
  else if (w.tree.textOf(name) === 'Self') selfSite(w, 'new', w.tree.start(name), undefined);
  else addSite(w, name, 'new');
}

export function macroSite(w: RustWalk, node: number): void {
  const macro = w.tree.child(node, w.field.macro);
  if (macro === -1) return;
  const scoped = w.tree.symbol(macro) === w.symbol.scoped;
  const name = scoped ? w.tree.child(macro, w.field.name) : macro;
  const receiver = scoped ? w.read.pathBefore(macro) : undefined;
  if (name === -1) return;
  macroReference(w, name, receiver);
}

function macroReference(w: RustWalk, name: number, receiver: Expression | undefined): void {
  const text = `${w.tree.textOf(name)}!`;
  addReference(w.draft.references, w.frame.within, text, 'reference', w.tree.start(name), receiver);
}

/** Calls among the tokens of a macro, which the grammar leaves as they are. */
export function tokens(w: RustWalk, list: number): void {
  let before: Expression | undefined;
  let name = -1;
  let joint = '';
  for (let token = w.tree.firstChild(list); token !== -1; token = w.tree.nextSibling(token)) {
    const kind = w.tree.symbol(token);
    const sign = w.tree.text[w.tree.start(token)];
    if (kind === w.symbol.identifier || kind === w.symbol.self || isWord(w, token, kind, joint)) {
      if (name !== -1 && joint !== '') before = ahead(w, before, name);
      else before = undefined;
      if (joint === '') before = undefined;
      name = token;
      joint = '';
    } else if (kind === w.symbol.tokens) {
      if (name !== -1 && sign === '(' && joint === '') {
        addSite(w, name, 'call', before);
        before = called(ahead(w, before, name), []);
      } else if (sign !== '(' && name !== -1 && sign === '[') before = { is: 'element', of: ahead(w, before, name) };
      else before = undefined;
      name = before === undefined ? -1 : token;
      joint = '';
    } else if (!w.tree.isNamed(token) && (w.tree.textOf(token) === '.' || w.tree.textOf(token) === '::')) {
      joint = w.tree.textOf(token);
    } else if (sign === '?' && name !== -1) before = { is: 'entered', of: ahead(w, before, name) };
    else if (sign === '!' && name !== -1 && w.tree.symbol(name) === w.symbol.identifier) {
      macroReference(w, name, before);
      name = -1;
    } else {
      name = -1;
      joint = '';
      before = undefined;
    }
  }
}

/** What is a keyword in other places, and the field of a tuple. */
function isWord(w: RustWalk, token: number, kind: number, joint: string): boolean {
  if (kind === w.symbol.integer) return joint === '.';
  return !w.tree.isNamed(token) && WORDS.has(w.tree.textOf(token));
}

const WORDS = new Set(['default', 'union', 'raw', 'auto']);

/** The expression that ends with a token: a name, or what the tokens before it have made. */
function ahead(w: RustWalk, before: Expression | undefined, token: number): Expression {
  if (w.tree.symbol(token) === w.symbol.tokens) return before ?? UNKNOWN;
  const name = w.tree.textOf(token);
  if (before === undefined) return w.read.named(name, w.tree.start(token));
  return { is: 'member', of: before, name };
}

export function typeName(w: RustWalk, node: number): void {
  if (w.tree.field(node) === w.field.name) {
    const parent = w.tree.symbol(w.tree.parent(node));
    if (parent !== w.symbol.scopedType) return;
    if (w.tree.symbol(w.tree.parent(w.tree.parent(node))) === w.symbol.structMade) return;
    const receiver = w.read.pathBefore(w.tree.parent(node));
    if (receiver === undefined) return;
    addCandidate(w, node, 'type', receiver);
    return;
  }
  const name = w.tree.textOf(node);
  if (STANDARD_TYPES.has(name) || w.roles[w.tree.symbol(w.tree.parent(node))] === ROLE.impl) return;
  addCandidate(w, node, 'type');
}

export function valueName(w: RustWalk, node: number): void {
  const what = w.tree.field(node);
  if (what === w.field.name || what === w.field.function || what === w.field.path || what === w.field.macro) return;
  if (what === w.field.pattern || what === w.field.alias || what === w.field.argument) return;
  const parent = w.tree.symbol(w.tree.parent(node));
  if (parent === w.symbol.fieldAccess || w.roles[parent] === ROLE.use || parent === w.symbol.label) return;
  if (w.symbol.patterns.has(parent) || parent === w.symbol.tokens) return;
  addCandidate(w, node, 'reference');
}

export function pathValue(w: RustWalk, node: number): void {
  const what = w.tree.field(node);
  if (what === w.field.function || what === w.field.path || what === w.field.macro || what === w.field.argument) return;
  const parent = w.tree.symbol(w.tree.parent(node));
  if (w.symbol.useParts.has(parent) || parent === w.symbol.genericFunction || parent === w.symbol.visibility) return;
  if (parent === w.symbol.attributeInner) return;
  const name = w.tree.child(node, w.field.name);
  const receiver = w.read.pathBefore(node);
  if (name === -1 || receiver === undefined) return;
  addCandidate(w, name, 'reference', receiver);
}
