import type { Expression, Parameter } from '../../model/expression.ts';
import { valueOf } from './expressions.ts';
import { firstPart, mark, nextPart, typeAt } from './file.ts';
import type { PythonFile, Scope } from './file.ts';
import { addSetting } from './scopes.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** Reads the parameters of a function; each is also a local variable of it. With `hasSelf` the first is the object, which `this` stands for. */
export function addParameters(file: PythonFile, scope: Scope, list: number, hasSelf: boolean): Parameter[] {
  const parameters: Parameter[] = [];
  let isFirst = true;
  for (let at = firstPart(file, list); at !== -1; at = nextPart(file, at)) {
    const name = nameNode(file, at);
    if (name === -1) continue;
    mark(file, name);
    const isSelf = isFirst && hasSelf;
    isFirst = false;
    const parameter = readParameter(file, at, name);
    if (isSelf) continue;
    parameters.push(parameter);
    addSetting(scope, parameter.name, {
      at: file.tree.start(name),
      node: -1,
      from: scope.from,
      type: typeInside(file, parameter, at),
      value: parameter.value,
    });
  }
  return parameters;
}

/** The identifier of a parameter, whatever is around it. */
export function nameNode(file: PythonFile, parameter: number): number {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  switch (tree.symbol(parameter)) {
    case is.identifier:
      return parameter;
    case is.default_parameter:
    case is.typed_default_parameter:
      return tree.child(parameter, has.name);
    case is.typed_parameter: {
      const inner = firstPart(file, parameter);
      return inner === -1 ? -1 : nameNode(file, inner);
    }
    case is.list_splat_pattern:
    case is.dictionary_splat_pattern:
      return tree.childOf(parameter, is.identifier);
    default:
      return -1;
  }
}

function readParameter(file: PythonFile, node: number, name: number): Parameter {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const parameter: Draft<Parameter> = { name: tree.textOf(name) };
  if (node === name) return parameter;
  const type = tree.child(node, has.type);
  if (type !== -1) parameter.type = typeAt(file, type);
  const value = tree.child(node, has.value);
  if (value !== -1) {
    parameter.value = valueOf(file, value);
    parameter.optional = true;
  }
  const around = tree.symbol(tree.parent(name));
  if (around === is.list_splat_pattern || around === is.dictionary_splat_pattern) parameter.rest = true;
  return parameter;
}

/** Inside the function, `*args` is a tuple and `**options` a dictionary. */
function typeInside(file: PythonFile, { type, rest }: Parameter, node: number): Expression | undefined {
  if (rest !== true) return type;
  const { tree } = file;
  const at = tree.start(node);
  const isDict = tree.text.startsWith('**', at);
  const of: Expression = { is: 'name', name: isDict ? 'dict' : 'tuple', at };
  if (type === undefined) return of;
  return { is: 'apply', of, types: isDict ? [{ is: 'name', name: 'str', at }, type] : [type] };
}
