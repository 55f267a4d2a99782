import type { Expression } from '../../model/expression.ts';
import type { Base, DefinitionKind, Trait } from '../../model/facts.ts';
import { lastIndex } from '../tree-walk.ts';
import { arrayOf, bodyStart, define, isInInterface, modifiersOf, push } from './file.ts';
import type { JavaWalk } from './file.ts';
import { bindParameters } from './variables.ts';

export function importDeclaration(w: JavaWalk, node: number): void {
  const path = w.tree.firstNamed(node);
  if (path === -1) return;
  const module = w.tree.textOf(path);
  const isStatic = w.tree.text.slice(w.tree.start(node), w.tree.start(path)).includes('static');
  const isStar = w.tree.childOf(node, w.symbol.asterisk) !== -1;
  const dot = module.lastIndexOf('.');
  const name = module.slice(dot + 1);
  const at = w.tree.end(path) - name.length;
  if (isStar) w.draft.imports.push({ local: '*', module, name: '*', kind: 'star', within: -1, at });
  else {
    w.imported.add(name);
    const from = isStatic ? module.slice(0, Math.max(dot, 0)) : module;
    w.draft.imports.push({ local: name, module: from, name, kind: 'value', within: -1, at });
  }
}

function isLocal(w: JavaWalk): boolean {
  const kind = w.draft.definitions[w.frame.within]?.kind;
  return kind === 'method' || (kind === undefined && w.frame.within !== -1);
}

export function classDeclaration(w: JavaWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const words = modifiersOf(w, node);
  const kind = w.tree.symbol(node);
  const what: DefinitionKind = kind === w.symbol.enum ? 'enum' : isInterface(w, kind) ? 'interface' : 'class';
  const definition = define(w, node, name, what, bodyStart(w, node), words, isInInterface(w, node));
  const traits: Trait[] = [];
  if (words.has('abstract')) traits.push('abstract');
  if (isLocal(w)) traits.push('local');
  if (words.has('static') || what !== 'class' || kind === w.symbol.record) traits.push('static');
  if (traits.length > 0) definition.traits = traits;
  definition.generics = w.read.generics(w.tree.child(node, w.field.typeParameters));
  const bases: Base[] = [];
  addBases(w, bases, 'extends', w.tree.child(node, w.field.superclass));
  addBases(w, bases, 'extends', w.tree.childOf(node, w.symbol.extends));
  addBases(w, bases, 'implements', w.tree.child(node, w.field.interfaces));
  if (bases.length > 0) definition.bases = bases;
  push(w, node, lastIndex(w));
  if (kind === w.symbol.record) components(w, w.tree.child(node, w.field.parameters));
}

function isInterface(w: JavaWalk, kind: number): boolean {
  return kind === w.symbol.interface || kind === w.symbol.annotationType;
}

function addBases(w: JavaWalk, bases: Base[], how: 'extends' | 'implements', node: number): void {
  for (let type = node === -1 ? -1 : w.tree.firstNamed(node); type !== -1; type = w.tree.nextNamed(type)) {
    if (w.tree.symbol(type) === w.symbol.typeList) {
      addBases(w, bases, how, type);
      continue;
    }
    const found = w.read.type(type);
    if (found.is !== 'unknown') bases.push({ how, type: found, at: w.tree.start(type) });
  }
}

/** What a record has: each can be read by its name and by calling it. */
function components(w: JavaWalk, list: number): void {
  for (let node = list === -1 ? -1 : w.tree.firstNamed(list); node !== -1; node = w.tree.nextNamed(node)) {
    const name = w.tree.child(node, w.field.name);
    if (w.tree.symbol(node) !== w.symbol.parameter || name === -1) continue;
    const component = define(w, node, name, 'field', w.tree.end(node), new Set(), true);
    component.type = w.read.type(w.tree.child(node, w.field.type));
    component.traits = ['callable'];
    w.variables.add(component.name);
  }
}

export function methodDeclaration(w: JavaWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const words = modifiersOf(w, node);
  const definition = define(w, node, name, 'method', bodyStart(w, node), words, isInInterface(w, node));
  const traits: Trait[] = [];
  if (words.has('static')) traits.push('static');
  if (words.has('abstract')) traits.push('abstract');
  if (w.tree.child(node, w.field.body) === -1) traits.push('declared');
  if (traits.length > 0) definition.traits = traits;
  definition.generics = w.read.generics(w.tree.child(node, w.field.typeParameters));
  definition.parameters = w.read.parameters(w.tree.child(node, w.field.parameters));
  const type = w.read.type(w.tree.child(node, w.field.type));
  definition.type = w.tree.child(node, w.field.dimensions) === -1 ? type : arrayOf(type, definition.at);
  if (definition.name === 'main' && words.has('static')) definition.visibility = 'special';
  push(w, node, lastIndex(w));
  bindParameters(w, w.tree.child(node, w.field.parameters), w.tree.start(node));
}

export function constructorDeclaration(w: JavaWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const definition = define(w, node, name, 'method', bodyStart(w, node), modifiersOf(w, node), false);
  definition.name = 'constructor';
  definition.traits = ['constructor'];
  definition.visibility = 'special';
  definition.generics = w.read.generics(w.tree.child(node, w.field.typeParameters));
  let list = w.tree.child(node, w.field.parameters);
  if (w.tree.symbol(node) === w.symbol.compact) {
    const record = w.tree.parent(w.tree.parent(node));
    list = record > 0 ? w.tree.child(record, w.field.parameters) : -1;
  }
  definition.parameters = w.read.parameters(list);
  push(w, node, lastIndex(w));
  bindParameters(w, list, w.tree.start(node));
}

export function fieldDeclaration(w: JavaWalk, node: number): void {
  const words = modifiersOf(w, node);
  const typeNode = w.tree.child(node, w.field.type);
  const isConstant =
    w.tree.symbol(node) === w.symbol.constantDeclaration || (words.has('static') && words.has('final'));
  for (let one = w.tree.firstNamed(node); one !== -1; one = w.tree.nextNamed(one)) {
    const name = w.tree.symbol(one) === w.symbol.declarator ? w.tree.child(one, w.field.name) : -1;
    if (name === -1) continue;
    const definition = define(
      w,
      node,
      name,
      isConstant ? 'constant' : 'field',
      w.tree.end(node),
      words,
      isInInterface(w, node),
    );
    if (isConstant || words.has('static')) definition.traits = ['static'];
    const type = w.read.type(typeNode);
    definition.type = w.tree.child(one, w.field.dimensions) === -1 ? type : arrayOf(type, definition.at);
    w.variables.add(definition.name);
  }
  // What initialises a field belongs to the class, for all that come after it do.
  push(w, node, w.frame.within);
}

export function enumConstant(w: JavaWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const owner = w.draft.definitions[w.frame.within];
  const definition = define(w, node, name, 'constant', bodyStart(w, node), new Set(), owner?.exported === true);
  definition.traits = ['static'];
  if (owner === undefined) return;
  const type: Expression = { is: 'name', name: owner.name, at: owner.at };
  definition.type = type;
  if (w.tree.child(node, w.field.body) === -1) return;
  definition.bases = [{ how: 'extends', type, at: definition.at }];
  push(w, node, lastIndex(w));
}

export function annotationElement(w: JavaWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const definition = define(w, node, name, 'method', w.tree.end(node), modifiersOf(w, node), true);
  definition.traits = ['declared'];
  definition.type = w.read.type(w.tree.child(node, w.field.type));
}
