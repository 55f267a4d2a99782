import type { ArithmeticExpression } from 'unbash';
import { UNKNOWN } from './command.ts';
import { readNumber } from './run-code.ts';
import type { Shell } from './state.ts';
import { addUnclear } from './state.ts';
import { runSubstitution } from './substitutions.ts';
import { lookUp, setVariable, valueOf } from './variables.ts';

const MAX_DEPTH = 64;

/** The number an expression comes to; undefined when it hangs on what only running tells. */
export function evaluate(expression: ArithmeticExpression, shell: Shell, depth = 0): number | undefined {
  if (depth > MAX_DEPTH) {
    addUnclear(shell.all, 'too-deep', shell.source);
    return undefined;
  }
  const of = (one: ArithmeticExpression) => evaluate(one, shell, depth + 1);
  switch (expression.type) {
    case 'ArithmeticGroup':
      return of(expression.expression);
    case 'ArithmeticWord': {
      const { parts, value } = expression;
      return numberOf(parts ? shell.all.reader.text(parts, shell).value : value, shell);
    }
    case 'ArithmeticUnary': {
      const { operator, operand } = expression;
      const value = of(operand);
      if (operator === '++' || operator === '--') {
        const next = value === undefined ? undefined : value + (operator === '++' ? 1 : -1);
        assign(operand, next, shell);
        return expression.prefix ? next : value;
      }
      if (value === undefined) return undefined;
      if (operator === '-') return -value;
      if (operator === '!') return Number(value === 0);
      return operator === '~' ? ~value : value;
    }
    case 'ArithmeticTernary': {
      const test = of(expression.test);
      return test === undefined ? undefined : of(test === 0 ? expression.alternate : expression.consequent);
    }
    case 'ArithmeticBinary': {
      const { operator } = expression;
      const right = of(expression.right);
      if (operator === '=') {
        assign(expression.left, right, shell);
        return right;
      }
      const left = of(expression.left);
      if (operator.endsWith('=') && !['==', '!=', '<=', '>='].includes(operator)) {
        const result = compute(operator.slice(0, -1), left, right);
        assign(expression.left, result, shell);
        return result;
      }
      return compute(operator, left, right);
    }
    case 'ArithmeticCommandExpansion': {
      const { pos, end, text, script } = expression;
      return numberOf(runSubstitution({ type: 'CommandExpansion', pos, end, text, script }, shell).text, shell);
    }
  }
}

function numberOf(text: string, shell: Shell): number | undefined {
  const word = text.trim().replace(/^\$\{?|\}$/g, '');
  if (/^\d/.test(word)) {
    const based = /^(\d+)#(\w+)$/.exec(word);
    if (based) return Number.parseInt(based[2] as string, Number(based[1]));
    if (/^0x[\da-f]+$/i.test(word)) return Number.parseInt(word, 16);
    if (/^0[0-7]+$/.test(word)) return Number.parseInt(word, 8);
    return /^\d+$/.test(word) ? Number(word) : undefined;
  }
  readNumber(word, shell);
  const value = lookUp(shell, word);
  if (!value) return undefined;
  const held = value.text.trim();
  if (held === '') return 0;
  return /^-?\d+$/.test(held) ? Number(held) : undefined;
}

function assign(target: ArithmeticExpression, value: number | undefined, shell: Shell): void {
  if (target.type !== 'ArithmeticWord' || !/^[A-Za-z_]\w*$/.test(target.value)) return;
  if (value === undefined) setVariable(shell, target.value, valueOf(UNKNOWN));
  else setVariable(shell, target.value, valueOf(String(value)));
}

function compute(operator: string, left: number | undefined, right: number | undefined): number | undefined {
  if (operator === ',') return right;
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : Math.trunc(left / right);
    case '%':
      return right === 0 ? undefined : left % right;
    case '**':
      return left ** right;
    case '<<':
      return left << right;
    case '>>':
      return left >> right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '==':
      return Number(left === right);
    case '!=':
      return Number(left !== right);
    case '<':
      return Number(left < right);
    case '>':
      return Number(left > right);
    case '<=':
      return Number(left <= right);
    case '>=':
      return Number(left >= right);
    case '&&':
      return Number(left !== 0 && right !== 0);
    case '||':
      return Number(left !== 0 || right !== 0);
    default:
      return undefined;
  }
}
