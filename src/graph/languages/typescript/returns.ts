import type { Node } from 'oxc-parser';

/** What the `return`s of a body give, those of functions inside left out. */
export function collectReturns(node: Node, into: Node[]): void {
  switch (node.type) {
    case 'ReturnStatement':
      if (node.argument) into.push(node.argument);
      return;
    case 'BlockStatement':
      for (const statement of node.body) collectReturns(statement, into);
      return;
    case 'IfStatement':
      collectReturns(node.consequent, into);
      if (node.alternate) collectReturns(node.alternate, into);
      return;
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
    case 'WithStatement':
      collectReturns(node.body, into);
      return;
    case 'TryStatement':
      collectReturns(node.block, into);
      if (node.handler) collectReturns(node.handler.body, into);
      if (node.finalizer) collectReturns(node.finalizer, into);
      return;
    case 'SwitchStatement':
      for (const { consequent } of node.cases) for (const statement of consequent) collectReturns(statement, into);
      return;
    default:
  }
}
