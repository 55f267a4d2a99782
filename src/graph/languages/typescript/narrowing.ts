import type { Node } from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import { memberName, valueOf } from './expressions.ts';
import * as make from './make.ts';
import { entityOf, GUARD_MEMBER } from './types.ts';
import { bind } from './walk.ts';
import type { Range, Walk } from './walk.ts';

/** What a test says about variables where it holds; `holds` is false behind a `!`. */
export function narrow(walk: Walk, test: Node, range: Range, holds: boolean): void {
  if (range.end <= range.start) return;
  switch (test.type) {
    case 'LogicalExpression':
      if (test.operator === (holds ? '&&' : '||')) {
        narrow(walk, test.left, range, holds);
        narrow(walk, test.right, range, holds);
      } else if (holds) bindInstance(walk, test, range);
      return;
    case 'UnaryExpression':
      if (test.operator === '!') narrow(walk, test.argument, range, !holds);
      return;
    case 'ParenthesizedExpression':
      narrow(walk, test.expression, range, holds);
      return;
    case 'BinaryExpression':
      if (holds) bindInstance(walk, test, range);
      return;
    case 'CallExpression':
      if (holds) bindGuarded(walk, test, range);
      return;
    default:
  }
}

/** `x instanceof A`, `x instanceof A || x instanceof B`. */
function bindInstance(walk: Walk, test: Node, range: Range): void {
  const types: Expression[] = [];
  const variable = instanceTest(walk, test, types);
  if (variable === undefined) return;
  const type = make.several(walk.t.heights, 'either', types);
  if (type !== UNKNOWN) bind(walk, variable.name, variable.start, range, type, undefined);
}

function instanceTest(walk: Walk, test: Node, types: Expression[]): { name: string; start: number } | undefined {
  if (test.type === 'LogicalExpression' && test.operator === '||') {
    const left = instanceTest(walk, test.left, types);
    const right = left && instanceTest(walk, test.right, types);
    return right && left.name === right.name ? left : undefined;
  }
  if (test.type !== 'BinaryExpression' || test.operator !== 'instanceof') return undefined;
  types.push(entityOf(walk.t.heights, test.right));
  return test.left.type === 'Identifier' ? test.left : undefined;
}

/** `isFoo(x)`; whether the function says anything about `x` is known only when it is found. */
function bindGuarded(walk: Walk, test: Extract<Node, { type: 'CallExpression' }>, range: Range): void {
  const { callee } = test;
  const [first] = test.arguments;
  if (first?.type !== 'Identifier') return;
  const name =
    callee.type === 'MemberExpression' ? memberName(callee) : callee.type === 'Identifier' ? callee.name : '';
  if (name === undefined || !/^(?:is|has)(?![a-z])/.test(name)) return;
  const value = make.member(walk.t.heights, valueOf(walk.t, test), GUARD_MEMBER);
  if (value !== UNKNOWN) bind(walk, first.name, first.start, range, undefined, value);
}
