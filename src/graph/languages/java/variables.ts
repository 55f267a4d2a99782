import { arrayOf, bind, declared, push } from './file.ts';
import type { JavaWalk } from './file.ts';
import { standIn } from './sites.ts';

export function bindParameters(w: JavaWalk, list: number, from: number): void {
  if (list === -1) return;
  const parameters = w.read.parameters(list);
  let n = 0;
  for (let node = w.tree.firstNamed(list); node !== -1; node = w.tree.nextNamed(node)) {
    const kind = w.tree.symbol(node);
    if (kind !== w.symbol.parameter && kind !== w.symbol.spread) continue;
    const holder = kind === w.symbol.spread ? w.tree.childOf(node, w.symbol.declarator) : node;
    bind(w, holder === -1 ? -1 : w.tree.child(holder, w.field.name), from, parameters[n]?.type, undefined);
    n++;
  }
}

export function localVariables(w: JavaWalk, node: number): void {
  const type = declared(w, w.tree.child(node, w.field.type));
  for (let one = w.tree.firstNamed(node); one !== -1; one = w.tree.nextNamed(one)) {
    if (w.tree.symbol(one) !== w.symbol.declarator) continue;
    const name = w.tree.child(one, w.field.name);
    const value = w.tree.child(one, w.field.value);
    const shown =
      type === undefined || w.tree.child(one, w.field.dimensions) === -1 ? type : arrayOf(type, w.tree.start(one));
    bind(w, name, w.tree.start(one), shown, shown === undefined && value !== -1 ? w.read.value(value) : undefined);
  }
}

export function forEach(w: JavaWalk, node: number): void {
  const type = declared(w, w.tree.child(node, w.field.type));
  const of = w.tree.child(node, w.field.value);
  push(w, node, w.frame.within);
  const from = of === -1 ? w.tree.start(node) : w.tree.end(of);
  bind(
    w,
    w.tree.child(node, w.field.name),
    from,
    type,
    type === undefined ? { is: 'each', of: w.read.value(of) } : undefined,
  );
}

export function resource(w: JavaWalk, node: number): void {
  const name = w.tree.child(node, w.field.name);
  if (name === -1) return;
  const type = declared(w, w.tree.child(node, w.field.type));
  bind(
    w,
    name,
    w.tree.start(node),
    type,
    type === undefined ? w.read.value(w.tree.child(node, w.field.value)) : undefined,
  );
}

export function catchClause(w: JavaWalk, node: number): void {
  push(w, node, w.frame.within);
  const parameter = w.tree.childOf(node, w.symbol.catchParameter);
  if (parameter === -1) return;
  const type = w.tree.childOf(parameter, w.symbol.catchType);
  bind(w, w.tree.child(parameter, w.field.name), w.tree.start(node), w.read.type(type), undefined);
}

export function lambda(w: JavaWalk, node: number): void {
  standIn(w, node, '');
  push(w, node, w.frame.within);
  const list = w.tree.child(node, w.field.parameters);
  const from = w.tree.start(node);
  if (list === -1) return;
  if (w.tree.symbol(list) === w.symbol.identifier) bind(w, list, from, undefined, w.read.lambdaParameter(node, 0));
  else if (w.tree.symbol(list) === w.symbol.formal) bindParameters(w, list, from);
  else {
    let n = 0;
    for (let one = w.tree.firstNamed(list); one !== -1; one = w.tree.nextNamed(one)) {
      bind(w, one, from, undefined, w.read.lambdaParameter(node, n++));
    }
  }
}

/** `o instanceof Item i`, `case Item i`, `case Point(int x, var y)`. */
export function pattern(w: JavaWalk, type: number, name: number): void {
  if (name !== -1) bind(w, name, w.tree.start(name), declared(w, type), undefined);
}
