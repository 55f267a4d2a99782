import type { Generic } from '../../model/expression.ts';
import type { Base, Trait } from '../../model/facts.ts';
import { addDefinition, firstLine, headOf } from '../facts-draft.ts';
import type { DefinitionDraft } from '../facts-draft.ts';
import { valueOf } from './expressions.ts';
import { firstPart, mark, nextPart, statementScope, typeAt } from './file.ts';
import type { PythonFile, Scope } from './file.ts';
import { addParameters } from './parameters.ts';
import { createScope } from './scopes.ts';

/** Decorators after which a definition is what it was, as far as callers see. */
const TRANSPARENT = new Set([
  'abstractmethod',
  'attrs',
  'cache',
  'classmethod',
  'dataclass',
  'define',
  'final',
  'frozen',
  'lru_cache',
  'mutable',
  'overload',
  'override',
  'runtime_checkable',
  'staticmethod',
  'total_ordering',
  'unique',
]);
const PROPERTIES = new Set(['property', 'cached_property', 'abstractproperty', 'classproperty', 'getter']);
const STATIC = new Set(['staticmethod', 'classmethod', 'abstractclassmethod', 'abstractstaticmethod']);
/** They are given the class without saying so. */
const GIVEN_CLASS = new Set(['__new__', '__init_subclass__', '__class_getitem__']);
const ENUMS = /^(Enum|IntEnum|StrEnum|Flag|IntFlag|ReprEnum)$/;

/** Adds a function or method and enters it. */
export function enterFunction(file: PythonFile, node: number): void {
  const { tree, text, symbols, draft } = file;
  const { has } = symbols;
  const name = tree.child(node, has.name);
  if (name === -1 || tree.isMissing(name)) return;
  mark(file, name);
  const outer = statementScope(file);
  const body = tree.child(node, has.body);
  const decorators = decoratorNames(file, node);
  const definition = define(file, outer, node, name, outer.is === 'class' ? 'method' : 'function', body);
  const index = draft.definitions.length - 1;
  const traits = traitsOf(definition.name, decorators, outer);
  if (tree.symbol(tree.firstChild(node)) === symbols.tokens.async) traits.push('async');
  const isPlainFunction = decorators.includes('staticmethod') || decorators.includes('abstractstaticmethod');
  const list = tree.child(node, has.parameters);
  const self = outer.is === 'class' && !isPlainFunction && list !== -1 ? selfIn(file, list) : undefined;
  const scope = createScope('function', index, tree.after(node), tree.start(node), tree.end(node), self);
  file.scopes.push(scope);
  file.generics = typeParameters(file, tree.child(node, has.type_parameters));
  if (list !== -1) definition.parameters = addParameters(file, scope, list, self !== undefined);
  const returns = tree.child(node, has.return_type);
  if (returns !== -1) definition.type = typeAt(file, returns);
  definition.generics = withoutOuter(file, file.generics, outer);
  file.generics = undefined;
  definition.traits = traits;
  const doc = body === -1 ? undefined : docOf(file, body);
  if (doc !== undefined) definition.doc = doc;
  definition.signature = headOf(text, tree.start(node), body === -1 ? tree.end(node) : headEnd(text, tree.start(body)));
}

/** `def` and `class` in code that the parser could not read: the name is known, if nothing else. */
export function salvage(file: PythonFile, node: number): void {
  const { tree, text, symbols } = file;
  for (let at = tree.firstChild(node); at !== -1; at = tree.nextSibling(at)) {
    const isClass = tree.symbol(at) === symbols.tokens.class;
    const name = isClass || tree.symbol(at) === symbols.tokens.def ? tree.nextSibling(at) : -1;
    if (name === -1 || tree.symbol(name) !== symbols.is.identifier) continue;
    mark(file, name);
    const outer = statementScope(file);
    const definition = define(
      file,
      outer,
      at,
      name,
      isClass ? 'class' : outer.is === 'class' ? 'method' : 'function',
      -1,
    );
    const line = text.indexOf('\n', tree.end(name));
    definition.end = line === -1 ? text.length : line;
    if (outer.is === 'function') definition.traits = ['local'];
    definition.signature = headOf(text, definition.start, definition.end);
  }
}

function define(
  { tree, draft }: PythonFile,
  outer: Scope,
  node: number,
  name: number,
  kind: 'method' | 'function' | 'class',
  body: number,
): DefinitionDraft {
  const text = tree.textOf(name);
  // A block may end in blank lines and comments that belong to nothing.
  const end = body === -1 ? tree.end(node) : tree.end(body);
  const definition = addDefinition(draft, text, kind, outer.definition, tree.start(node), end, tree.start(name));
  definition.visibility = /^__\w+__$/.test(text) ? 'special' : text.startsWith('_') ? 'private' : 'public';
  if (outer.is !== 'function' && !outer.members.has(text)) outer.members.set(text, draft.definitions.length - 1);
  return definition;
}

/** A lambda that is set to a name is a function of that name. */
export function enterNamedLambda(file: PythonFile, node: number, name: number): void {
  const { tree, text, symbols, draft } = file;
  const outer = statementScope(file);
  const statement = tree.parent(node);
  const isMethod = outer.is === 'class';
  const definition = define(file, outer, statement, name, isMethod ? 'method' : 'function', -1);
  const index = draft.definitions.length - 1;
  definition.traits = outer.is === 'function' ? ['local'] : [];
  definition.signature = headOf(text, tree.start(statement), tree.end(statement));
  const list = tree.child(node, symbols.has.parameters);
  const self = isMethod && list !== -1 ? selfIn(file, list) : undefined;
  const scope = createScope('function', index, tree.after(node), tree.start(node), tree.end(node), self);
  file.scopes.push(scope);
  if (list !== -1) definition.parameters = addParameters(file, scope, list, self !== undefined);
  const body = tree.child(node, symbols.has.body);
  if (body !== -1) scope.returns.push(valueOf(file, body));
}

export function enterClass(file: PythonFile, node: number): void {
  const { tree, text, symbols } = file;
  const { has } = symbols;
  const name = tree.child(node, has.name);
  if (name === -1 || tree.isMissing(name)) return;
  mark(file, name);
  const outer = statementScope(file);
  const body = tree.child(node, has.body);
  const definition = define(file, outer, node, name, 'class', body);
  const index = file.draft.definitions.length - 1;
  const traits: Trait[] = outer.is === 'function' ? ['local'] : [];
  if (decoratorNames(file, node).some((decorator) => !TRANSPARENT.has(decorator))) traits.push('wrapped');
  file.generics = typeParameters(file, tree.child(node, has.type_parameters));
  const list = tree.child(node, has.superclasses);
  file.scopes.push(createScope('class', index, tree.after(node), tree.start(node), tree.end(node)));
  if (list !== -1) definition.bases = basesOf(file, list, definition);
  definition.generics = file.generics;
  file.generics = undefined;
  definition.traits = traits;
  const doc = body === -1 ? undefined : docOf(file, body);
  if (doc !== undefined) definition.doc = doc;
  definition.signature = headOf(text, tree.start(node), body === -1 ? tree.end(node) : headEnd(text, tree.start(body)));
}

function basesOf(file: PythonFile, list: number, definition: DefinitionDraft): Base[] {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const bases: Base[] = [];
  for (let at = firstPart(file, list); at !== -1; at = nextPart(file, at)) {
    const symbol = tree.symbol(at);
    if (symbol === is.keyword_argument || symbol === is.list_splat || symbol === is.dictionary_splat) continue;
    let head = at;
    if (symbol === is.subscript) head = tree.child(at, has.value);
    const last = tree.symbol(head) === is.attribute ? tree.child(head, has.attribute) : head;
    const text = last === -1 ? '' : tree.textOf(last);
    if (ENUMS.test(text)) definition.kind = 'enum';
    const isType = symbol === is.identifier || symbol === is.attribute || symbol === is.subscript;
    const noted = file.candidates.length;
    const type = isType ? typeAt(file, at) : valueOf(file, at);
    const place = last === -1 ? tree.start(at) : tree.start(last);
    if (isType) {
      // What it extends is no mere reference; type arguments are.
      const typeArguments = file.candidates.splice(noted).filter((candidate) => candidate.at !== place);
      file.candidates.push(...typeArguments);
      for (let inner = at; inner < tree.after(at); inner++) mark(file, inner);
    }
    bases.push({ how: 'extends', type, at: place });
  }
  return bases;
}

/** Names of decorators, without what they are called with. */
function decoratorNames(file: PythonFile, node: number): string[] {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const outer = tree.parent(node);
  if (outer === -1 || tree.symbol(outer) !== is.decorated_definition) return [];
  const names: string[] = [];
  for (let at = tree.firstNamed(outer); at !== -1 && at !== node; at = tree.nextNamed(at)) {
    if (tree.symbol(at) !== is.decorator) continue;
    let inner = firstPart(file, at);
    if (inner !== -1 && tree.symbol(inner) === is.call) inner = tree.child(inner, has.function);
    const last = inner !== -1 && tree.symbol(inner) === is.attribute ? tree.child(inner, has.attribute) : inner;
    names.push(last === -1 ? '' : tree.textOf(last));
  }
  return names;
}

function traitsOf(name: string, decorators: readonly string[], outer: Scope): Trait[] {
  const traits: Trait[] = [];
  if (outer.is === 'function') traits.push('local');
  if (outer.is === 'class' && name === '__init__') traits.push('constructor');
  if (outer.is === 'class' && GIVEN_CLASS.has(name)) traits.push('static');
  for (const decorator of decorators) {
    let trait: Trait | undefined;
    if (STATIC.has(decorator)) trait = 'static';
    else if (decorator.startsWith('abstract')) trait = 'abstract';
    else if (decorator === 'overload') trait = 'declared';
    else if (PROPERTIES.has(decorator)) trait = 'getter';
    else if (decorator === 'setter' || decorator === 'deleter') trait = 'setter';
    else if (!TRANSPARENT.has(decorator)) trait = 'wrapped';
    if (trait !== undefined && !traits.includes(trait)) traits.push(trait);
  }
  if (decorators.includes('abstractproperty')) traits.push('getter');
  return traits;
}

/** The first parameter of a method, whatever its name. */
function selfIn(file: PythonFile, list: number): string | undefined {
  const { tree, symbols } = file;
  const { is, has } = symbols;
  const first = firstPart(file, list);
  if (first === -1) return undefined;
  switch (tree.symbol(first)) {
    case is.identifier:
      return tree.textOf(first);
    case is.default_parameter:
    case is.typed_default_parameter: {
      const name = tree.child(first, has.name);
      return name === -1 ? undefined : tree.textOf(name);
    }
    case is.typed_parameter: {
      const name = firstPart(file, first);
      return name !== -1 && tree.symbol(name) === is.identifier ? tree.textOf(name) : undefined;
    }
    default:
      return undefined;
  }
}

/** `[T: Bound = Preset]` after a name. */
function typeParameters(file: PythonFile, list: number): Generic[] {
  const generics: Generic[] = [];
  if (list === -1) return generics;
  const { tree } = file;
  for (const part of tree.textOf(list).slice(1, -1).split(',')) {
    const name = /^\s*\*{0,2}(\w+)/.exec(part)?.[1];
    if (name !== undefined) generics.push({ name });
  }
  // Bounds are read where they stand, so that their names are references.
  let n = 0;
  for (let at = firstPart(file, list); at !== -1; at = nextPart(file, at), n++) {
    const bound = firstPart(file, at);
    const last = bound === -1 ? -1 : nextPart(file, firstPart(file, bound));
    const generic = generics[n];
    if (last !== -1 && generic !== undefined) generics[n] = { name: generic.name, bound: typeAt(file, last) };
  }
  return generics;
}

/** Type variables of the class around belong to it. */
function withoutOuter(file: PythonFile, generics: readonly Generic[], outer: Scope): Generic[] {
  const known = file.draft.definitions[outer.definition]?.generics ?? [];
  return generics.filter(({ name }) => !known.some((other) => other.name === name));
}

/** Without the colon before the body. */
function headEnd(text: string, body: number): number {
  const colon = text.lastIndexOf(':', body - 1);
  return colon === -1 ? body : colon;
}

/** First line of the string that a body starts with. */
export function docOf(file: PythonFile, body: number): string | undefined {
  const { tree, symbols } = file;
  const statement = firstPart(file, body);
  if (statement === -1 || tree.symbol(statement) !== symbols.is.expression_statement) return undefined;
  const string = firstPart(file, statement);
  if (string === -1 || tree.symbol(string) !== symbols.is.string) return undefined;
  const inner = /^[a-z]{0,2}("""|'''|"|')([\s\S]*)\1$/i.exec(tree.textOf(string))?.[2];
  return inner === undefined ? undefined : firstLine(inner);
}
