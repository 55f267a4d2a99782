import type { Expression } from '../../model/expression.ts';
import { addBinding, addReference } from '../facts-draft.ts';
import { valueOf } from './expressions.ts';
import { classOfSelf, currentScope, firstPart, mark, nextPart } from './file.ts';
import type { PythonFile, Scope } from './file.ts';
import { addDynamicImport } from './imports.ts';
import { narrow } from './narrowing.ts';
import { nameNode } from './parameters.ts';
import { addSetting } from './scopes.ts';

export function addCall(file: PythonFile, node: number): void {
  const { tree, symbols } = file;
  const callee = tree.child(node, symbols.has.function);
  const name = callee === -1 ? undefined : refer(file, callee, 'call', argumentCount(file, node));
  if (name === 'isinstance') narrow(file, node);
  else if (name === 'import_module' || name === '__import__') addDynamicImport(file, node);
}

/** A reference to what a name or the last name after a dot means; returns that name. */
export function refer(
  file: PythonFile,
  node: number,
  kind: 'call' | 'decorator',
  args: number | undefined,
): string | undefined {
  const { tree, symbols, draft } = file;
  const { is, has } = symbols;
  const { definition } = currentScope(file);
  if (tree.symbol(node) === is.identifier) {
    mark(file, node);
    const name = tree.textOf(node);
    if (kind === 'call') bindSelf(file, name);
    addReference(draft.references, definition, name, kind, tree.start(node), undefined, args);
    return name;
  }
  if (tree.symbol(node) !== is.attribute) return undefined;
  const object = tree.child(node, has.object);
  const attribute = tree.child(node, has.attribute);
  if (object === -1 || attribute === -1) return undefined;
  mark(file, node);
  const name = tree.textOf(attribute);
  addReference(draft.references, definition, name, kind, tree.start(attribute), valueOf(file, object), args);
  return name;
}

/** `cls()` calls a parameter, which is a binding only here, since `this` stands for it everywhere else. */
function bindSelf(file: PythonFile, name: string): void {
  if (classOfSelf(file, name) === undefined) return;
  const scope = file.scopes.findLast(({ self }) => self === name);
  if (scope === undefined || scope.set.has(name)) return;
  addSetting(scope, name, { at: scope.from, node: -1, from: scope.from, type: undefined, value: undefined });
}

function argumentCount(file: PythonFile, call: number): number | undefined {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const list = tree.child(call, has.arguments);
  if (list === -1) return undefined;
  // `f(x for x in y)`: the brackets are those of the argument.
  if (tree.symbol(list) !== is.argument_list) return 1;
  let count = 0;
  for (let at = firstPart(file, list); at !== -1; at = nextPart(file, at), count++) {
    const symbol = tree.symbol(at);
    if (symbol === is.list_splat || symbol === is.dictionary_splat) return undefined;
  }
  return count;
}

/** A member of `self` or of a name that is handed on without being called. */
export function addMemberValue(file: PythonFile, node: number): void {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const object = tree.child(node, has.object);
  const attribute = tree.child(node, has.attribute);
  if (object === -1 || attribute === -1) return;
  mark(file, attribute);
  if (file.marks[node] === 1 || tree.symbol(object) !== is.identifier || !isHandedOn(file, node)) return;
  const { definition } = currentScope(file);
  const name = tree.textOf(attribute);
  const at = tree.start(attribute);
  addReference(file.candidates, definition, name, 'reference', at, valueOf(file, object));
}

function isHandedOn({ tree, symbols }: PythonFile, node: number): boolean {
  const { is, has } = symbols;
  const field = tree.field(node);
  switch (tree.symbol(tree.parent(node))) {
    case is.argument_list:
    case is.return_statement:
    case is.list:
    case is.tuple:
    case is.set:
    case is.yield:
      return true;
    case is.assignment:
      return field === has.right;
    case is.keyword_argument:
    case is.pair:
      return field === has.value;
    default:
      return false;
  }
}

/** Functions that call the one they are given with the elements of another argument. */
const BY_KEY = new Set(['sorted', 'min', 'max', 'groupby', 'nlargest', 'nsmallest']);
const BY_ARGUMENT = new Set(['map', 'filter', 'takewhile', 'dropwhile', 'filterfalse', 'starmap']);

/** The parameters of a lambda, with what they will be where that is plain. */
export function bindLambda(file: PythonFile, scope: Scope, node: number): void {
  const { tree, symbols, draft } = file;
  const list = tree.child(node, symbols.has.parameters);
  if (list === -1) return;
  let n = 0;
  for (let at = firstPart(file, list); at !== -1; at = nextPart(file, at), n++) {
    const name = nameNode(file, at);
    if (name === -1) continue;
    mark(file, name);
    const value = parameterValue(file, node, n);
    scope.set.set(tree.textOf(name), []);
    addBinding(draft, tree.textOf(name), scope.definition, scope.from, scope.to, tree.start(name), undefined, value);
  }
}

function parameterValue(file: PythonFile, lambda: number, n: number): Expression | undefined {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const parent = tree.parent(lambda);
  const isKey = tree.symbol(parent) === is.keyword_argument;
  const list = isKey ? tree.parent(parent) : parent;
  const call = tree.symbol(list) === is.argument_list ? tree.parent(list) : -1;
  if (call === -1 || tree.symbol(call) !== is.call) return undefined;
  const callee = tree.child(call, has.function);
  const last = callee !== -1 && tree.symbol(callee) === is.attribute ? tree.child(callee, has.attribute) : callee;
  const name = last === -1 ? '' : tree.textOf(last);
  const first = firstPart(file, list);
  if (isKey) {
    if (name === 'sort' && last !== callee) {
      return { is: 'each', of: valueOf(file, tree.child(callee, has.object)) };
    }
    return BY_KEY.has(name) && n === 0 && first !== parent ? { is: 'each', of: valueOf(file, first) } : undefined;
  }
  if (BY_ARGUMENT.has(name) && first === lambda) {
    let other = nextPart(file, first);
    for (let skip = n; skip > 0 && other !== -1; skip--) other = nextPart(file, other);
    return other === -1 ? undefined : { is: 'each', of: valueOf(file, other) };
  }
  let index = 0;
  for (let at = first; at !== -1 && at !== lambda; at = nextPart(file, at)) index++;
  return { is: 'parameter', of: { is: 'expected', call: valueOf(file, call), n: index }, n };
}
