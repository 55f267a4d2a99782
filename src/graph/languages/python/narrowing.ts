import type { Expression } from '../../model/expression.ts';
import { addBinding, addReference } from '../facts-draft.ts';
import { valueOf } from './expressions.ts';
import { classNamed, currentScope, firstPart, mark, nextPart } from './file.ts';
import type { PythonFile } from './file.ts';
import { setTarget } from './scopes.ts';

/** `isinstance(x, A)`: where it holds, `x` is an `A`. */
export function narrow(file: PythonFile, call: number): void {
  const { tree, symbols } = file;
  const list = tree.child(call, symbols.has.arguments);
  const name = list === -1 ? -1 : firstPart(file, list);
  const type = name === -1 ? -1 : nextPart(file, name);
  if (type === -1 || tree.symbol(name) !== symbols.is.identifier || !namesClass(tree.textOf(type))) return;
  const known = classNamed(file, type);
  const hold = (from: number, to: number): void => {
    const { definition } = currentScope(file);
    if (to > from) addBinding(file.draft, tree.textOf(name), definition, from, to, tree.start(name), known);
  };
  follow(file, call, hold);
}

/** A variable may hold classes as well, but then its name says nothing. */
function namesClass(text: string): boolean {
  return text.startsWith('(') || /(^|\.)([A-Z]\w*|str|int|bytes|dict|list|tuple|set|float|bool)$/.test(text);
}

/** Goes outwards from a condition to all places where it holds. */
function follow(file: PythonFile, condition: number, hold: (from: number, to: number) => void): void {
  const { tree, symbols } = file;
  const { is, has, tokens } = symbols;
  let isTrue = true;
  let node = condition;
  for (;;) {
    const parent = tree.parent(node);
    if (parent === -1) return;
    switch (tree.symbol(parent)) {
      case is.parenthesized_expression:
        break;
      case is.not_operator:
        isTrue = !isTrue;
        break;
      case is.boolean_operator: {
        const isAnd = tree.symbol(tree.child(parent, has.operator)) === tokens.and;
        if (tree.field(node) === has.left && isAnd === isTrue) hold(tree.end(node), tree.end(parent));
        // `a and b` says nothing of `a` when it is false, nor `a or b` when it is true.
        if (isAnd !== isTrue) return;
        break;
      }
      case is.if_statement:
      case is.elif_clause: {
        if (tree.field(node) === has.condition) holdInIf(file, parent, isTrue, hold);
        return;
      }
      case is.while_statement: {
        const body = tree.child(parent, has.body);
        if (tree.field(node) === has.condition && isTrue && body !== -1) hold(tree.start(body), tree.end(body));
        return;
      }
      case is.assert_statement:
        if (isTrue) holdAfter(file, parent, hold);
        return;
      case is.conditional_expression: {
        const first = firstPart(file, parent);
        if (first === node || first === -1) return;
        const chosen = isTrue ? first : nextPart(file, node);
        if (chosen !== -1) hold(tree.start(chosen), tree.end(chosen));
        return;
      }
      case is.if_clause: {
        const around = tree.parent(parent);
        const body = around === -1 || !isTrue ? -1 : tree.child(around, has.body);
        if (body !== -1) hold(tree.start(body), tree.end(body));
        return;
      }
      default:
        return;
    }
    node = parent;
  }
}

function holdInIf(file: PythonFile, node: number, isTrue: boolean, hold: (from: number, to: number) => void): void {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const body = tree.child(node, has.consequence);
  if (body === -1) return;
  if (isTrue) {
    hold(tree.start(body), tree.end(body));
    return;
  }
  const other = tree.childOf(node, is.else_clause);
  if (other !== -1) hold(tree.start(other), tree.end(other));
  else if (tree.symbol(node) === is.if_statement && leaves(file, body)) holdAfter(file, node, hold);
}

/** The rest of the block that a statement stands in. */
function holdAfter({ tree }: PythonFile, node: number, hold: (from: number, to: number) => void): void {
  const block = tree.parent(node);
  if (block !== -1) hold(tree.end(node), tree.end(block));
}

function leaves(file: PythonFile, block: number): boolean {
  const { tree, symbols } = file;
  const { is } = symbols;
  let last = -1;
  for (let at = firstPart(file, block); at !== -1; at = nextPart(file, at)) last = at;
  const symbol = last === -1 ? -1 : tree.symbol(last);
  return (
    symbol === is.return_statement ||
    symbol === is.raise_statement ||
    symbol === is.continue_statement ||
    symbol === is.break_statement
  );
}

/** `case` of a `match`: classes in the pattern are references, names are set, and the subject is what the pattern says. */
export function readCase(file: PythonFile, clause: number): void {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const statement = tree.parent(tree.parent(clause));
  const subject = statement === -1 ? -1 : tree.child(statement, has.subject);
  const pattern = tree.childOf(clause, is.case_pattern);
  const body = tree.child(clause, has.consequence);
  if (pattern === -1 || subject === -1) return;
  const type = typeOfPattern(file, pattern);
  if (type !== undefined && body !== -1 && tree.symbol(subject) === is.identifier) {
    const { definition } = currentScope(file);
    const [from, to] = [tree.end(pattern), tree.end(clause)];
    addBinding(file.draft, tree.textOf(subject), definition, from, to, tree.start(pattern), type);
  }
  for (let at = pattern; at < tree.after(pattern); at++) {
    switch (tree.symbol(at)) {
      case is.class_pattern:
        referToClass(file, tree.childOf(at, is.dotted_name));
        break;
      case is.keyword_pattern:
        mark(file, tree.childOf(at, is.identifier));
        break;
      case is.case_pattern:
        capture(file, at, clause, at === pattern ? subject : -1);
        break;
      case is.as_pattern:
      case is.splat_pattern: {
        const inner = tree.childOf(at, is.case_pattern);
        setCapture(
          file,
          tree.childOf(at, is.identifier),
          clause,
          inner === -1 ? undefined : typeOfPattern(file, inner),
          undefined,
        );
        break;
      }
      default:
    }
  }
}

function capture(file: PythonFile, pattern: number, clause: number, subject: number): void {
  const { tree, symbols } = file;
  const name = firstPart(file, pattern);
  if (name === -1 || tree.symbol(name) !== symbols.is.dotted_name) return;
  const first = firstPart(file, name);
  // A dot makes it a constant to compare with.
  if (first === -1 || nextPart(file, first) !== -1) return;
  setCapture(file, first, clause, undefined, subject === -1 ? undefined : valueOf(file, subject));
}

function setCapture(
  file: PythonFile,
  name: number,
  clause: number,
  type: Expression | undefined,
  value: Expression | undefined,
): void {
  if (name !== -1) setTarget(file, name, { type, value, node: clause, from: file.tree.end(name) });
}

function typeOfPattern(file: PythonFile, pattern: number): Expression | undefined {
  const { tree, symbols } = file;
  const { is } = symbols;
  const inner = firstPart(file, pattern);
  if (inner === -1) return undefined;
  if (tree.symbol(inner) === is.as_pattern) {
    const of = tree.childOf(inner, is.case_pattern);
    return of === -1 ? undefined : typeOfPattern(file, of);
  }
  const name = tree.symbol(inner) === is.class_pattern ? tree.childOf(inner, is.dotted_name) : -1;
  return name === -1 ? undefined : classNamed(file, name);
}

function referToClass(file: PythonFile, name: number): void {
  if (name === -1) return;
  const { tree } = file;
  let receiver: Expression | undefined;
  for (let at = firstPart(file, name); at !== -1;) {
    const next = nextPart(file, at);
    const [text, start] = [tree.textOf(at), tree.start(at)];
    mark(file, at);
    if (next === -1) {
      addReference(file.candidates, currentScope(file).definition, text, 'reference', start, receiver);
    } else
      receiver =
        receiver === undefined ? { is: 'name', name: text, at: start } : { is: 'member', of: receiver, name: text };
    at = next;
  }
}
