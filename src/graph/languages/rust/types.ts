import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import type { Base } from '../../model/facts.ts';
import { addDefinition, headOf } from '../facts-draft.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { lastIndex } from '../tree-walk.ts';
import { define, isItemLevel, itemContainer, push, typeKey } from './file.ts';
import type { RustWalk } from './file.ts';

export function typeItem(w: RustWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1 || w.indexOfType.has(node)) return;
  const kind = w.tree.symbol(node) === w.symbol.enum ? 'enum' : 'struct';
  const definition = define(w, node, name, kind, itemContainer(w));
  if (!isItemLevel(w)) definition.traits = [...definition.traits, 'local'];
  definition.generics = w.read.generics(node);
  const index = lastIndex(w);
  w.indexOfType.set(node, index);
  const body = w.tree.child(node, w.field.body);
  if (body === -1) return;
  if (kind === 'enum') variants(w, body, index);
  else fields(w, body, index);
}

function fields(w: RustWalk, body: number, owner: number): void {
  let position = 0;
  let isOpen = false;
  for (let node = w.tree.firstNamed(body); node !== -1; node = w.tree.nextNamed(node)) {
    const kind = w.tree.symbol(node);
    if (kind === w.symbol.lineComment || kind === w.symbol.blockComment)
      w.comments.note(w.tree.start(node), w.tree.end(node));
    if (kind === w.symbol.attribute) w.comments.pass(w.tree.start(node), w.tree.end(node));
    if (kind === w.symbol.visibility) isOpen = true;
    if (kind === w.symbol.field) {
      const name = w.tree.child(node, w.field.name);
      if (name !== -1) define(w, node, name, 'field', owner).type = w.read.type(w.tree.child(node, w.field.type));
    } else if (w.tree.field(node) === w.field.type) {
      const start = w.tree.start(node);
      const definition = addDefinition(w.draft, String(position++), 'field', owner, start, w.tree.end(node), start);
      definition.signature = headOf(w.text, start, w.tree.end(node));
      definition.exported = isOpen;
      definition.visibility = isOpen ? 'public' : 'private';
      definition.type = w.read.type(node);
      isOpen = false;
    }
  }
}

function variants(w: RustWalk, body: number, owner: number): void {
  for (let node = w.tree.firstNamed(body); node !== -1; node = w.tree.nextNamed(node)) {
    const kind = w.tree.symbol(node);
    if (kind === w.symbol.lineComment || kind === w.symbol.blockComment)
      w.comments.note(w.tree.start(node), w.tree.end(node));
    if (kind === w.symbol.attribute) w.comments.pass(w.tree.start(node), w.tree.end(node));
    const name = kind === w.symbol.variant ? w.tree.child(node, w.field.name) : -1;
    if (name === -1) continue;
    const definition = define(w, node, name, 'constant', owner);
    const whole = w.draft.definitions[owner] as DefinitionDraft;
    definition.exported = whole.exported;
    definition.visibility = 'public';
    definition.type = typeItself(whole);
    const inner = w.tree.child(node, w.field.body);
    if (inner === -1) continue;
    if (w.tree.symbol(inner) === w.symbol.ordered) {
      definition.parameters = orderedTypes(w, inner).map((type) => ({ name: '', type }));
    } else fields(w, inner, lastIndex(w));
  }
}

/** A type with its own type parameters as arguments. */
function typeItself({ name, at, generics }: DefinitionDraft): Expression {
  const of: Expression = { is: 'name', name, at };
  if (generics.length === 0) return of;
  return { is: 'apply', of, types: generics.map((generic) => ({ is: 'name', name: generic.name, at })) };
}

function orderedTypes(w: RustWalk, list: number): Expression[] {
  const types: Expression[] = [];
  for (let node = w.tree.firstNamed(list); node !== -1; node = w.tree.nextNamed(node)) {
    if (w.tree.field(node) === w.field.type) types.push(w.read.type(node));
  }
  return types;
}

export function traitItem(w: RustWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const definition = define(w, node, name, 'trait', itemContainer(w));
  definition.generics = w.read.generics(node);
  const bounds = w.tree.child(node, w.field.bounds);
  const bases: Base[] = [];
  for (let one = bounds === -1 ? -1 : w.tree.firstNamed(bounds); one !== -1; one = w.tree.nextNamed(one)) {
    if (w.tree.symbol(one) !== w.symbol.lifetime)
      bases.push({ how: 'extends', type: w.read.type(one), at: w.tree.start(one) });
  }
  if (bases.length > 0) definition.bases = bases;
  const self: Expression = { is: 'name', name: definition.name, at: definition.at };
  const owner = lastIndex(w);
  push(w, node, owner, { self, owner, isTrait: true, ofTrait: false, generics: [], at: definition.at });
}

export function implItem(w: RustWalk, node: number): void {
  const typeNode = w.tree.child(node, w.field.type);
  const trait = w.tree.child(node, w.field.trait);
  const self = typeNode === -1 ? UNKNOWN : w.read.type(typeNode);
  const head = self.is === 'apply' ? self.of : self;
  const key = head.is === 'name' ? typeKey(w.tree.parent(node), head.name) : '';
  const owned = w.typeNodes.get(key);
  if (owned !== undefined) typeItem(w, owned);
  const owner = owned === undefined ? -1 : (w.indexOfType.get(owned) ?? -1);
  const generics = w.read.generics(node);
  const target = w.draft.definitions[owner];
  if (trait !== -1 && target !== undefined) {
    target.bases = target.bases.concat({ how: 'implements', type: w.read.type(trait), at: w.tree.start(trait) });
  }
  const at = typeNode === -1 ? w.tree.start(node) : w.tree.start(typeNode);
  const within = owner === -1 ? w.frame.container : owner;
  push(w, node, within, { self, owner, isTrait: false, ofTrait: trait !== -1, generics, at });
}
