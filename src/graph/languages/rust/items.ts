import type { Trait } from '../../model/facts.ts';
import { lastIndex } from '../tree-walk.ts';
import { belong, bindName, define, isItemLevel, isPublic, itemContainer, modulePath, push, typeKey } from './file.ts';
import type { RustWalk } from './file.ts';
import { bindPattern } from './patterns.ts';
import { ROLE } from './symbols.ts';

export function functionItem(w: RustWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const { block } = w.frame;
  const isMember = block !== undefined && isItemLevel(w);
  const isLocal = !isMember && !isItemLevel(w);
  const list = w.tree.child(node, w.field.parameters);
  const hasSelf = list !== -1 && w.tree.childOf(list, w.symbol.selfParameter) !== -1;
  const definition = define(w, node, name, isMember ? 'method' : 'function', itemContainer(w));
  const traits: Trait[] = [...definition.traits];
  if (isMember && !hasSelf) traits.push('static');
  if (isLocal) traits.push('local');
  if (w.tree.symbol(node) === w.symbol.signature) traits.push('declared');
  const modifiers = w.tree.childOf(node, w.symbol.modifiers);
  if (modifiers !== -1 && /\basync\b/.test(w.tree.textOf(modifiers))) traits.push('async');
  if (traits.length > 0) definition.traits = traits;
  definition.generics = w.read.generics(node);
  definition.parameters = w.read.parameters(list);
  const result = w.tree.child(node, w.field.returnType);
  definition.type = result === -1 ? { is: 'tuple', of: [] } : w.read.type(result);
  if (isMember) belong(definition, block);
  else if (definition.name === 'main' && definition.container === -1) definition.visibility = 'special';
  push(w, node, lastIndex(w), w.frame.block);
  for (let one = list === -1 ? -1 : w.tree.firstNamed(list); one !== -1; one = w.tree.nextNamed(one)) {
    if (w.tree.symbol(one) !== w.symbol.parameter) continue;
    bindPattern(
      w,
      w.tree.child(one, w.field.pattern),
      w.tree.start(node),
      w.read.type(w.tree.child(one, w.field.type)),
      undefined,
    );
  }
}

export function aliasItem(w: RustWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const { block } = w.frame;
  const isMember = block !== undefined && isItemLevel(w);
  const definition = define(w, node, name, 'type', itemContainer(w));
  definition.generics = w.read.generics(node);
  const type = w.tree.child(node, w.field.type);
  if (type !== -1) definition.type = w.read.type(type);
  else definition.traits = [...definition.traits, 'declared'];
  if (isMember) belong(definition, block);
  else if (!isItemLevel(w)) definition.traits = [...definition.traits, 'local'];
}

export function constantItem(w: RustWalk, node: number, kind: 'constant' | 'variable'): void {
  const name = w.tree.child(node, w.field.name);
  const type = w.read.type(w.tree.child(node, w.field.type));
  if (name === -1 || w.tree.textOf(name) === '_') return;
  if (!isItemLevel(w)) {
    bindName(w, name, w.frame.from, type, undefined);
    return;
  }
  const { block } = w.frame;
  const definition = define(w, node, name, kind, itemContainer(w));
  definition.type = type;
  if (block !== undefined) belong(definition, block);
}

export function modItem(w: RustWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const word = w.tree.textOf(name);
  if (w.tree.child(node, w.field.body) !== -1) {
    define(w, node, name, 'namespace', itemContainer(w));
    const { modules } = w.frame;
    const index = lastIndex(w);
    w.frame = {
      after: w.tree.after(node),
      within: index,
      from: w.tree.start(node),
      to: w.tree.end(node),
      container: index,
      modules: [...modules, word],
      block: undefined,
    };
    w.frames.push(w.frame);
    return;
  }
  const module = ['self', ...w.frame.modules, word].join('::');
  const at = w.tree.start(name);
  w.draft.imports.push({ local: word, module, name: '*', kind: 'value', within: w.frame.within, at });
  if (isPublic(w, node) && w.frame.within === -1) w.draft.exports.push({ name: word, local: '*', module, at });
}

export function useItem(w: RustWalk, node: number): void {
  const isExport = isPublic(w, node) && w.frame.within === -1;
  for (const { local, path, name, isStar, at } of w.usesOf(w.tree, node)) {
    const first = path[0] ?? '';
    // `use Kind::*` reaches into a type of the file itself.
    const module = w.typeNodes.has(typeKey(0, first)) ? `self::${path.join('::')}` : modulePath(w, path);
    const { within } = w.frame;
    w.draft.imports.push({ local, module, name, kind: isStar ? 'star' : 'value', within, at });
    if (isExport) w.draft.exports.push({ name: local, local: name, module, at });
  }
}

export function externCrate(w: RustWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  const alias = w.tree.child(node, w.field.alias);
  if (name === -1) return;
  const module = w.tree.textOf(name);
  const local = alias === -1 ? module : w.tree.textOf(alias);
  w.draft.imports.push({ local, module, name: '*', kind: 'value', within: w.frame.within, at: w.tree.start(name) });
}

export function macroItem(w: RustWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const definition = define(w, node, name, 'function', itemContainer(w));
  definition.name += '!';
  definition.signature = `macro_rules! ${w.tree.textOf(name)}`;
  definition.exported = true;
}

/** Notes what the file names, before anything is read. */
export function look(w: RustWalk): void {
  const modules: { readonly after: number; readonly path: string }[] = [];
  for (let node = 1; node < w.tree.count; node++) {
    while (modules.length > 0 && node >= (modules.at(-1)?.after ?? 0)) modules.pop();
    const role = w.roles[w.tree.symbol(node)] ?? 0;
    if (role === ROLE.use) for (const { local } of w.usesOf(w.tree, node)) w.known.add(local);
    if (
      role !== ROLE.type &&
      role !== ROLE.module &&
      role !== ROLE.trait &&
      role !== ROLE.alias &&
      role !== ROLE.crate
    ) {
      continue;
    }
    const name = w.tree.child(node, w.field.name);
    if (name === -1) continue;
    const word = w.tree.textOf(name);
    w.known.add(word);
    const outer = modules.at(-1)?.path;
    if (role === ROLE.module) {
      if (outer !== undefined) w.known.add(`${outer}::${word}`);
      modules.push({ after: w.tree.after(node), path: outer === undefined ? word : `${outer}::${word}` });
    }
    const key = typeKey(w.tree.parent(node), word);
    if (role === ROLE.type && !w.typeNodes.has(key)) w.typeNodes.set(key, node);
    const alias = role === ROLE.crate ? w.tree.child(node, w.field.alias) : -1;
    if (alias !== -1) w.known.add(w.tree.textOf(alias));
  }
}
