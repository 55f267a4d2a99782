import type { TestExpression } from 'unbash';
import { readNumber, readSubscripts } from './run-code.ts';
import type { Shell } from './state.ts';
import { expandOne } from './words.ts';

/** Reads the commands in the words of `[[ … ]]`. */
export function readTest(expression: TestExpression, shell: Shell): void {
  switch (expression.type) {
    case 'TestUnary': {
      const { value } = expandOne(expression.operand, shell);
      if (expression.operator === '-v') readSubscripts(value, shell);
      break;
    }
    case 'TestBinary': {
      const sides = [expandOne(expression.left, shell), expandOne(expression.right, shell)];
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator)) for (const { value } of sides) readNumber(value, shell);
      break;
    }
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
