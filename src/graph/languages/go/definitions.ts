import type { Expression, Generic } from '../../model/expression.ts';
import type { Base } from '../../model/facts.ts';
import { SIGNATURE } from '../facts-draft.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { lastIndex } from '../tree-walk.ts';
import { bind, define, push } from './file.ts';
import type { GoWalk } from './file.ts';
import { MORE } from './standard-methods.ts';

export function importSpec(w: GoWalk, node: number): void {
  const path = w.tree.child(node, w.field.path);
  const module = w.tree.textOf(path).slice(1, -1);
  const alias = w.tree.child(node, w.field.name);
  const name = alias === -1 ? packageName(module) : w.tree.textOf(alias);
  const at = w.tree.start(alias === -1 ? path : alias);
  const within = w.frame.within;
  if (name === '_') w.draft.imports.push({ local: '', module, name: '*', kind: 'effect', within, at });
  else if (name === '.') w.draft.imports.push({ local: '*', module, name: '*', kind: 'star', within, at });
  else {
    w.imported.add(name);
    w.draft.imports.push({ local: name, module, name: '*', kind: 'value', within, at });
  }
}

/** Parameters and results of a function as names in its body. */
function bindParameters(w: GoWalk, list: number, from: number): void {
  if (list === -1 || w.tree.symbol(list) !== w.symbol.parameters) return;
  for (let node = w.tree.firstNamed(list); node !== -1; node = w.tree.nextNamed(node)) {
    const type = w.tree.child(node, w.field.type);
    if (type === -1) continue;
    const plain = w.read.type(type);
    const isRest = w.tree.symbol(node) === w.symbol.variadic;
    const shown: Expression = isRest
      ? { is: 'apply', of: { is: 'name', name: '[]', at: w.tree.start(node) }, types: [plain] }
      : plain;
    for (let name = w.tree.firstNamed(node); name !== -1; name = w.tree.nextNamed(name)) {
      if (w.tree.field(name) === w.field.name) bind(w, name, from, shown, undefined);
    }
  }
}

export function fillFunction(w: GoWalk, definition: DefinitionDraft, node: number): void {
  definition.generics = w.read.generics(w.tree.child(node, w.field.typeParameters));
  definition.parameters = w.read.parameters(w.tree.child(node, w.field.parameters));
  const result = w.read.result(w.tree.child(node, w.field.result));
  if (result !== undefined) definition.type = result;
  else definition.type = { is: 'tuple', of: [] };
}

export function enterFunction(w: GoWalk, node: number, within: number, self: string): void {
  push(w, node, within, self);
  const from = w.tree.start(node);
  bindParameters(w, w.tree.child(node, w.field.parameters), from);
  bindParameters(w, w.tree.child(node, w.field.result), from);
}

export function headEnd(w: GoWalk, node: number): number {
  const body = w.tree.child(node, w.field.body);
  return body === -1 ? w.tree.end(node) : w.tree.start(body);
}

export function functionDeclaration(w: GoWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const definition = define(w, name, 'function', node, w.frame.within, headEnd(w, node));
  fillFunction(w, definition, node);
  if (w.tree.child(node, w.field.body) === -1) definition.traits = ['declared'];
  if (definition.name === 'init' || (definition.name === 'main' && w.draft.package === 'main')) {
    definition.visibility = 'special';
  }
  enterFunction(w, node, lastIndex(w), '');
}

export function methodDeclaration(w: GoWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  const receiver = w.tree.firstNamed(w.tree.child(node, w.field.receiver));
  if (name === -1 || receiver === -1) return;
  const self = w.tree.child(receiver, w.field.name);
  const adds = w.read.type(w.tree.child(receiver, w.field.type));
  const type = adds.is === 'apply' ? adds.of : adds;
  const owner = type.is === 'name' ? ownerOf(w, type.name) : -1;
  const definition = define(w, name, 'method', node, owner, headEnd(w, node));
  fillFunction(w, definition, node);
  definition.bases = [{ how: 'adds', type: adds, at: w.tree.start(receiver) }];
  if (adds.is === 'apply') definition.generics = receiverGenerics(adds.types);
  enterFunction(w, node, lastIndex(w), self === -1 ? '' : w.tree.textOf(self));
  if (self !== -1) {
    const before = w.frame.self;
    bind(w, self, w.tree.start(node), adds, undefined);
    w.frame.self = before;
  }
}

/** A receiver names the type parameters of its type anew. */
function receiverGenerics(types: readonly Expression[]): Generic[] {
  const generics: Generic[] = [];
  for (const type of types) if (type.is === 'name' && type.name !== '_') generics.push({ name: type.name });
  return generics;
}

function ownerOf(w: GoWalk, name: string): number {
  const node = w.typeNodes.get(name);
  if (node !== undefined && !w.typeIndex.has(name)) typeSpec(w, node);
  return w.typeIndex.get(name) ?? -1;
}

export function typeSpec(w: GoWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  const type = w.tree.child(node, w.field.type);
  if (name === -1 || w.indexOfType.has(node)) return;
  const declaration = w.tree.parent(node);
  const isOnly = w.tree.firstNamed(declaration) === node && w.tree.nextNamed(node) === -1;
  const whole = isOnly ? declaration : node;
  const container = w.tree.parent(declaration) === 0 ? -1 : w.frame.within;
  const shape = type === -1 ? 0 : w.tree.symbol(type);
  const body = shape === w.symbol.struct ? w.tree.childOf(type, w.symbol.fields) : -1;
  const end = body !== -1 ? w.tree.start(body) : shape === w.symbol.interface ? bodyStart(w, type) : w.tree.end(whole);
  const kind = shape === w.symbol.struct ? 'struct' : shape === w.symbol.interface ? 'interface' : 'type';
  const definition = define(w, name, kind, whole, container, end);
  if (!isOnly) definition.signature = `type ${definition.signature}`.slice(0, SIGNATURE);
  if (container !== -1) definition.traits = ['local'];
  definition.generics = w.read.generics(w.tree.child(node, w.field.typeParameters));
  const index = lastIndex(w);
  w.indexOfType.set(node, index);
  if (container === -1) w.typeIndex.set(definition.name, index);
  if (kind === 'struct') structFields(w, body, definition, index);
  else if (kind === 'interface') interfaceMembers(w, type, definition, index);
  else if (w.tree.symbol(node) === w.symbol.alias) definition.type = w.read.type(type);
  // A type of its own with the shape of another.
  else definition.bases = [{ how: 'embeds', type: w.read.type(type), at: w.tree.start(type) }];
}

function bodyStart(w: GoWalk, type: number): number {
  const open = w.text.indexOf('{', w.tree.start(type));
  return open === -1 ? w.tree.end(type) : Math.min(open, w.tree.end(type));
}

function structFields(w: GoWalk, list: number, owner: DefinitionDraft, index: number): void {
  if (list === -1) return;
  const bases: Base[] = [];
  for (let node = w.tree.firstNamed(list); node !== -1; node = w.tree.nextNamed(node)) {
    if (w.tree.symbol(node) === w.symbol.comment) w.comments.note(w.tree.start(node), w.tree.end(node));
    if (w.tree.symbol(node) !== w.symbol.field) continue;
    const typeNode = w.tree.child(node, w.field.type);
    const type = w.read.type(typeNode);
    let isEmbedded = true;
    for (let name = w.tree.firstNamed(node); name !== -1; name = w.tree.nextNamed(name)) {
      if (w.tree.field(name) !== w.field.name) continue;
      isEmbedded = false;
      define(w, name, 'field', node, index, w.tree.end(node)).type = type;
    }
    const name = isEmbedded ? nameOfType(w, typeNode) : -1;
    if (name === -1) continue;
    define(w, name, 'field', node, index, w.tree.end(node)).type = type;
    bases.push({ how: 'embeds', type, at: w.tree.start(name) });
  }
  if (bases.length > 0) owner.bases = bases;
}

function nameOfType(w: GoWalk, node: number): number {
  let at = node;
  while (at !== -1 && w.tree.symbol(at) !== w.symbol.typeName) {
    const kind = w.tree.symbol(at);
    if (kind === w.symbol.qualified) at = w.tree.child(at, w.field.name);
    else if (kind === w.symbol.generic) at = w.tree.child(at, w.field.type);
    else at = w.tree.firstNamed(at);
  }
  return at;
}

function interfaceMembers(w: GoWalk, type: number, owner: DefinitionDraft, index: number): void {
  const bases: Base[] = [];
  const embedded: string[] = [];
  for (let node = w.tree.firstNamed(type); node !== -1; node = w.tree.nextNamed(node)) {
    const kind = w.tree.symbol(node);
    if (kind === w.symbol.comment) w.comments.note(w.tree.start(node), w.tree.end(node));
    if (kind === w.symbol.methodElement) {
      const name = w.tree.child(node, w.field.name);
      if (name === -1) continue;
      const method = define(w, name, 'method', node, index, w.tree.end(node));
      fillFunction(w, method, node);
      method.traits = ['declared'];
    }
    if (kind !== w.symbol.typeElement) continue;
    const first = w.tree.firstNamed(node);
    if (first === -1 || w.tree.nextNamed(first) !== -1 || w.tree.symbol(first) === w.symbol.negated) continue;
    bases.push({ how: 'embeds', type: w.read.type(first), at: w.tree.start(first) });
    embedded.push(w.tree.textOf(first));
  }
  if (bases.length === 0) return;
  owner.bases = bases;
  const isAll = lastIndex(w) === index;
  owner.signature = withEmbedded(owner.signature, isAll ? embedded : [...embedded, MORE]);
}

/** What it embeds is said in the head of an interface: of another package, its methods stand nowhere else. */
function withEmbedded(head: string, embedded: readonly string[]): string {
  const whole = `${head} { ${embedded.join('; ')} }`;
  return whole.length < SIGNATURE && !/\s{2}|\n/.test(whole) ? whole : head;
}

/** The last part of a path that names a package and not its version. */
export function packageName(module: string): string {
  const parts = module.split('/');
  let name = parts.at(-1) ?? '';
  if (/^v\d+$/.test(name) && parts.length > 1) name = parts.at(-2) ?? '';
  return name.replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/, '');
}
