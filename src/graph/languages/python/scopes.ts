import type { Expression } from '../../model/expression.ts';
import { UNKNOWN } from '../../model/expression.ts';
import { addBinding, addDefinition, headOf } from '../facts-draft.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { NONE } from './expressions.ts';
import { classOfSelf, firstPart, mark, nextPart, statementScope } from './file.ts';
import type { PythonFile, Scope, Setting } from './file.ts';
import { eitherOf } from './types.ts';

/** How many values of a variable are kept. */
const VALUES = 3;
/** Of a name that is set more often than this, the places are not told apart. */
const PLACES = 24;
const CONSTANT = /^_?[A-Z][A-Z0-9_]*$/;

export function createScope(
  is: Scope['is'],
  definition: number,
  after: number,
  from: number,
  to: number,
  self?: string,
): Scope {
  return {
    is,
    definition,
    after,
    from,
    to,
    self,
    set: new Map(),
    members: new Map(),
    elsewhere: new Map(),
    returns: [],
    yields: [],
    isGenerator: false,
  };
}

/** What a statement gives to what stands left of it. */
export interface Given {
  readonly value: Expression | undefined;
  readonly type: Expression | undefined;
  /** The statement. */
  readonly node: number;
  /** From here on the names have these values. */
  readonly from: number;
}

/** Sets whatever names a pattern has: `a`, `a, b`, `(a, [b, *c])`, `self.x`. */
export function setTarget(file: PythonFile, target: number, given: Given): void {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  switch (tree.symbol(target)) {
    case is.identifier:
      mark(file, target);
      setName(file, tree.textOf(target), tree.start(target), given);
      return;
    case is.attribute: {
      const object = tree.child(target, has.object);
      const attribute = tree.child(target, has.attribute);
      if (object === -1 || attribute === -1 || tree.symbol(object) !== is.identifier) return;
      const owner = classOfSelf(file, tree.textOf(object));
      if (owner !== undefined) setMember(file, owner, 'field', tree.textOf(attribute), tree.start(attribute), given);
      return;
    }
    case is.pattern_list:
    case is.tuple_pattern:
    case is.list_pattern:
    case is.tuple:
    case is.list:
      setParts(file, target, given);
      return;
    case is.as_pattern_target:
    case is.parenthesized_expression: {
      const inner = firstPart(file, target);
      if (inner !== -1) setTarget(file, inner, given);
      return;
    }
    case is.list_splat_pattern:
    case is.list_splat: {
      const inner = firstPart(file, target);
      const value: Expression | undefined = given.value && { is: 'tuple', of: [{ is: 'each', of: given.value }] };
      if (inner !== -1) setTarget(file, inner, { ...given, value });
      return;
    }
    default:
  }
}

function setParts(file: PythonFile, target: number, given: Given): void {
  const { tree, symbols } = file;
  const { value } = given;
  let n = 0;
  let isExact = true;
  for (let at = firstPart(file, target); at !== -1; at = nextPart(file, at), n++) {
    const isRest = tree.symbol(at) === symbols.is.list_splat_pattern || tree.symbol(at) === symbols.is.list_splat;
    if (isRest) isExact = false;
    let part: Expression | undefined;
    if (value === undefined || isRest) part = value;
    else if (!isExact) part = { is: 'each', of: value };
    else part = (value.is === 'tuple' ? value.of[n] : undefined) ?? { is: 'part', of: value, n };
    setTarget(file, at, { value: part, type: undefined, node: given.node, from: given.from });
  }
}

function setName(file: PythonFile, name: string, at: number, given: Given): void {
  let scope = statementScope(file);
  const where = scope.elsewhere.get(name);
  if (where !== undefined) scope = outerScope(file, scope, where, name);
  if (scope.is === 'function') {
    const { node, from, type, value } = given;
    addSetting(scope, name, { at, node, from, type, value });
    return;
  }
  if (scope.is === 'class') {
    setMember(file, scope, isEnum(file, scope) ? 'constant' : 'field', name, at, given);
    return;
  }
  // `try: import x` and `except ImportError: x = None`: the import says more.
  if (given.value === NONE && file.draft.imports.some(({ local, within }) => local === name && within === -1)) return;
  setMember(file, scope, CONSTANT.test(name) ? 'constant' : 'variable', name, at, given);
}

function isEnum({ draft }: PythonFile, { definition }: Scope): boolean {
  return draft.definitions[definition]?.kind === 'enum';
}

function outerScope(file: PythonFile, from: Scope, where: 'global' | 'nonlocal', name: string): Scope {
  const { scopes } = file;
  if (where === 'global') return scopes[0] as Scope;
  for (let n = scopes.indexOf(from) - 1; n > 0; n--) {
    const scope = scopes[n] as Scope;
    if (scope.is === 'function' && scope.set.has(name)) return scope;
  }
  return from;
}

export function addSetting(scope: Scope, name: string, setting: Setting): void {
  const settings = scope.set.get(name);
  if (settings === undefined) scope.set.set(name, [setting]);
  else settings.push(setting);
}

/** A variable of a module or a field of a class: one definition, however often it is set. */
export function setMember(
  file: PythonFile,
  scope: Scope,
  kind: 'field' | 'variable' | 'constant',
  name: string,
  at: number,
  { value, type, node }: Given,
): DefinitionDraft | undefined {
  const { draft, tree, text } = file;
  const index = scope.members.get(name);
  let definition = index === undefined ? undefined : draft.definitions[index];
  if (definition === undefined) {
    const start = tree.start(node);
    const end = tree.end(node);
    definition = addDefinition(draft, name, kind, scope.definition, Math.min(start, at), end, at);
    definition.signature = headOf(text, start, Math.min(end, lineEnd(text, at)));
    scope.members.set(name, draft.definitions.length - 1);
  } else if (definition.kind !== kind) return undefined;
  if (type !== undefined) definition.type ??= type;
  if (value !== undefined && value !== UNKNOWN && value !== NONE && definition.values.length < VALUES) {
    definition.values = [...definition.values, value];
  }
  return definition;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Turns what was set in a function into bindings: one for the whole function, and nearer ones where a name is set again. */
export function closeFunction(file: PythonFile, scope: Scope): void {
  for (const [name, settings] of scope.set) {
    const [first] = settings;
    if (first === undefined) continue;
    const type = settings.length === 1 ? first.type : settings.find((setting) => setting.type !== undefined)?.type;
    addBinding(file.draft, name, scope.definition, scope.from, scope.to, first.at, type, valueOfAll(settings));
    if (settings.length > 1 && settings.length <= PLACES && type === undefined) {
      for (const setting of settings) addNear(file, scope, name, setting, settings);
    }
  }
}

function valueOfAll(settings: readonly Setting[]): Expression | undefined {
  if (settings.length === 1) return settings[0]?.value;
  const values: Expression[] = [];
  for (const { value } of settings) {
    if (value !== undefined && value !== UNKNOWN && value !== NONE && !values.includes(value)) values.push(value);
    if (values.length === VALUES + 1) break;
  }
  return values.length === 0 ? undefined : eitherOf(values);
}

/** From where a name is set to the end of the block, or to the next statement there that may set it again. */
function addNear(file: PythonFile, scope: Scope, name: string, setting: Setting, all: readonly Setting[]): void {
  const { tree, symbols } = file;
  if (setting.node === -1 || setting.value === NONE) return;
  let block = tree.parent(setting.node);
  while (block > 0 && tree.symbol(block) !== symbols.is.block) block = tree.parent(block);
  if (block <= 0) return;
  let to = tree.end(block);
  for (const other of all) {
    if (other === setting || other.node === -1) continue;
    const statement = childOn(file, block, other.node);
    if (statement === -1) continue;
    const start = tree.start(statement);
    if (start >= setting.from && start < to) to = start;
  }
  if (to > setting.from) {
    addBinding(file.draft, name, scope.definition, setting.from, to, setting.at, undefined, setting.value);
  }
}

/** The child of a node on the way down to another one. */
function childOn({ tree }: PythonFile, outer: number, inner: number): number {
  let at = inner;
  while (at > outer) {
    const parent = tree.parent(at);
    if (parent === outer) return at;
    at = parent;
  }
  return -1;
}
