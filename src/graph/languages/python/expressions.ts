import type { Expression, Parameter } from '../../model/expression.ts';
import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import { classNamed, classOfSelf, firstPart, nextPart } from './file.ts';
import type { PythonFile } from './file.ts';
import { eitherOf } from './types.ts';

const STR: Expression = { is: 'literal', type: 'str' };
const BYTES: Expression = { is: 'literal', type: 'bytes' };
const INT: Expression = { is: 'literal', type: 'int' };
const FLOAT: Expression = { is: 'literal', type: 'float' };
const BOOL: Expression = { is: 'literal', type: 'bool' };
const DICT: Expression = { is: 'literal', type: 'dict' };
export const NONE: Expression = { is: 'literal', type: 'None' };

/** What runs for an operator; the left side decides. */
const OPERATORS: Readonly<Record<string, string>> = {
  '+': '__add__',
  '-': '__sub__',
  '*': '__mul__',
  '/': '__truediv__',
  '//': '__floordiv__',
  '%': '__mod__',
  '@': '__matmul__',
  '&': '__and__',
  '|': '__or__',
  '^': '__xor__',
  '<<': '__lshift__',
  '>>': '__rshift__',
  '**': '__pow__',
};
/** More elements of a list say little more about it. */
const ELEMENTS = 8;

/** Set when something was cut off: such an expression is not kept for its node, which may be asked for from nearer. */
let isCut = false;

/** What a value leads to, in value space. */
export function valueOf(file: PythonFile, node: number): Expression {
  isCut = false;
  return read(file, node, 0);
}

function read(file: PythonFile, node: number, depth: number): Expression {
  const { tree, symbols } = file;
  if (depth > MAX_DEPTH) {
    isCut = true;
    return UNKNOWN;
  }
  if (tree.symbol(node) === symbols.is.identifier) return nameOf(file, node);
  const known = file.expressions.get(node);
  if (known !== undefined) return known;
  const wasCut = isCut;
  isCut = false;
  const value = readCompound(file, node, depth);
  if (!isCut) file.expressions.set(node, value);
  isCut ||= wasCut;
  return value;
}

function nameOf(file: PythonFile, node: number): Expression {
  const name = file.tree.textOf(node);
  const at = file.tree.start(node);
  return classOfSelf(file, name) === undefined ? { is: 'name', name, at } : { is: 'this', at };
}

function readCompound(file: PythonFile, node: number, depth: number): Expression {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  switch (tree.symbol(node)) {
    case is.attribute: {
      const object = tree.child(node, has.object);
      const attribute = tree.child(node, has.attribute);
      if (object === -1 || attribute === -1) return UNKNOWN;
      return { is: 'member', of: read(file, object, depth + 1), name: tree.textOf(attribute) };
    }
    case is.call:
      return callOf(file, node, depth);
    case is.subscript:
      return subscriptOf(file, node, depth);
    case is.await: {
      const inner = firstPart(file, node);
      return inner === -1 ? UNKNOWN : { is: 'await', of: read(file, inner, depth + 1) };
    }
    case is.parenthesized_expression: {
      const inner = firstPart(file, node);
      return inner === -1 ? UNKNOWN : read(file, inner, depth);
    }
    case is.named_expression:
      return readChild(file, node, has.value, depth);
    case is.conditional_expression: {
      const first = firstPart(file, node);
      const condition = first === -1 ? -1 : nextPart(file, first);
      const last = condition === -1 ? -1 : nextPart(file, condition);
      if (last === -1) return UNKNOWN;
      return either(read(file, first, depth + 1), read(file, last, depth + 1));
    }
    case is.boolean_operator: {
      const right = readChild(file, node, has.right, depth + 1);
      // Of `a and b` only the right side is more than false.
      if (tree.symbol(tree.child(node, has.operator)) === symbols.tokens.and) return right;
      return either(readChild(file, node, has.left, depth + 1), right);
    }
    case is.binary_operator:
      return operatorOf(file, node, depth);
    case is.lambda:
      return lambdaOf(file, node, depth);
    case is.list:
    case is.set:
    case is.tuple:
    case is.expression_list:
      return { is: 'tuple', of: elements(file, node, depth) };
    case is.list_comprehension:
      return containerOf('list', file, node, depth);
    case is.set_comprehension:
      return containerOf('set', file, node, depth);
    case is.generator_expression:
      return containerOf('Iterator', file, node, depth);
    case is.dictionary: {
      const pair = tree.childOf(node, is.pair);
      return pair === -1 ? DICT : dictOf(file, pair, depth);
    }
    case is.dictionary_comprehension: {
      const pair = tree.childOf(node, is.pair);
      return pair === -1 ? DICT : dictOf(file, pair, depth);
    }
    case is.string: {
      const prefix = tree.text.charCodeAt(tree.start(node)) | 32;
      const second = tree.text.charCodeAt(tree.start(node) + 1) | 32;
      return prefix === 98 || (prefix === 114 && second === 98) ? BYTES : STR;
    }
    case is.concatenated_string:
      return STR;
    case is.integer:
      return INT;
    case is.float:
      return FLOAT;
    case is.true:
    case is.false:
    case is.not_operator:
    case is.comparison_operator:
      return BOOL;
    case is.none:
      return NONE;
    case is.unary_operator:
      return readChild(file, node, has.argument, depth);
    default:
      return UNKNOWN;
  }
}

function readChild(file: PythonFile, node: number, field: number, depth: number): Expression {
  const child = file.tree.child(node, field);
  return child === -1 ? UNKNOWN : read(file, child, depth);
}

function either(one: Expression, other: Expression): Expression {
  return one === NONE ? other : other === NONE ? one : eitherOf([one, other]);
}

function callOf(file: PythonFile, node: number, depth: number): Expression {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const callee = tree.child(node, has.function);
  const list = tree.child(node, has.arguments);
  if (callee === -1) return UNKNOWN;
  const last = tree.symbol(callee) === is.attribute ? tree.child(callee, has.attribute) : callee;
  const name = last === -1 || tree.symbol(last) !== is.identifier ? '' : tree.textOf(last);
  if (last === callee && name === 'super') return { is: 'super', at: tree.start(node) };
  const first = list === -1 ? -1 : firstPart(file, list);
  const second = first === -1 ? -1 : nextPart(file, first);
  if (name === 'cast' && second !== -1) return { is: 'as', type: classNamed(file, first) };
  if (last === callee && name === 'type' && first !== -1 && second === -1) {
    return { is: 'member', of: read(file, first, depth + 1), name: '__class__' };
  }
  const args: Expression[] = [];
  for (let at = first; at !== -1; at = nextPart(file, at)) {
    const symbol = tree.symbol(at);
    // What is given by name or in bulk has no place that is known here.
    if (symbol === is.keyword_argument || symbol === is.list_splat || symbol === is.dictionary_splat) break;
    args.push(argument(file, at, depth + 1));
  }
  return { is: 'call', of: read(file, callee, depth + 1), args };
}

/** What a call gives seldom depends on more than these. */
function argument(file: PythonFile, node: number, depth: number): Expression {
  const { is, has } = file.symbols;
  switch (file.tree.symbol(node)) {
    case is.call: {
      // `run(get_loop())`: by what function it was made.
      const callee = file.tree.child(node, has.function);
      if (callee === -1 || file.tree.symbol(callee) !== is.identifier) return UNKNOWN;
      return { is: 'call', of: read(file, callee, depth + 1), args: [] };
    }
    case is.subscript:
    case is.binary_operator:
    case is.conditional_expression:
    case is.boolean_operator:
    case is.dictionary:
    case is.await:
      return UNKNOWN;
    default:
      return read(file, node, depth);
  }
}

function subscriptOf(file: PythonFile, node: number, depth: number): Expression {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const of = readChild(file, node, has.value, depth + 1);
  const key = tree.child(node, has.subscript);
  if (key === -1) return UNKNOWN;
  // A part of a list is a list.
  if (tree.symbol(key) === is.slice) return of;
  if (tree.symbol(key) !== is.integer) return { is: 'element', of };
  const n = Number(tree.textOf(key));
  return Number.isSafeInteger(n) ? { is: 'part', of, n } : { is: 'element', of };
}

function operatorOf(file: PythonFile, node: number, depth: number): Expression {
  const { tree, symbols } = file;
  const operator = tree.child(node, symbols.has.operator);
  const name = operator === -1 ? undefined : OPERATORS[tree.textOf(operator)];
  const left = readChild(file, node, symbols.has.left, depth + 1);
  if (name === undefined) return UNKNOWN;
  if (left.is === 'literal') return left;
  const right = tree.child(node, symbols.has.right);
  const args = right === -1 ? [] : [argument(file, right, depth + 1)];
  return { is: 'call', of: { is: 'member', of: left, name }, args };
}

function lambdaOf(file: PythonFile, node: number, depth: number): Expression {
  const { tree, symbols } = file;
  const parameters: Parameter[] = [];
  const list = tree.child(node, symbols.has.parameters);
  if (list !== -1) {
    for (let at = firstPart(file, list); at !== -1; at = nextPart(file, at))
      parameters.push({ name: nameIn(file, at) });
  }
  const body = tree.child(node, symbols.has.body);
  return { is: 'function', parameters, values: body === -1 ? [] : [read(file, body, depth + 1)] };
}

function nameIn({ tree, symbols }: PythonFile, parameter: number): string {
  if (tree.symbol(parameter) === symbols.is.identifier) return tree.textOf(parameter);
  const name = tree.childOf(parameter, symbols.is.identifier);
  return name === -1 ? '' : tree.textOf(name);
}

function elements(file: PythonFile, node: number, depth: number): Expression[] {
  const { tree, symbols } = file;
  const of: Expression[] = [];
  for (let at = firstPart(file, node); at !== -1 && of.length < ELEMENTS; at = nextPart(file, at)) {
    if (tree.symbol(at) === symbols.is.list_splat) {
      const inner = firstPart(file, at);
      of.push(inner === -1 ? UNKNOWN : { is: 'each', of: read(file, inner, depth + 1) });
    } else of.push(read(file, at, depth + 1));
  }
  return of;
}

function containerOf(name: string, file: PythonFile, node: number, depth: number): Expression {
  const value = readChild(file, node, file.symbols.has.body, depth + 1);
  const of: Expression = { is: 'name', name, at: file.tree.start(node) };
  return { is: 'as', type: { is: 'apply', of, types: [{ is: 'typeof', value }] } };
}

function dictOf(file: PythonFile, pair: number, depth: number): Expression {
  const { has } = file.symbols;
  const key = readChild(file, pair, has.key, depth + 1);
  const value = readChild(file, pair, has.value, depth + 1);
  const of: Expression = { is: 'name', name: 'dict', at: file.tree.start(pair) };
  const types: Expression[] = [
    { is: 'typeof', value: key },
    { is: 'typeof', value },
  ];
  return { is: 'as', type: { is: 'apply', of, types } };
}
