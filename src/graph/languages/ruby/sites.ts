import type { Expression } from '../../model/expression.ts';
import { addReference } from '../facts-draft.ts';
import { declares } from './definitions.ts';
import type { Frame, RubyWalk } from './file.ts';
import { IMPORTS, VISIBILITIES, isKernel } from './words.ts';

export function call(w: RubyWalk, node: number): void {
  const nameNode = w.tree.child(node, w.F.method);
  const receiver = w.tree.child(node, w.F.receiver);
  const list = w.tree.child(node, w.F.arguments);
  if (nameNode === -1 || w.tree.isMissing(nameNode)) return;
  const name = w.tree.textOf(nameNode);
  const args = w.read.count(list);
  if (w.tree.symbol(nameNode) === w.S.super) return callSuper(w, nameNode, args);
  if (receiver === -1) {
    const kind = IMPORTS.get(name);
    if (kind !== undefined) return addImport(w, node, list, kind);
    if (w.frame.kind === 'class' && declares(w, node, name, list)) return;
    return bare(w, nameNode, name, args);
  }
  const made = name === 'new' ? w.read.lastOf(receiver) : -1;
  if (made !== -1 && w.tree.symbol(made) === w.S.constant && !w.tree.isMissing(made))
    return addReference(
      w.draft.references,
      w.frame.index,
      w.tree.textOf(made),
      'new',
      w.tree.start(made),
      w.read.scopeOf(receiver),
      args,
    );
  addReference(w.draft.references, w.frame.index, name, 'call', w.tree.start(nameNode), w.read.value(receiver), args);
}

/** Without a receiver: of this object, or a function. */
export function bare(w: RubyWalk, nameNode: number, name: string, args: number | undefined): void {
  if (!isKernel(name))
    addReference(w.draft.references, w.frame.index, name, 'call', w.tree.start(nameNode), undefined, args);
}

export function callSuper(w: RubyWalk, node: number, args: number | undefined): void {
  const around = w.draft.definitions[w.frame.index];
  if (around?.kind !== 'method') return;
  const receiver: Expression = { is: 'super', at: w.tree.start(node) };
  addReference(w.draft.references, w.frame.index, around.name, 'call', w.tree.start(node), receiver, args);
}

function addImport(w: RubyWalk, node: number, list: number, kind: 'relative' | 'plain' | 'autoload'): void {
  const named = w.read.names(list);
  const module = kind === 'autoload' ? named[1] : named[0];
  if (!module) return;
  // `require_relative 'a'` and `require './a'` say the same.
  const path =
    kind === 'relative' && !module.text.startsWith('.') && !module.text.startsWith('/')
      ? `./${module.text}`
      : module.text;
  w.draft.imports.push({
    local: '*',
    module: path,
    name: '*',
    kind: 'star',
    within: w.frame.index,
    at: w.tree.start(node),
  });
}

/** A bare word: a variable, a word that steers visibility, or a call without arguments. */
export function word(w: RubyWalk, node: number): void {
  const parent = w.tree.parent(node);
  const field = w.tree.field(node);
  const symbol = w.tree.symbol(parent);
  if (field === w.F.name || field === w.F.left || field === w.F.pattern || field === w.F.parameters) return;
  if (field === w.F.method && symbol === w.S.call) return;
  if (w.naming.has(symbol)) return void w.frame.locals.add(w.tree.textOf(node));
  const name = w.tree.textOf(node);
  if (w.frame.locals.has(name) || symbol === w.S.alias || symbol === w.S.undef) return;
  if (w.frame.kind === 'class' && VISIBILITIES.has(name)) {
    w.frame.access = name === 'public' || name === 'module_function' ? 'public' : 'private';
    return;
  }
  for (let at = w.frames.length - 1; at > 0 && (w.frames[at] as Frame).kind !== 'method'; at--)
    if ((w.frames[at] as Frame).locals.has(name)) return;
  bare(w, node, name, 0);
}

export function constantUse(w: RubyWalk, node: number): void {
  const parent = w.tree.parent(node);
  const symbol = w.tree.symbol(parent);
  if (symbol === w.S.scope_resolution && w.tree.field(node) === w.F.scope) return;
  const top = symbol === w.S.scope_resolution ? parent : node;
  const field = w.tree.field(top);
  const around = w.tree.symbol(w.tree.parent(top));
  if (
    field === w.F.name ||
    field === w.F.left ||
    field === w.F.method ||
    field === w.F.receiver ||
    around === w.S.superclass
  )
    return;
  const name = w.tree.textOf(node);
  const key = `${w.frame.index}:${name}`;
  if (w.seen.has(key)) return;
  w.seen.add(key);
  addReference(w.draft.candidates, w.frame.index, name, 'reference', w.tree.start(node), w.read.scopeOf(top));
}
