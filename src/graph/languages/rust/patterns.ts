import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import { known } from '../expression-table.ts';
import { bindName, enter } from './file.ts';
import type { RustWalk } from './file.ts';

type Open = [node: number, type: Expression | undefined, value: Expression | undefined][];

export function bindPattern(
  w: RustWalk,
  pattern: number,
  from: number,
  wholeType: Expression | undefined,
  wholeValue: Expression | undefined,
): void {
  const open: Open = [[pattern, wholeType, wholeValue]];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [node, type, value] = one;
    if (node === -1) continue;
    const whole = (): Expression => (type === undefined ? (value ?? UNKNOWN) : { is: 'as', type });
    switch (w.tree.symbol(node)) {
      case w.symbol.identifier:
        bindName(w, node, from, type, value);
        break;
      case w.symbol.mutPattern:
      case w.symbol.refPattern:
      case w.symbol.referencePattern: {
        let inner = w.tree.firstNamed(node);
        while (inner !== -1 && w.tree.symbol(inner) === w.symbol.mutable) inner = w.tree.nextNamed(inner);
        open.push([inner, type, value]);
        break;
      }
      case w.symbol.captured: {
        const first = w.tree.firstNamed(node);
        open.push([first, type, value]);
        if (first !== -1) open.push([w.tree.nextNamed(first), type, value]);
        break;
      }
      case w.symbol.or:
      case w.symbol.matchPattern:
        open.push([w.tree.firstNamed(node), type, value]);
        break;
      case w.symbol.tuplePattern:
      case w.symbol.slicePattern: {
        const isTuple = w.tree.symbol(node) === w.symbol.tuplePattern;
        let n = 0;
        for (let part = w.tree.firstChild(node); part !== -1; part = w.tree.nextSibling(part)) {
          const sign = w.tree.text[w.tree.start(part)];
          if (!w.tree.isNamed(part) && sign !== '_') continue;
          open.push([part, undefined, isTuple ? { is: 'part', of: whole(), n } : { is: 'element', of: whole() }]);
          n++;
        }
        break;
      }
      case w.symbol.tupleStructPattern:
        variantPattern(w, node, whole(), open);
        break;
      case w.symbol.structPattern:
        structPattern(w, node, whole(), from, open);
        break;
    }
  }
}

function variantPattern(w: RustWalk, node: number, whole: Expression, open: Open): void {
  const head = w.tree.child(node, w.field.type);
  const name = head === -1 ? '' : w.tree.textOf(head);
  let n = 0;
  for (let part = w.tree.firstChild(node); part !== -1; part = w.tree.nextSibling(part)) {
    const isPart = w.tree.isNamed(part) ? part !== head : w.tree.text[w.tree.start(part)] === '_';
    if (!isPart) continue;
    let value: Expression;
    if (name === 'Some' || name === 'Ok') value = { is: 'entered', of: whole };
    else if (name === 'Err') value = { is: 'call', of: { is: 'member', of: whole, name: 'unwrap_err' }, args: [] };
    else value = { is: 'parameter', of: w.read.value(head), n };
    open.push([part, undefined, value]);
    n++;
  }
}

function structPattern(w: RustWalk, node: number, whole: Expression, from: number, open: Open): void {
  const head = w.tree.child(node, w.field.type);
  const path = head === -1 ? '' : w.tree.textOf(head);
  const isVariant = /(?:^|::)(?:Self|[A-Z]\w*)::[A-Z]\w*$/.test(path);
  const of: Expression = isVariant ? w.read.value(head) : head === -1 ? whole : { is: 'as', type: w.read.type(head) };
  for (let part = w.tree.firstNamed(node); part !== -1; part = w.tree.nextNamed(part)) {
    if (w.tree.symbol(part) !== w.symbol.fieldPattern) continue;
    const name = w.tree.child(part, w.field.name);
    const inner = w.tree.child(part, w.field.pattern);
    if (name === -1) continue;
    const value: Expression = { is: 'member', of, name: w.tree.textOf(name) };
    if (inner === -1) bindName(w, name, from, undefined, value);
    else open.push([inner, undefined, value]);
  }
}

export function letDeclaration(w: RustWalk, node: number): void {
  const typeNode = w.tree.child(node, w.field.type);
  const valueNode = w.tree.child(node, w.field.value);
  const type = typeNode === -1 ? undefined : w.read.type(typeNode);
  const value = type !== undefined ? undefined : valueNode === -1 ? setLater(w, node) : w.read.value(valueNode);
  bindPattern(w, w.tree.child(node, w.field.pattern), w.tree.end(node), type, value);
}

/** `let a;` is what assignments in its block make it. */
function setLater(w: RustWalk, node: number): Expression | undefined {
  const name = w.tree.child(node, w.field.pattern);
  if (name === -1 || w.tree.symbol(name) !== w.symbol.identifier) return undefined;
  const word = w.tree.textOf(name);
  const values: Expression[] = [];
  for (let at = w.tree.after(node); at < w.frame.after && values.length < MOST_ASSIGNED; at++) {
    if (w.tree.symbol(at) !== w.symbol.assignment) continue;
    const left = w.tree.child(at, w.field.left);
    if (left === -1 || w.tree.symbol(left) !== w.symbol.identifier || w.tree.textOf(left) !== word) continue;
    values.push(w.read.value(w.tree.child(at, w.field.right)));
  }
  return values.length > 0 ? known('either', values) : undefined;
}

const MOST_ASSIGNED = 4;

export function closure(w: RustWalk, node: number): void {
  enter(w, node);
  const list = w.tree.child(node, w.field.parameters);
  let n = 0;
  for (let one = list === -1 ? -1 : w.tree.firstNamed(list); one !== -1; one = w.tree.nextNamed(one)) {
    if (w.tree.symbol(one) === w.symbol.parameter) {
      bindPattern(
        w,
        w.tree.child(one, w.field.pattern),
        w.tree.start(node),
        w.read.type(w.tree.child(one, w.field.type)),
        undefined,
      );
    } else bindPattern(w, one, w.tree.start(node), undefined, w.read.closureParameter(node, n));
    n++;
  }
}

/** What a `match` looks at. */
export function matched(w: RustWalk, arm: number): number {
  const match = w.tree.parent(w.tree.parent(arm));
  return match > 0 && w.tree.symbol(match) === w.symbol.match ? w.tree.child(match, w.field.value) : -1;
}
