import type { Expression } from '../../model/expression.ts';
import { ERROR_SYMBOL } from '../../parse/flat-tree.ts';
import { addBinding, addReference } from '../facts-draft.ts';
import { addCall, addMemberValue, bindLambda, refer } from './calls.ts';
import { enterClass, enterFunction, enterNamedLambda, salvage } from './definitions.ts';
import { valueOf } from './expressions.ts';
import { classNamed, currentScope, firstPart, mark, nextPart, statementScope, typeAt } from './file.ts';
import type { PythonFile, Scope } from './file.ts';
import { addImports, addImportsFrom } from './imports.ts';
import { readCase } from './narrowing.ts';
import { closeFunction, createScope, setTarget } from './scopes.ts';
import type { PythonSymbols } from './symbols.ts';
import { addToAll, addTypeAlias, assign } from './variables.ts';

/** How many values of a function are kept. */
const VALUES = 4;

/** Reads one kind of node; the node to go on with, which skips what lies below if that is done. */
type Visit = (file: PythonFile, node: number) => number;

/** By symbol; nodes without one only have children. */
export type Visits = readonly (Visit | undefined)[];

/** Walks all nodes once, in order of appearance, without recursion. */
export function walk(file: PythonFile, visits: Visits): void {
  const { tree, scopes } = file;
  const { count } = tree;
  let node = 0;
  while (node < count) {
    while (scopes.length > 1 && currentScope(file).after <= node) leave(file);
    const visit = visits[tree.symbol(node)];
    node = visit === undefined ? node + 1 : visit(file, node);
  }
  while (scopes.length > 1) leave(file);
}

function leave(file: PythonFile): void {
  const scope = file.scopes.pop() as Scope;
  if (scope.is !== 'function') return;
  closeFunction(file, scope);
  const definition = file.draft.definitions[scope.definition];
  if (definition === undefined) return;
  if (scope.isGenerator) definition.traits = [...definition.traits, 'generator'];
  if (definition.type === undefined) definition.values = scope.isGenerator ? scope.yields : scope.returns;
}

export function createVisits({ is, has, tokens }: PythonSymbols): Visits {
  const visits: (Visit | undefined)[] = [];
  const on = (symbol: number, visit: (file: PythonFile, node: number) => void): void => {
    visits[symbol] = (file, node) => {
      visit(file, node);
      return node + 1;
    };
  };
  const skip = (symbol: number, visit: (file: PythonFile, node: number) => void): void => {
    visits[symbol] = (file, node) => {
      visit(file, node);
      return file.tree.after(node);
    };
  };
  on(is.function_definition, enterFunction);
  on(is.class_definition, enterClass);
  on(ERROR_SYMBOL, salvage);
  on(is.call, addCall);
  on(is.attribute, addMemberValue);
  on(is.identifier, addValue);
  on(is.assignment, assign);
  on(is.augmented_assignment, addToAll);
  on(is.type_alias_statement, addTypeAlias);
  on(is.case_clause, readCase);
  skip(is.import_statement, addImports);
  skip(is.import_from_statement, addImportsFrom);
  skip(is.future_import_statement, addImportsFrom);
  skip(is.global_statement, (file, node) => noteElsewhere(file, node, 'global'));
  skip(is.nonlocal_statement, (file, node) => noteElsewhere(file, node, 'nonlocal'));
  visits[is.type] = (file, node) => {
    typeAt(file, node);
    // Only what is called inside is no type.
    return file.tree.textOf(node).includes('(') ? node + 1 : file.tree.after(node);
  };
  on(is.keyword_argument, (file, node) => mark(file, file.tree.child(node, has.name)));

  on(is.decorator, (file, node) => {
    const { tree } = file;
    const inner = firstPart(file, node);
    if (inner === -1) return;
    const name = tree.symbol(inner) === is.call ? tree.child(inner, has.function) : inner;
    if (name !== -1) refer(file, name, 'decorator', undefined);
  });

  on(is.lambda, (file, node) => {
    const { tree } = file;
    const parent = tree.parent(node);
    const name = tree.symbol(parent) === is.assignment ? tree.child(parent, has.left) : -1;
    if (name !== -1 && tree.symbol(name) === is.identifier && tree.field(node) === has.right) {
      enterNamedLambda(file, node, name);
    } else bindLambda(file, enterExpression(file, node), node);
  });

  const comprehend = (file: PythonFile, node: number): void => {
    const { tree } = file;
    const scope = enterExpression(file, node);
    for (let at = tree.childOf(node, is.for_in_clause); at !== -1; at = tree.nextSibling(at)) {
      if (tree.symbol(at) !== is.for_in_clause) continue;
      const [left, right] = [tree.child(at, has.left), tree.child(at, has.right)];
      if (left !== -1)
        bindTarget(file, scope, left, right === -1 ? undefined : { is: 'each', of: valueOf(file, right) });
    }
  };
  on(is.list_comprehension, comprehend);
  on(is.set_comprehension, comprehend);
  on(is.dictionary_comprehension, comprehend);
  on(is.generator_expression, comprehend);

  on(is.for_statement, (file, node) => {
    const { tree } = file;
    const [left, right, body] = [tree.child(node, has.left), tree.child(node, has.right), tree.child(node, has.body)];
    if (left === -1 || right === -1) return;
    const value: Expression = { is: 'each', of: valueOf(file, right) };
    setTarget(file, left, { value, type: undefined, node, from: body === -1 ? tree.end(right) : tree.start(body) });
  });

  on(is.named_expression, (file, node) => {
    const { tree } = file;
    const [name, value] = [tree.child(node, has.name), tree.child(node, has.value)];
    if (name === -1 || value === -1) return;
    setTarget(file, name, { value: valueOf(file, value), type: undefined, node, from: tree.end(node) });
  });

  on(is.as_pattern, (file, node) => {
    const { tree } = file;
    const target = tree.child(node, has.alias);
    const value = firstPart(file, node);
    if (target === -1 || value === -1) return;
    const parent = tree.parent(node);
    if (tree.symbol(parent) === is.except_clause) {
      const name = firstPart(file, target);
      if (name === -1) return;
      mark(file, name);
      const { definition } = currentScope(file);
      const [from, to] = [tree.start(parent), tree.end(parent)];
      const type = classNamed(file, value);
      addBinding(file.draft, tree.textOf(name), definition, from, to, tree.start(name), type);
      return;
    }
    let statement = parent;
    while (statement > 0 && tree.symbol(statement) !== is.with_statement) statement = tree.parent(statement);
    const entered: Expression = { is: 'entered', of: valueOf(file, value) };
    setTarget(file, target, { value: entered, type: undefined, node: statement, from: tree.end(target) });
  });

  onResults(on, is, tokens);
  return visits;
}

/** What functions give back. */
function onResults(
  on: (symbol: number, visit: (file: PythonFile, node: number) => void) => void,
  is: PythonSymbols['is'],
  tokens: PythonSymbols['tokens'],
): void {
  on(is.return_statement, (file, node) => {
    const scope = statementScope(file);
    const value = firstPart(file, node);
    if (value !== -1 && scope.is === 'function' && scope.returns.length < VALUES)
      keep(scope.returns, valueOf(file, value));
  });

  on(is.yield, (file, node) => {
    const { tree } = file;
    const scope = statementScope(file);
    if (scope.is !== 'function') return;
    scope.isGenerator = true;
    const value = firstPart(file, node);
    if (value === -1 || scope.yields.length >= VALUES) return;
    const isFrom = tree.childOf(node, tokens.from) !== -1;
    keep(scope.yields, isFrom ? { is: 'each', of: valueOf(file, value) } : valueOf(file, value));
  });
}

/** `None` and what cannot be told say nothing beside other values. */
function keep(values: Expression[], value: Expression): void {
  if (value.is !== 'unknown' && !(value.is === 'literal' && value.type === 'None')) values.push(value);
}

function addValue(file: PythonFile, node: number): void {
  if (file.marks[node] === 1) return;
  const { tree } = file;
  const { definition } = currentScope(file);
  addReference(file.candidates, definition, tree.textOf(node), 'reference', tree.start(node));
}

function noteElsewhere(file: PythonFile, node: number, where: 'global' | 'nonlocal'): void {
  const { elsewhere } = statementScope(file);
  for (let at = firstPart(file, node); at !== -1; at = nextPart(file, at)) elsewhere.set(file.tree.textOf(at), where);
}

function enterExpression(file: PythonFile, node: number): Scope {
  const { tree } = file;
  const { definition } = currentScope(file);
  const scope = createScope('expression', definition, tree.after(node), tree.start(node), tree.end(node));
  file.scopes.push(scope);
  return scope;
}

/** Names that a comprehension sets. */
function bindTarget(file: PythonFile, scope: Scope, target: number, value: Expression | undefined): void {
  const { tree, symbols, draft } = file;
  if (tree.symbol(target) === symbols.is.identifier) {
    mark(file, target);
    const name = tree.textOf(target);
    scope.set.set(name, []);
    addBinding(draft, name, scope.definition, scope.from, scope.to, tree.start(target), undefined, value);
    return;
  }
  let n = 0;
  for (let at = firstPart(file, target); at !== -1; at = nextPart(file, at), n++) {
    bindTarget(file, scope, at, value && { is: 'part', of: value, n });
  }
}
