import { UNKNOWN } from '../../model/expression.ts';
import type { Base, Trait } from '../../model/facts.ts';
import { addBinding, addDefinition, headOf } from '../facts-draft.ts';
import { define, ownerIndex, push } from './file.ts';
import type { RubyWalk } from './file.ts';
import { ATTRIBUTES, MIXINS, VISIBILITIES } from './words.ts';

export function classLike(w: RubyWalk, node: number, kind: 'class' | 'namespace'): void {
  const name = w.tree.child(node, w.F.name);
  if (name === -1 || w.tree.isMissing(w.read.lastOf(name))) return;
  const last = w.read.lastOf(name);
  const parent = w.tree.child(node, w.F.superclass);
  const headEnd = w.tree.end(parent === -1 ? name : parent);
  const definition = define(w, node, w.tree.textOf(last), w.tree.start(last), kind, headEnd);
  const scope = w.read.scopeOf(name);
  if (scope?.is === 'name') {
    const outer = w.types.get(scope.name);
    if (outer !== undefined) definition.container = outer;
  }
  w.types.set(definition.name, w.draft.definitions.length - 1);
  const base = parent === -1 ? -1 : w.tree.firstNamed(parent);
  const type = base === -1 ? undefined : w.read.constant(base);
  if (type) definition.bases = [{ how: 'extends', type, at: w.tree.start(w.read.lastOf(base)) }];
  push(w, node, w.draft.definitions.length - 1, 'class');
}

export function method(w: RubyWalk, node: number, isSingleton: boolean): void {
  const nameNode = w.tree.child(node, w.F.name);
  if (nameNode === -1 || w.tree.isMissing(nameNode)) return;
  const name = w.tree.textOf(nameNode);
  const list = w.tree.child(node, w.F.parameters);
  const traits: Trait[] = [];
  if (isSingleton || w.frame.isStatic) traits.push('static');
  if (name === 'initialize') traits.push('constructor');
  const isMember = w.frame.kind === 'class';
  if (w.frame.kind === 'method') traits.push('local');
  const kind = isMember || isSingleton ? 'method' : 'function';
  const definition = define(
    w,
    node,
    name,
    w.tree.start(nameNode),
    kind,
    w.tree.end(list === -1 ? nameNode : list),
    traits,
  );
  if (name === 'initialize' || !/^[\p{L}_]/u.test(name)) definition.visibility = 'special';
  definition.parameters = w.read.parameters(list);
  const around = w.draft.definitions[w.frame.index];
  // A module with methods of its own is there to be mixed in.
  if (isMember && traits.length === 0 && around?.kind === 'namespace') around.kind = 'trait';
  push(w, node, w.draft.definitions.length - 1, 'method');
  bindParameters(w, list, w.tree.start(node), w.tree.end(node));
}

export function bindParameters(w: RubyWalk, list: number, from: number, to: number): void {
  if (list === -1) return;
  for (let node = list + 1; node < w.tree.after(list); node++) {
    if (w.tree.symbol(node) !== w.S.identifier || w.tree.field(node) === w.F.value) continue;
    const name = w.tree.textOf(node);
    w.frame.locals.add(name);
    addBinding(w.draft, name, w.frame.index, from, to, w.tree.start(node));
  }
}

export function assign(w: RubyWalk, node: number): void {
  const left = w.tree.child(node, w.F.left);
  const right = w.tree.child(node, w.F.right);
  if (left === -1 || w.tree.isMissing(left)) return;
  const symbol = w.tree.symbol(left);
  if (symbol === w.S.identifier) {
    const value = w.read.value(right);
    const name = w.tree.textOf(left);
    const isNew = !w.frame.locals.has(name);
    w.frame.locals.add(name);
    if (isNew || value !== UNKNOWN)
      addBinding(
        w.draft,
        name,
        w.frame.index,
        w.tree.start(node),
        w.frame.to,
        w.tree.start(left),
        undefined,
        value === UNKNOWN ? undefined : value,
      );
  } else if (symbol === w.S.instance_variable) addField(w, node, left, right);
  else if (symbol === w.S.constant && w.frame.kind !== 'method') addConstant(w, node, left, right);
  else if (symbol === w.S.left_assignment_list)
    for (let at = left + 1; at < w.tree.after(left); at++)
      if (w.tree.symbol(at) === w.S.identifier) w.frame.locals.add(w.tree.textOf(at));
}

/** One field per class, wherever it is set first. */
function addField(w: RubyWalk, node: number, left: number, right: number): void {
  const owner = ownerIndex(w);
  const name = w.tree.textOf(left);
  if (owner === -1) return;
  const value = w.read.value(right);
  const known = w.owned.get(`${owner}:${name}`);
  if (known) {
    if (value !== UNKNOWN && known.values.length > 0 && known.values.length < 3)
      known.values = [...known.values, value];
    return;
  }
  const definition = addDefinition(
    w.draft,
    name,
    'field',
    owner,
    w.tree.start(node),
    w.tree.end(node),
    w.tree.start(left),
  );
  definition.signature = headOf(w.text, w.tree.start(node), w.tree.end(node));
  definition.visibility = 'private';
  if (value !== UNKNOWN) definition.values = [value];
  w.owned.set(`${owner}:${name}`, definition);
}

function addConstant(w: RubyWalk, node: number, left: number, right: number): void {
  const made =
    right !== -1 && w.tree.symbol(right) === w.S.call
      ? w.tree.textOf(right).match(/^(Struct|Class|Module|Data)\.(?:new|define)\b/)
      : null;
  const definition = define(
    w,
    node,
    w.tree.textOf(left),
    w.tree.start(left),
    made ? 'class' : 'constant',
    w.tree.end(node),
  );
  if (!made) {
    const value = w.read.value(right);
    if (value !== UNKNOWN) definition.values = [value];
    return;
  }
  const list = w.tree.child(right, w.F.arguments);
  const first = list === -1 ? -1 : w.tree.firstNamed(list);
  const base = made[1] === 'Class' && first !== -1 ? w.read.constant(first) : undefined;
  if (base) definition.bases = [{ how: 'extends', type: base, at: w.tree.start(first) }];
  push(w, node, w.draft.definitions.length - 1, 'class');
  if (made[1] === 'Struct' || made[1] === 'Data')
    for (const { text: name, at, node: symbol } of w.read.names(list))
      define(w, symbol, name, at, 'field', w.tree.end(symbol));
}

/** What a bare call in the body of a class says about the class; true when that is all it says. */
export function declares(w: RubyWalk, node: number, name: string, list: number): boolean {
  if (ATTRIBUTES.has(name)) {
    for (const { text: field, at } of w.read.names(list)) define(w, node, field, at, 'field', w.tree.end(node));
    return true;
  }
  if (MIXINS.has(name)) {
    const around = w.draft.definitions[w.frame.index];
    for (let at = list === -1 ? -1 : w.tree.firstNamed(list); at !== -1 && around; at = w.tree.nextNamed(at)) {
      const type = w.read.constant(at);
      w.seen.add(`${w.frame.index}:${w.tree.textOf(w.read.lastOf(at))}`);
      if (type)
        around.bases = [...around.bases, { how: 'embeds', type, at: w.tree.start(w.read.lastOf(at)) } satisfies Base];
    }
    return true;
  }
  if (VISIBILITIES.has(name)) {
    const isPublic = name === 'public' || name === 'module_function';
    for (const { text: member } of w.read.names(list)) hide(w, w.frame.index, member, isPublic);
    // `private def x`: the method follows as an argument.
    const isInline = list !== -1 && w.tree.childOf(list, w.S.method) !== -1;
    if (isInline) w.inlineAccess = isPublic ? undefined : w.tree.after(node);
    return true;
  }
  if (name === 'define_method' || name === 'alias_method') {
    const [named] = w.read.names(list);
    if (named) define(w, node, named.text, named.at, 'method', list === -1 ? w.tree.end(node) : w.tree.end(list));
    return true;
  }
  return false;
}

export function aliasOf(w: RubyWalk, node: number): void {
  const name = w.tree.child(node, w.F.name);
  if (name !== -1 && w.frame.kind === 'class')
    define(w, node, w.tree.textOf(name), w.tree.start(name), 'method', w.tree.end(node));
}

function hide(w: RubyWalk, container: number, name: string, isPublic: boolean): void {
  const member = w.owned.get(`${container}:${name}`);
  if (!member) return;
  member.visibility = isPublic ? 'public' : 'private';
  member.exported = isPublic;
}
