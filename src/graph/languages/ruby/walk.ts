import type { Expression } from '../../model/expression.ts';
import { UNKNOWN } from '../../model/expression.ts';
import type { Base, DefinitionKind, Trait } from '../../model/facts.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import {
  addBinding,
  addDefinition,
  addReference,
  finishDraft,
  headOf,
  startDraft,
  watchComments,
} from '../facts-draft.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import type { Extracted } from '../language.ts';
import { createRubyReader } from './expressions.ts';
import type { RubyFields, RubySymbols } from './expressions.ts';
import { ATTRIBUTES, IMPORTS, isKernel, MIXINS, VISIBILITIES } from './words.ts';

interface Frame {
  readonly after: number;
  readonly index: number;
  readonly place: 'outside' | 'class' | 'method';
  readonly to: number;
  readonly isStatic: boolean;
  /** What is a variable here; any other bare word is a call. */
  readonly locals: Set<string>;
  access: 'public' | 'private';
}

export function extractRuby(tree: FlatTree, S: RubySymbols, F: RubyFields, naming: ReadonlySet<number>): Extracted {
  const draft = startDraft();
  const { text } = tree;
  const read = createRubyReader(tree, S, F);
  const comments = watchComments(tree, () => true);
  const seen = new Set<string>();
  const types = new Map<string, number>();
  const owned = new Map<string, DefinitionDraft>();
  const frames: Frame[] = [
    {
      after: tree.count,
      index: -1,
      place: 'outside',
      to: text.length,
      isStatic: false,
      locals: new Set(),
      access: 'public',
    },
  ];
  let frame = frames[0] as Frame;

  const push = (node: number, index: number, place: Frame['place'], isStatic = false): void => {
    frame = {
      after: tree.after(node),
      index,
      place,
      to: tree.end(node),
      isStatic,
      locals: new Set(),
      access: 'public',
    };
    frames.push(frame);
  };
  const ownerIndex = (): number => {
    for (let at = frames.length - 1; at > 0; at--) {
      const { place, index } = frames[at] as Frame;
      if (place === 'class') return index;
    }
    return -1;
  };

  function define(
    node: number,
    name: string,
    at: number,
    kind: DefinitionKind,
    headEnd: number,
    traits: readonly Trait[] = [],
  ) {
    const start = tree.start(node);
    const definition = addDefinition(draft, name, kind, frame.index, start, tree.end(node), at);
    definition.signature = headOf(text, start, headEnd);
    const doc = comments.before(start)?.replace(/^#+\s*/, '');
    if (doc) definition.doc = doc;
    definition.traits = traits;
    if (frame.access === 'private' && kind === 'method') definition.visibility = 'private';
    definition.exported = definition.visibility === 'public' && frame.place !== 'method';
    if (frame.index !== -1) owned.set(`${frame.index}:${name}`, definition);
    return definition;
  }

  function classLike(node: number, kind: 'class' | 'namespace'): void {
    const name = tree.child(node, F.name);
    if (name === -1 || tree.isMissing(read.lastOf(name))) return;
    const last = read.lastOf(name);
    const parent = tree.child(node, F.superclass);
    const headEnd = tree.end(parent === -1 ? name : parent);
    const definition = define(node, tree.textOf(last), tree.start(last), kind, headEnd);
    const scope = read.scopeOf(name);
    if (scope?.is === 'name') {
      const outer = types.get(scope.name);
      if (outer !== undefined) definition.container = outer;
    }
    types.set(definition.name, draft.definitions.length - 1);
    const base = parent === -1 ? -1 : tree.firstNamed(parent);
    const type = base === -1 ? undefined : read.constant(base);
    if (type) definition.bases = [{ how: 'extends', type, at: tree.start(read.lastOf(base)) }];
    push(node, draft.definitions.length - 1, 'class');
  }

  function method(node: number, isSingleton: boolean): void {
    const nameNode = tree.child(node, F.name);
    if (nameNode === -1 || tree.isMissing(nameNode)) return;
    const name = tree.textOf(nameNode);
    const list = tree.child(node, F.parameters);
    const traits: Trait[] = [];
    if (isSingleton || frame.isStatic) traits.push('static');
    if (name === 'initialize') traits.push('constructor');
    const isMember = frame.place === 'class';
    if (frame.place === 'method') traits.push('local');
    const kind = isMember || isSingleton ? 'method' : 'function';
    const definition = define(node, name, tree.start(nameNode), kind, tree.end(list === -1 ? nameNode : list), traits);
    if (name === 'initialize' || !/^[\p{L}_]/u.test(name)) definition.visibility = 'special';
    definition.parameters = read.parameters(list);
    const around = draft.definitions[frame.index];
    // A module with methods of its own is there to be mixed in.
    if (isMember && traits.length === 0 && around?.kind === 'namespace') around.kind = 'trait';
    push(node, draft.definitions.length - 1, 'method');
    bindParameters(list, tree.start(node), tree.end(node));
  }

  function bindParameters(list: number, from: number, to: number): void {
    if (list === -1) return;
    for (let node = list + 1; node < tree.after(list); node++) {
      if (tree.symbol(node) !== S.identifier || tree.field(node) === F.value) continue;
      const name = tree.textOf(node);
      frame.locals.add(name);
      addBinding(draft, name, frame.index, from, to, tree.start(node));
    }
  }

  function assign(node: number): void {
    const left = tree.child(node, F.left);
    const right = tree.child(node, F.right);
    if (left === -1 || tree.isMissing(left)) return;
    const symbol = tree.symbol(left);
    if (symbol === S.identifier) {
      const value = read.value(right);
      const name = tree.textOf(left);
      const isNew = !frame.locals.has(name);
      frame.locals.add(name);
      if (isNew || value !== UNKNOWN)
        addBinding(
          draft,
          name,
          frame.index,
          tree.start(node),
          frame.to,
          tree.start(left),
          undefined,
          value === UNKNOWN ? undefined : value,
        );
    } else if (symbol === S.instance_variable) addField(node, left, right);
    else if (symbol === S.constant && frame.place !== 'method') addConstant(node, left, right);
    else if (symbol === S.left_assignment_list)
      for (let at = left + 1; at < tree.after(left); at++)
        if (tree.symbol(at) === S.identifier) frame.locals.add(tree.textOf(at));
  }

  /** One field per class, wherever it is set first. */
  function addField(node: number, left: number, right: number): void {
    const owner = ownerIndex();
    const name = tree.textOf(left);
    if (owner === -1) return;
    const value = read.value(right);
    const known = owned.get(`${owner}:${name}`);
    if (known) {
      if (value !== UNKNOWN && known.values.length > 0 && known.values.length < 3)
        known.values = [...known.values, value];
      return;
    }
    const definition = addDefinition(draft, name, 'field', owner, tree.start(node), tree.end(node), tree.start(left));
    definition.signature = headOf(text, tree.start(node), tree.end(node));
    definition.visibility = 'private';
    if (value !== UNKNOWN) definition.values = [value];
    owned.set(`${owner}:${name}`, definition);
  }

  function addConstant(node: number, left: number, right: number): void {
    const made =
      right !== -1 && tree.symbol(right) === S.call
        ? tree.textOf(right).match(/^(Struct|Class|Module|Data)\.(?:new|define)\b/)
        : null;
    const definition = define(node, tree.textOf(left), tree.start(left), made ? 'class' : 'constant', tree.end(node));
    if (!made) {
      const value = read.value(right);
      if (value !== UNKNOWN) definition.values = [value];
      return;
    }
    const list = tree.child(right, F.arguments);
    const first = list === -1 ? -1 : tree.firstNamed(list);
    const base = made[1] === 'Class' && first !== -1 ? read.constant(first) : undefined;
    if (base) definition.bases = [{ how: 'extends', type: base, at: tree.start(first) }];
    push(node, draft.definitions.length - 1, 'class');
    if (made[1] === 'Struct' || made[1] === 'Data')
      for (const { text: name, at, node: symbol } of read.names(list))
        define(symbol, name, at, 'field', tree.end(symbol));
  }

  /** What a bare call in the body of a class says about the class; true when that is all it says. */
  function declares(node: number, name: string, list: number): boolean {
    if (ATTRIBUTES.has(name)) {
      for (const { text: field, at } of read.names(list)) define(node, field, at, 'field', tree.end(node));
      return true;
    }
    if (MIXINS.has(name)) {
      const around = draft.definitions[frame.index];
      for (let at = list === -1 ? -1 : tree.firstNamed(list); at !== -1 && around; at = tree.nextNamed(at)) {
        const type = read.constant(at);
        seen.add(`${frame.index}:${tree.textOf(read.lastOf(at))}`);
        if (type)
          around.bases = [...around.bases, { how: 'embeds', type, at: tree.start(read.lastOf(at)) } satisfies Base];
      }
      return true;
    }
    if (VISIBILITIES.has(name)) {
      const isPublic = name === 'public' || name === 'module_function';
      for (const { text: member } of read.names(list)) hide(frame.index, member, isPublic);
      // `private def x`: the method follows as an argument.
      const isInline = list !== -1 && tree.childOf(list, S.method) !== -1;
      if (isInline) inlineAccess = isPublic ? undefined : tree.after(node);
      return true;
    }
    if (name === 'define_method' || name === 'alias_method') {
      const [named] = read.names(list);
      if (named) define(node, named.text, named.at, 'method', list === -1 ? tree.end(node) : tree.end(list));
      return true;
    }
    return false;
  }
  let inlineAccess: number | undefined;

  function aliasOf(node: number): void {
    const name = tree.child(node, F.name);
    if (name !== -1 && frame.place === 'class')
      define(node, tree.textOf(name), tree.start(name), 'method', tree.end(node));
  }

  function hide(container: number, name: string, isPublic: boolean): void {
    const member = owned.get(`${container}:${name}`);
    if (!member) return;
    member.visibility = isPublic ? 'public' : 'private';
    member.exported = isPublic;
  }

  function call(node: number): void {
    const nameNode = tree.child(node, F.method);
    const receiver = tree.child(node, F.receiver);
    const list = tree.child(node, F.arguments);
    if (nameNode === -1 || tree.isMissing(nameNode)) return;
    const name = tree.textOf(nameNode);
    const args = read.count(list);
    if (tree.symbol(nameNode) === S.super) return callSuper(nameNode, args);
    if (receiver === -1) {
      const kind = IMPORTS.get(name);
      if (kind !== undefined) return addImport(node, list, kind);
      if (frame.place === 'class' && declares(node, name, list)) return;
      return bare(nameNode, name, args);
    }
    const made = name === 'new' ? read.lastOf(receiver) : -1;
    if (made !== -1 && tree.symbol(made) === S.constant && !tree.isMissing(made))
      return addReference(
        draft.references,
        frame.index,
        tree.textOf(made),
        'new',
        tree.start(made),
        read.scopeOf(receiver),
        args,
      );
    addReference(draft.references, frame.index, name, 'call', tree.start(nameNode), read.value(receiver), args);
  }

  /** Without a receiver: of this object, or a function. */
  function bare(nameNode: number, name: string, args: number | undefined): void {
    if (!isKernel(name))
      addReference(draft.references, frame.index, name, 'call', tree.start(nameNode), undefined, args);
  }

  function callSuper(node: number, args: number | undefined): void {
    const around = draft.definitions[frame.index];
    if (around?.kind !== 'method') return;
    const receiver: Expression = { is: 'super', at: tree.start(node) };
    addReference(draft.references, frame.index, around.name, 'call', tree.start(node), receiver, args);
  }

  function addImport(node: number, list: number, kind: 'relative' | 'plain' | 'autoload'): void {
    const named = read.names(list);
    const module = kind === 'autoload' ? named[1] : named[0];
    if (!module) return;
    // `require_relative 'a'` and `require './a'` say the same.
    const path =
      kind === 'relative' && !module.text.startsWith('.') && !module.text.startsWith('/')
        ? `./${module.text}`
        : module.text;
    draft.imports.push({
      local: '*',
      module: path,
      name: '*',
      kind: 'star',
      within: frame.index,
      at: tree.start(node),
    });
  }

  /** A bare word: a variable, a word that steers visibility, or a call without arguments. */
  function word(node: number): void {
    const parent = tree.parent(node);
    const field = tree.field(node);
    const symbol = tree.symbol(parent);
    if (field === F.name || field === F.left || field === F.pattern || field === F.parameters) return;
    if (field === F.method && symbol === S.call) return;
    if (naming.has(symbol)) return void frame.locals.add(tree.textOf(node));
    const name = tree.textOf(node);
    if (frame.locals.has(name) || symbol === S.alias || symbol === S.undef) return;
    if (frame.place === 'class' && VISIBILITIES.has(name)) {
      frame.access = name === 'public' || name === 'module_function' ? 'public' : 'private';
      return;
    }
    for (let at = frames.length - 1; at > 0 && (frames[at] as Frame).place !== 'method'; at--)
      if ((frames[at] as Frame).locals.has(name)) return;
    bare(node, name, 0);
  }

  function constantUse(node: number): void {
    const parent = tree.parent(node);
    const symbol = tree.symbol(parent);
    if (symbol === S.scope_resolution && tree.field(node) === F.scope) return;
    const top = symbol === S.scope_resolution ? parent : node;
    const field = tree.field(top);
    const around = tree.symbol(tree.parent(top));
    if (field === F.name || field === F.left || field === F.method || field === F.receiver || around === S.superclass)
      return;
    const name = tree.textOf(node);
    const key = `${frame.index}:${name}`;
    if (seen.has(key)) return;
    seen.add(key);
    addReference(draft.candidates, frame.index, name, 'reference', tree.start(node), read.scopeOf(top));
  }

  function visit(node: number, symbol: number): void {
    if (symbol === S.call) call(node);
    else if (symbol === S.identifier) word(node);
    else if (symbol === S.constant) constantUse(node);
    else if (symbol === S.comment) comments.note(tree.start(node), tree.end(node));
    else if (symbol === S.assignment || symbol === S.operator_assignment) assign(node);
    else if (symbol === S.method) {
      const before = frame.access;
      if (inlineAccess !== undefined && node < inlineAccess) frame.access = 'private';
      const outer = frame;
      method(node, false);
      outer.access = before;
      inlineAccess = undefined;
    } else if (symbol === S.singleton_method) method(node, true);
    else if (symbol === S.class && tree.isNamed(node)) classLike(node, 'class');
    else if (symbol === S.module && tree.isNamed(node)) classLike(node, 'namespace');
    else if (symbol === S.alias) aliasOf(node);
    else if (symbol === S.singleton_class) push(node, frame.index, 'class', true);
    else if (symbol === S.super && tree.field(node) !== F.method) callSuper(node, undefined);
    else if (symbol === S.block || symbol === S.do_block || symbol === S.lambda)
      bindParameters(tree.child(node, F.parameters), tree.start(node), tree.end(node));
  }

  for (let node = 1; node < tree.count; node++) {
    while (node >= frame.after) {
      frames.pop();
      frame = frames[frames.length - 1] as Frame;
    }
    // What the text lacks has no name.
    if (!tree.isMissing(node)) visit(node, tree.symbol(node));
  }
  return finishDraft(draft, tree.damaged, () => true);
}
