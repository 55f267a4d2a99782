import type { Expression, Generic } from '../../model/expression.ts';
import { addDefinition, headOf } from '../facts-draft.ts';
import { valueOf } from './expressions.ts';
import { classNamed, firstPart, mark, nextPart, statementScope, typeAt } from './file.ts';
import type { PythonFile } from './file.ts';
import { addExports } from './imports.ts';
import { setTarget } from './scopes.ts';
import { readTypeText } from './types.ts';

const TYPE_VARIABLES = new Set(['TypeVar', 'ParamSpec', 'TypeVarTuple']);
/** Calls that make a class. */
const CLASS_MAKERS = new Set(['namedtuple', 'NamedTuple', 'TypedDict', 'make_dataclass']);
/** What only types are written with. */
const TYPE_MAKERS =
  /^(?:\w+\.)?(?:Optional|Union|List|Dict|Set|FrozenSet|Tuple|Type|Callable|Literal|Annotated|Iterable|Iterator|Sequence|Mapping|MutableMapping|Awaitable|Coroutine|AsyncIterator|list|dict|set|tuple|type)\[/;

/** `a = b`, `a: T = b`, `a: T`. */
export function assign(file: PythonFile, node: number): void {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const [left, typeNode] = [tree.child(node, has.left), tree.child(node, has.type)];
  let right = tree.child(node, has.right);
  // `a = b = c` gives all the last.
  while (right !== -1 && tree.symbol(right) === is.assignment) right = tree.child(right, has.right);
  if (left === -1) return;
  const isName = tree.symbol(left) === is.identifier;
  if (isName && right !== -1) {
    const symbol = tree.symbol(right);
    if (symbol === is.lambda && tree.parent(right) === node) {
      mark(file, left);
      return;
    }
    if (statementScope(file).is === 'module') {
      const name = tree.textOf(left);
      if (name === '__all__') {
        mark(file, left);
        addExports(file, node, left, listIn(file, right));
        return;
      }
      if (symbol === is.call) noteMaker(file, left, right);
    }
    if (statementScope(file).is !== 'function' && makeType(file, node, left, right, typeNode)) return;
  }
  const type = typeNode === -1 ? undefined : typeAt(file, typeNode);
  const value = right === -1 ? undefined : valueOf(file, right);
  setTarget(file, left, { value, type, node, from: tree.end(node) });
}

/** The list in `[...] + other.__all__`. */
function listIn(file: PythonFile, node: number): number {
  const { tree, symbols } = file;
  let at = node;
  while (tree.symbol(at) === symbols.is.binary_operator) at = firstPart(file, at);
  return at;
}

/** `__all__ += [...]`. */
export function addToAll(file: PythonFile, node: number): void {
  const { tree, symbols } = file;
  const [left, right] = [tree.child(node, symbols.has.left), tree.child(node, symbols.has.right)];
  if (left === -1 || right === -1 || tree.textOf(left) !== '__all__') return;
  mark(file, left);
  addExports(file, node, left, listIn(file, right));
}

/** `T = TypeVar('T', bound=A)`. */
function noteMaker(file: PythonFile, left: number, call: number): void {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  if (!TYPE_VARIABLES.has(calleeName(file, call))) return;
  const list = tree.child(call, has.arguments);
  let bound: Expression | undefined;
  for (let at = list === -1 ? -1 : firstPart(file, list); at !== -1; at = nextPart(file, at)) {
    if (tree.symbol(at) !== is.keyword_argument) continue;
    const [key, value] = [tree.child(at, has.name), tree.child(at, has.value)];
    if (key !== -1 && value !== -1 && tree.textOf(key) === 'bound') bound = classNamed(file, value);
  }
  const name = tree.textOf(left);
  const generic: Generic = bound === undefined ? { name } : { name, bound };
  file.typeVariables.set(name, generic);
}

function calleeName({ tree, symbols }: PythonFile, call: number): string {
  const { is, has } = symbols;
  const callee = tree.child(call, has.function);
  const last = callee !== -1 && tree.symbol(callee) === is.attribute ? tree.child(callee, has.attribute) : callee;
  return last === -1 ? '' : tree.textOf(last);
}

/** `A = Union[B, C]`, `A: TypeAlias = B`, `A = NewType('A', B)`: a type; `A = namedtuple('A', 'x')`: a class. */
function makeType(file: PythonFile, node: number, left: number, right: number, typeNode: number): boolean {
  const { tree, symbols, draft, text } = file;
  const { is, has } = symbols;
  const symbol = tree.symbol(right);
  let type: Expression | undefined;
  let kind: 'type' | 'class' = 'type';
  if (symbol === is.call) {
    const maker = calleeName(file, right);
    const list = tree.child(right, has.arguments);
    const second = list === -1 || firstPart(file, list) === -1 ? -1 : nextPart(file, firstPart(file, list));
    if (CLASS_MAKERS.has(maker) && second !== -1) kind = 'class';
    else if (maker === 'NewType' && second !== -1) type = classNamed(file, second);
    else return false;
  } else if (typeNode !== -1 ? /(^|\.)TypeAlias$/.test(tree.textOf(typeNode)) : isTypeText(file, right)) {
    type = aliasOf(file, right);
  } else return false;
  const scope = statementScope(file);
  const name = tree.textOf(left);
  if (scope.members.has(name)) return false;
  mark(file, left);
  const definition = addDefinition(
    draft,
    name,
    kind,
    scope.definition,
    tree.start(node),
    tree.end(node),
    tree.start(left),
  );
  scope.members.set(name, draft.definitions.length - 1);
  definition.signature = headOf(text, tree.start(node), tree.end(node));
  if (type !== undefined) definition.type = type;
  return true;
}

function isTypeText({ tree, symbols }: PythonFile, node: number): boolean {
  return tree.symbol(node) === symbols.is.subscript && TYPE_MAKERS.test(tree.textOf(node));
}

/** In quotes or not; names in it are references, which the walk finds where they are not quoted. */
function aliasOf({ tree }: PythonFile, node: number): Expression {
  return readTypeText(tree.text, tree.start(node), tree.end(node), () => undefined);
}

/** `type A[T] = B`. */
export function addTypeAlias(file: PythonFile, node: number): void {
  const { tree, symbols, draft, text } = file;
  const { has } = symbols;
  const [left, right] = [tree.child(node, has.left), tree.child(node, has.right)];
  if (left === -1 || right === -1) return;
  const [, name = '', parameters = ''] = /^(\w+)\s*(?:\[(.*)\])?/s.exec(tree.textOf(left)) ?? [];
  if (name === '') return;
  const scope = statementScope(file);
  const [start, end] = [tree.start(node), tree.end(node)];
  const definition = addDefinition(draft, name, 'type', scope.definition, start, end, tree.start(left));
  if (scope.is === 'function') definition.traits = ['local'];
  definition.signature = headOf(text, start, end);
  definition.generics = parameters
    .split(',')
    .map((parameter) => /\w+/.exec(parameter)?.[0] ?? '')
    .filter((parameter) => parameter !== '')
    .map((parameter): Generic => ({ name: parameter }));
  if (scope.is !== 'function' && !scope.members.has(name)) scope.members.set(name, draft.definitions.length - 1);
  definition.type = typeAt(file, right);
}
