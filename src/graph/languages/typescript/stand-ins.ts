import type { Node } from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import { keyName } from './expressions.ts';
import * as make from './make.ts';
import type { NodeOf } from './types.ts';
import type { Walk } from './walk.ts';

/** Notes which functions of a literal object stand in for members of what its place expects. */
export function noteStandIns(walk: Walk, node: NodeOf<'ObjectExpression'>, expected: Expression): void {
  if (expected === UNKNOWN) return;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') continue;
    const name = keyName(property.key, property.computed);
    if (name !== undefined)
      noteStandIn(walk, property.value, make.member(walk.t.heights, expected, name), property.key.start);
  }
}

/** `wanted` is the member whose place the value takes. */
export function noteStandIn(walk: Walk, value: Node, wanted: Expression, at: number): void {
  if (wanted === UNKNOWN) return;
  const { within } = walk;
  if (isFunction(value)) {
    walk.draft.references.push({ within, name: '', kind: 'implements', receiver: wanted, at });
  } else if (value.type === 'Identifier') {
    // Whether that is a function is known when all of the file was seen.
    walk.standIns.push({ within, name: value.name, kind: 'implements', receiver: wanted, at: value.start });
  }
}

/** Whether an object has anything that could stand in for a member. */
export function hasStandIns(node: Node): node is NodeOf<'ObjectExpression'> {
  return (
    node.type === 'ObjectExpression' &&
    node.properties.some(
      (property) =>
        property.type === 'Property' && (isFunction(property.value) || property.value.type === 'Identifier'),
    )
  );
}

function isFunction({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}
