import type { TestExpression } from 'unbash';
import type { Shell } from './state.ts';
import { expandOne } from './words.ts';

/** Reads the commands in the words of `[[ … ]]`. */
export function readTest(expression: TestExpression, shell: Shell): void {
  switch (expression.type) {
    case 'TestUnary':
      expandOne(expression.operand, shell);
      break;
    case 'TestBinary':
      expandOne(expression.left, shell);
      expandOne(expression.right, shell);
      break;
    case 'TestLogical':
      for (const one of expression.operands) readTest(one, shell);
      break;
    case 'TestNot':
      readTest(expression.operand, shell);
      break;
    case 'TestGroup':
      readTest(expression.expression, shell);
      break;
  }
}
