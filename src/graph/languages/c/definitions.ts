import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import type { Base, DefinitionKind, Trait } from '../../model/facts.ts';
import { addBinding } from '../facts-draft.ts';
import type { Declared } from './expressions.ts';
import { define, hasWord, push } from './file.ts';
import type { CWalk } from './file.ts';
import { KEYWORDS } from './references.ts';

/** A function or method: its definition, or a declaration when it has no body. */
function addFunction(w: CWalk, node: number, found: Declared, body: number, isUntyped = false): void {
  const nameSymbol = w.tree.symbol(found.name);
  const name = w.tree.textOf(found.name);
  if (KEYWORDS.has(name)) return;
  const outer = found.scope.at(-1);
  const owner = outer === undefined ? undefined : w.classes.get(w.tree.textOf(outer));
  const isMethod = w.frame.kind === 'class' || outer !== undefined;
  const className = outer === undefined ? w.draft.definitions[w.frame.index]?.name : w.tree.textOf(outer);
  const traits: Trait[] = [];
  if (hasWord(w, node, 'static') && w.frame.kind === 'class') traits.push('static');
  const isConstructor = isMethod && name === className;
  if (isConstructor) traits.push('constructor');
  if (body === -1) traits.push('declared');
  const headEnd = body === -1 ? w.tree.end(node) : w.tree.start(body);
  const definition = define(
    w,
    node,
    found.name,
    isMethod ? 'method' : 'function',
    headEnd,
    traits,
    owner ?? w.frame.index,
  );
  if (
    isConstructor ||
    nameSymbol === w.S.destructor_name ||
    nameSymbol === w.S.operator_name ||
    nameSymbol === w.S.operator_cast
  )
    definition.visibility = 'special';
  definition.parameters = w.read.parameters(found.parameters);
  const type = isUntyped ? undefined : w.read.typeOf(node);
  if (type !== undefined) definition.type = type;
  if (outer !== undefined && owner === undefined) definition.bases = [addsTo(w, found.scope)];
  if (body === -1) return;
  push(w, node, w.draft.definitions.length - 1, 'function');
  bindParameters(w, found.parameters, w.tree.start(node), w.tree.end(node));
}

function addsTo(w: CWalk, scope: readonly number[]): Base {
  let type: Expression = UNKNOWN;
  for (const [depth, node] of scope.entries()) {
    const name = w.tree.textOf(node);
    type = depth === 0 ? { is: 'name', name, at: w.tree.start(node) } : { is: 'member', of: type, name };
  }
  return { how: 'adds', type, at: w.tree.start(scope.at(-1) ?? 0) };
}

function bindParameters(w: CWalk, list: number, from: number, to: number): void {
  if (list === -1) return;
  for (let node = w.tree.firstNamed(list); node !== -1; node = w.tree.nextNamed(node)) {
    const declarator = w.tree.child(node, w.F.declarator);
    if (declarator !== -1) bind(w, declarator, from, to, w.read.typeOf(node), undefined);
  }
}

function bind(
  w: CWalk,
  declarator: number,
  from: number,
  to: number,
  type: Expression | undefined,
  value: Expression | undefined,
) {
  const found = w.read.declared(declarator);
  if (found && found.scope.length === 0)
    addBinding(w.draft, w.tree.textOf(found.name), w.frame.index, from, to, w.tree.start(found.name), type, value);
}

export function functionDefinition(w: CWalk, node: number): void {
  const declarator = w.tree.child(node, w.F.declarator);
  const body = w.tree.child(node, w.F.body);
  const type = w.tree.child(node, w.F.type);
  const typeSymbol = type === -1 ? -1 : w.tree.symbol(type);
  // A macro before the name of a class makes it look like a function that returns one: `class API Foo : Bar {`.
  const isClass = typeSymbol === w.S.class_specifier || typeSymbol === w.S.struct_specifier;
  if (
    isClass &&
    declarator !== -1 &&
    w.tree.symbol(declarator) === w.S.identifier &&
    !w.tree.isMissing(declarator) &&
    body !== -1
  ) {
    define(w, node, declarator, typeSymbol === w.S.class_specifier ? 'class' : 'struct', w.tree.start(body));
    w.classes.set(w.tree.textOf(declarator), w.draft.definitions.length - 1);
    push(w, node, w.draft.definitions.length - 1, 'class');
    return;
  }
  const found = declarator === -1 ? undefined : w.read.declared(declarator);
  // A macro before the name of a function hides its return type, and the name is taken for it: `int API f(void) {`.
  const isHiddenByMacro = declarator !== -1 && w.tree.symbol(declarator) === w.S.parenthesized_declarator;
  if (isHiddenByMacro && typeSymbol === w.S.type_identifier && !w.tree.isMissing(type))
    addFunction(w, node, { name: type, scope: [], parameters: -1 }, body, true);
  else if (found) addFunction(w, node, found, body === -1 ? w.tree.after(node) - 1 : body);
}

export function declaration(w: CWalk, node: number): void {
  const parent = w.tree.parent(node);
  if (parent !== -1 && w.tree.symbol(parent) === w.S.friend_declaration) return;
  const type = w.read.typeOf(node);
  for (let at = w.tree.firstChild(node); at !== -1; at = w.tree.nextSibling(at)) {
    if (w.tree.field(at) !== w.F.declarator) continue;
    const valueNode =
      w.tree.symbol(at) === w.S.init_declarator ? w.tree.child(at, w.F.value) : w.tree.child(node, w.F.value);
    if (type !== undefined) w.references.declared(node, valueNode, w.frame.index);
    const value = valueNode === -1 || type !== undefined ? undefined : known(w.read.value(valueNode));
    if (w.frame.kind === 'function') {
      const block = parent !== -1 && w.tree.symbol(parent) === w.S.condition_clause ? w.tree.parent(parent) : parent;
      bind(w, at, w.tree.start(node), block === -1 ? w.text.length : w.tree.end(block), type, value);
      continue;
    }
    const found = w.read.declared(at);
    if (!found) continue;
    if (found.parameters !== -1) addFunction(w, node, found, -1);
    else if (found.scope.length === 0 && !isLostMacro(w, node))
      addVariable(w, node, found.name, type, value, valueNode);
  }
}

/** The rest of a line whose macro the parser took for a name: it ends where a semicolon should be. */
function isLostMacro(w: CWalk, node: number): boolean {
  const last = w.tree.after(node) - 1;
  return w.tree.isMissing(last);
}

function addVariable(
  w: CWalk,
  node: number,
  name: number,
  type: Expression | undefined,
  value: Expression | undefined,
  valueNode: number,
) {
  const isField = w.frame.kind === 'class';
  const isConstant = !isField && (hasWord(w, node, 'const') || hasWord(w, node, 'constexpr'));
  const traits: Trait[] = [];
  if (isField && hasWord(w, node, 'static')) traits.push('static');
  if (!isField && valueNode === -1 && hasWord(w, node, 'extern')) traits.push('declared');
  const definition = define(
    w,
    node,
    name,
    isField ? 'field' : isConstant ? 'constant' : 'variable',
    w.tree.end(node),
    traits,
  );
  if (type !== undefined) definition.type = type;
  if (value !== undefined) definition.values = [value];
}

export function classLike(w: CWalk, node: number, kind: DefinitionKind): void {
  const body = w.tree.child(node, w.F.body);
  if (body === -1) return;
  let name = w.read.nameOf(node);
  let whole = node;
  const parent = w.tree.parent(node);
  if (name === -1 && parent !== -1 && w.tree.symbol(parent) === w.S.type_definition) {
    const declarator = w.tree.child(parent, w.F.declarator);
    if (declarator !== -1 && w.tree.symbol(declarator) === w.S.type_identifier && !w.tree.isMissing(declarator))
      [name, whole] = [declarator, parent];
  }
  const access = kind === 'class' ? 'private' : 'public';
  // What a nameless one has belongs to what is around it.
  if (name === -1) return;
  const definition = define(w, whole, w.read.lastOf(name), kind, w.tree.start(body));
  definition.bases = basesOf(w, w.tree.childOf(node, w.S.base_class_clause));
  const index = w.draft.definitions.length - 1;
  w.classes.set(definition.name, index);
  push(w, node, index, 'class', w.frame.isHidden, access);
}

function basesOf(w: CWalk, clause: number): Base[] {
  const bases: Base[] = [];
  if (clause === -1) return bases;
  for (let at = w.tree.firstNamed(clause); at !== -1; at = w.tree.nextNamed(at)) {
    const type = w.tree.symbol(at) === w.S.access_specifier ? undefined : w.read.type(at);
    if (type) bases.push({ how: 'extends', type, at: w.tree.start(w.read.lastOf(at)) });
  }
  return bases;
}

export function addNamespace(w: CWalk, node: number): void {
  const name = w.read.nameOf(node);
  const body = w.tree.child(node, w.F.body);
  if (name === -1) return push(w, node, w.frame.index, 'outside', true);
  const headEnd = body === -1 ? w.tree.end(node) : w.tree.start(body);
  if (w.tree.symbol(name) !== w.S.nested_namespace_specifier) {
    define(w, node, name, 'namespace', headEnd);
    return push(w, node, w.draft.definitions.length - 1, 'outside');
  }
  for (let at = name + 1; at < w.tree.after(name); at++) {
    if (w.tree.symbol(at) !== w.S.namespace_identifier || w.tree.isMissing(at)) continue;
    define(w, node, at, 'namespace', headEnd);
    push(w, node, w.draft.definitions.length - 1, 'outside');
  }
}

export function typeDefinition(w: CWalk, node: number): void {
  const type = w.tree.child(node, w.F.type);
  for (let at = w.tree.firstChild(node); at !== -1; at = w.tree.nextSibling(at)) {
    if (w.tree.field(at) !== w.F.declarator) continue;
    const found = w.read.declared(at);
    const isNameless =
      w.tree.symbol(at) === w.S.type_identifier &&
      type !== -1 &&
      w.tree.child(type, w.F.body) !== -1 &&
      w.tree.child(type, w.F.name) === -1;
    if (!found || isNameless) continue;
    const definition = define(w, node, found.name, 'type', w.tree.end(node));
    const stands = w.read.typeOf(node);
    if (stands) definition.type = stands;
  }
}

export function addInclude(w: CWalk, node: number): void {
  const path = w.tree.child(node, w.F.path);
  if (path === -1) return;
  const written = w.tree.textOf(path);
  const isQuoted = written.startsWith('"');
  if (isQuoted) w.hasProjectInclude = true;
  const module = isQuoted ? written.slice(1, -1) : written;
  w.draft.imports.push({ local: '*', module, name: '*', kind: 'star', within: w.frame.index, at: w.tree.start(path) });
}

/** A member of an enumeration, or a macro that is used like a function. */
export function constant(w: CWalk, node: number, traits: readonly Trait[]): void {
  const list = w.tree.child(node, w.F.parameters);
  const name = w.read.nameOf(node);
  if (name !== -1) define(w, node, name, 'constant', w.tree.end(list === -1 ? node : list), traits);
}

export function alias(w: CWalk, node: number): void {
  const name = w.read.nameOf(node);
  if (name === -1) return;
  const definition = define(w, node, name, 'type', w.tree.end(node));
  const type = w.read.typeOf(node);
  if (type) definition.type = type;
}

export function lambda(w: CWalk, node: number): void {
  const declarator = w.tree.child(node, w.F.declarator);
  if (declarator !== -1)
    bindParameters(w, w.tree.child(declarator, w.F.parameters), w.tree.start(node), w.tree.end(node));
}

export function rangeLoop(w: CWalk, node: number): void {
  const declarator = w.tree.child(node, w.F.declarator);
  const type = w.read.typeOf(node);
  const value: Expression | undefined = type
    ? undefined
    : { is: 'each', of: w.read.value(w.tree.child(node, w.F.right)) };
  if (declarator !== -1) bind(w, declarator, w.tree.start(node), w.tree.end(node), type, value);
}

export function steer(w: CWalk, node: number): void {
  if (w.frame.kind === 'class' && w.tree.symbol(w.tree.parent(node)) !== w.S.base_class_clause)
    w.frame.access = w.text.startsWith('private', w.tree.start(node)) ? 'private' : 'public';
}

function known(value: Expression): Expression | undefined {
  return value === UNKNOWN ? undefined : value;
}
