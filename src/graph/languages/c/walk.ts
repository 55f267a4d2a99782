import { UNKNOWN } from '../../model/expression.ts';
import type { Expression } from '../../model/expression.ts';
import type { Base, DefinitionKind, Trait } from '../../model/facts.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import { createCReader } from './expressions.ts';
import type { Declared } from './expressions.ts';
import type { CFields, CSymbols } from './grammar.ts';
import { mergeDeclarations } from './merge.ts';
import { createCReferences, KEYWORDS } from './references.ts';
import { addBinding, addDefinition, finishDraft, headOf, startDraft, watchComments } from '../facts-draft.ts';
import type { DefinitionDraft, FactsDraft } from '../facts-draft.ts';
import type { Extracted } from '../language.ts';

interface Frame {
  /** Holds up to this node. */
  readonly after: number;
  /** -1 for the module. */
  readonly index: number;
  readonly place: 'outside' | 'class' | 'function';
  /** What is in a nameless namespace belongs to this file alone. */
  readonly isHidden: boolean;
  access: 'public' | 'private';
}

export function extractC(tree: FlatTree, S: CSymbols, F: CFields): Extracted {
  const draft = startDraft();
  const { text } = tree;
  const read = createCReader(tree, S, F);
  const comments = watchComments(tree, () => true);
  const frames: Frame[] = [{ after: tree.count, index: -1, place: 'outside', isHidden: false, access: 'public' }];
  const classes = new Map<string, number>();
  const references = createCReferences(tree, S, F, read, draft);
  let hasProjectInclude = false;
  let frame = frames[0] as Frame;

  const push = (
    node: number,
    index: number,
    place: Frame['place'],
    isHidden = frame.isHidden,
    access = frame.access,
  ) => {
    frame = { after: tree.after(node), index, place, isHidden, access };
    frames.push(frame);
  };
  const wholeOf = (node: number): number => {
    const parent = tree.parent(node);
    return parent !== -1 && tree.symbol(parent) === S.template_declaration ? parent : node;
  };

  function define(
    node: number,
    nameNode: number,
    kind: DefinitionKind,
    headEnd: number,
    traits: readonly Trait[] = [],
    container = frame.index,
  ): DefinitionDraft {
    const whole = wholeOf(node);
    const start = tree.start(whole);
    const name = tree.textOf(nameNode).replace(/\s+/g, ' ');
    const definition = addDefinition(draft, name, kind, container, start, tree.end(node), tree.start(nameNode));
    definition.signature = headOf(text, start, headEnd);
    const doc = comments.before(start);
    if (doc !== undefined) definition.doc = doc;
    const isMember = frame.place === 'class';
    if (isMember && frame.access === 'private') definition.visibility = 'private';
    const isLocal = frame.place === 'function';
    definition.exported =
      !isLocal && !frame.isHidden && (isMember ? frame.access === 'public' : !hasWord(node, 'static'));
    definition.traits = isLocal ? [...traits, 'local'] : traits;
    if (whole !== node) definition.generics = read.generics(whole);
    return definition;
  }

  function hasWord(node: number, word: string): boolean {
    for (let at = tree.firstChild(node); at !== -1; at = tree.nextSibling(at)) {
      const symbol = tree.symbol(at);
      if ((symbol === S.storage_class_specifier || symbol === S.type_qualifier) && tree.textOf(at) === word)
        return true;
      if (tree.field(at) === F.declarator) break;
    }
    return false;
  }

  /** A function or method: its definition, or a declaration when it has no body. */
  function addFunction(node: number, found: Declared, body: number, isUntyped = false): void {
    const nameSymbol = tree.symbol(found.name);
    const name = tree.textOf(found.name);
    if (KEYWORDS.has(name)) return;
    const outer = found.scope.at(-1);
    const owner = outer === undefined ? undefined : classes.get(tree.textOf(outer));
    const isMethod = frame.place === 'class' || outer !== undefined;
    const className = outer === undefined ? draft.definitions[frame.index]?.name : tree.textOf(outer);
    const traits: Trait[] = [];
    if (hasWord(node, 'static') && frame.place === 'class') traits.push('static');
    const isConstructor = isMethod && name === className;
    if (isConstructor) traits.push('constructor');
    if (body === -1) traits.push('declared');
    const headEnd = body === -1 ? tree.end(node) : tree.start(body);
    const definition = define(
      node,
      found.name,
      isMethod ? 'method' : 'function',
      headEnd,
      traits,
      owner ?? frame.index,
    );
    if (
      isConstructor ||
      nameSymbol === S.destructor_name ||
      nameSymbol === S.operator_name ||
      nameSymbol === S.operator_cast
    )
      definition.visibility = 'special';
    definition.parameters = read.parameters(found.parameters);
    const type = isUntyped ? undefined : read.typeOf(node);
    if (type !== undefined) definition.type = type;
    if (outer !== undefined && owner === undefined) definition.bases = [addsTo(found.scope)];
    if (body === -1) return;
    push(node, draft.definitions.length - 1, 'function');
    bindParameters(found.parameters, tree.start(node), tree.end(node));
  }

  function addsTo(scope: readonly number[]): Base {
    let type: Expression = UNKNOWN;
    for (const [depth, node] of scope.entries()) {
      const name = tree.textOf(node);
      type = depth === 0 ? { is: 'name', name, at: tree.start(node) } : { is: 'member', of: type, name };
    }
    return { how: 'adds', type, at: tree.start(scope.at(-1) ?? 0) };
  }

  function bindParameters(list: number, from: number, to: number): void {
    if (list === -1) return;
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      const declarator = tree.child(node, F.declarator);
      if (declarator !== -1) bind(declarator, from, to, read.typeOf(node), undefined);
    }
  }

  function bind(
    declarator: number,
    from: number,
    to: number,
    type: Expression | undefined,
    value: Expression | undefined,
  ) {
    const found = read.declared(declarator);
    if (found && found.scope.length === 0)
      addBinding(draft, tree.textOf(found.name), frame.index, from, to, tree.start(found.name), type, value);
  }

  function functionDefinition(node: number): void {
    const declarator = tree.child(node, F.declarator);
    const body = tree.child(node, F.body);
    const type = tree.child(node, F.type);
    const typeSymbol = type === -1 ? -1 : tree.symbol(type);
    // A macro before the name of a class makes it look like a function that returns one: `class API Foo : Bar {`.
    const isClass = typeSymbol === S.class_specifier || typeSymbol === S.struct_specifier;
    if (
      isClass &&
      declarator !== -1 &&
      tree.symbol(declarator) === S.identifier &&
      !tree.isMissing(declarator) &&
      body !== -1
    ) {
      define(node, declarator, typeSymbol === S.class_specifier ? 'class' : 'struct', tree.start(body));
      classes.set(tree.textOf(declarator), draft.definitions.length - 1);
      push(node, draft.definitions.length - 1, 'class');
      return;
    }
    const found = declarator === -1 ? undefined : read.declared(declarator);
    // A macro before the name of a function hides its return type, and the name is taken for it: `int API f(void) {`.
    const isHiddenByMacro = declarator !== -1 && tree.symbol(declarator) === S.parenthesized_declarator;
    if (isHiddenByMacro && typeSymbol === S.type_identifier && !tree.isMissing(type))
      addFunction(node, { name: type, scope: [], parameters: -1 }, body, true);
    else if (found) addFunction(node, found, body === -1 ? tree.after(node) - 1 : body);
  }

  function declaration(node: number): void {
    const parent = tree.parent(node);
    if (parent !== -1 && tree.symbol(parent) === S.friend_declaration) return;
    const type = read.typeOf(node);
    for (let at = tree.firstChild(node); at !== -1; at = tree.nextSibling(at)) {
      if (tree.field(at) !== F.declarator) continue;
      const valueNode = tree.symbol(at) === S.init_declarator ? tree.child(at, F.value) : tree.child(node, F.value);
      if (type !== undefined) references.declared(node, valueNode, frame.index);
      const value = valueNode === -1 || type !== undefined ? undefined : known(read.value(valueNode));
      if (frame.place === 'function') {
        const block = parent !== -1 && tree.symbol(parent) === S.condition_clause ? tree.parent(parent) : parent;
        bind(at, tree.start(node), block === -1 ? text.length : tree.end(block), type, value);
        continue;
      }
      const found = read.declared(at);
      if (!found) continue;
      if (found.parameters !== -1) addFunction(node, found, -1);
      else if (found.scope.length === 0 && !isLostMacro(node)) addVariable(node, found.name, type, value, valueNode);
    }
  }

  /** The rest of a line whose macro the parser took for a name: it ends where a semicolon should be. */
  function isLostMacro(node: number): boolean {
    const last = tree.after(node) - 1;
    return tree.isMissing(last);
  }

  function addVariable(
    node: number,
    name: number,
    type: Expression | undefined,
    value: Expression | undefined,
    valueNode: number,
  ) {
    const isField = frame.place === 'class';
    const isConstant = !isField && (hasWord(node, 'const') || hasWord(node, 'constexpr'));
    const traits: Trait[] = [];
    if (isField && hasWord(node, 'static')) traits.push('static');
    if (!isField && valueNode === -1 && hasWord(node, 'extern')) traits.push('declared');
    const definition = define(
      node,
      name,
      isField ? 'field' : isConstant ? 'constant' : 'variable',
      tree.end(node),
      traits,
    );
    if (type !== undefined) definition.type = type;
    if (value !== undefined) definition.values = [value];
  }

  function classLike(node: number, kind: DefinitionKind): void {
    const body = tree.child(node, F.body);
    if (body === -1) return;
    let name = read.nameOf(node);
    let whole = node;
    const parent = tree.parent(node);
    if (name === -1 && parent !== -1 && tree.symbol(parent) === S.type_definition) {
      const declarator = tree.child(parent, F.declarator);
      if (declarator !== -1 && tree.symbol(declarator) === S.type_identifier && !tree.isMissing(declarator))
        [name, whole] = [declarator, parent];
    }
    const access = kind === 'class' ? 'private' : 'public';
    // What a nameless one has belongs to what is around it.
    if (name === -1) return;
    const definition = define(whole, read.lastOf(name), kind, tree.start(body));
    definition.bases = basesOf(tree.childOf(node, S.base_class_clause));
    const index = draft.definitions.length - 1;
    classes.set(definition.name, index);
    push(node, index, 'class', frame.isHidden, access);
  }

  function basesOf(clause: number): Base[] {
    const bases: Base[] = [];
    if (clause === -1) return bases;
    for (let at = tree.firstNamed(clause); at !== -1; at = tree.nextNamed(at)) {
      const type = tree.symbol(at) === S.access_specifier ? undefined : read.type(at);
      if (type) bases.push({ how: 'extends', type, at: tree.start(read.lastOf(at)) });
    }
    return bases;
  }

  function namespace(node: number): void {
    const name = read.nameOf(node);
    const body = tree.child(node, F.body);
    if (name === -1) return push(node, frame.index, 'outside', true);
    const headEnd = body === -1 ? tree.end(node) : tree.start(body);
    if (tree.symbol(name) !== S.nested_namespace_specifier) {
      define(node, name, 'namespace', headEnd);
      return push(node, draft.definitions.length - 1, 'outside');
    }
    for (let at = name + 1; at < tree.after(name); at++) {
      if (tree.symbol(at) !== S.namespace_identifier || tree.isMissing(at)) continue;
      define(node, at, 'namespace', headEnd);
      push(node, draft.definitions.length - 1, 'outside');
    }
  }

  function typeDefinition(node: number): void {
    const type = tree.child(node, F.type);
    for (let at = tree.firstChild(node); at !== -1; at = tree.nextSibling(at)) {
      if (tree.field(at) !== F.declarator) continue;
      const found = read.declared(at);
      const isNameless =
        tree.symbol(at) === S.type_identifier &&
        type !== -1 &&
        tree.child(type, F.body) !== -1 &&
        tree.child(type, F.name) === -1;
      if (!found || isNameless) continue;
      const definition = define(node, found.name, 'type', tree.end(node));
      const stands = read.typeOf(node);
      if (stands) definition.type = stands;
    }
  }

  function include(node: number): void {
    const path = tree.child(node, F.path);
    if (path === -1) return;
    const written = tree.textOf(path);
    const isQuoted = written.startsWith('"');
    if (isQuoted) hasProjectInclude = true;
    const module = isQuoted ? written.slice(1, -1) : written;
    draft.imports.push({ local: '*', module, name: '*', kind: 'star', within: frame.index, at: tree.start(path) });
  }

  /** Answers where to go on. */
  function visit(node: number, symbol: number): number {
    if (symbol === S.call_expression) references.call(node, frame.index);
    else if (symbol === S.type_identifier) references.typeName(node, frame.index);
    else if (symbol === S.declaration || symbol === S.field_declaration) declaration(node);
    else if (symbol === S.function_definition) functionDefinition(node);
    else if (symbol === S.comment) comments.note(tree.start(node), tree.end(node));
    else if (symbol === S.struct_specifier || symbol === S.union_specifier) classLike(node, 'struct');
    else if (symbol === S.class_specifier) classLike(node, 'class');
    else if (symbol === S.enum_specifier) classLike(node, 'enum');
    else if (symbol === S.enumerator) constant(node, []);
    else if (symbol === S.type_definition) typeDefinition(node);
    else if (symbol === S.namespace_definition) namespace(node);
    else if (symbol === S.new_expression) references.instantiate(node, frame.index);
    else if (symbol === S.preproc_include) include(node);
    else if (symbol === S.preproc_function_def) constant(node, ['callable']);
    else if (symbol === S.alias_declaration || symbol === S.concept_definition) alias(node);
    else if (symbol === S.lambda_expression) lambda(node);
    else if (symbol === S.for_range_loop) rangeLoop(node);
    else if (symbol === S.access_specifier) steer(node);
    else if (symbol === S.attribute_specifier) return tree.after(node);
    return node + 1;
  }

  /** A member of an enumeration, or a macro that is used like a function. */
  function constant(node: number, traits: readonly Trait[]): void {
    const list = tree.child(node, F.parameters);
    const name = read.nameOf(node);
    if (name !== -1) define(node, name, 'constant', tree.end(list === -1 ? node : list), traits);
  }

  function alias(node: number): void {
    const name = read.nameOf(node);
    if (name === -1) return;
    const definition = define(node, name, 'type', tree.end(node));
    const type = read.typeOf(node);
    if (type) definition.type = type;
  }

  function lambda(node: number): void {
    const declarator = tree.child(node, F.declarator);
    if (declarator !== -1) bindParameters(tree.child(declarator, F.parameters), tree.start(node), tree.end(node));
  }

  function rangeLoop(node: number): void {
    const declarator = tree.child(node, F.declarator);
    const type = read.typeOf(node);
    const value: Expression | undefined = type ? undefined : { is: 'each', of: read.value(tree.child(node, F.right)) };
    if (declarator !== -1) bind(declarator, tree.start(node), tree.end(node), type, value);
  }

  function steer(node: number): void {
    if (frame.place === 'class' && tree.symbol(tree.parent(node)) !== S.base_class_clause)
      frame.access = text.startsWith('private', tree.start(node)) ? 'private' : 'public';
  }

  for (let node = 1; node < tree.count;) {
    while (node >= frame.after) {
      frames.pop();
      frame = frames[frames.length - 1] as Frame;
    }
    // What the text lacks has no name.
    node = tree.isMissing(node) ? node + 1 : visit(node, tree.symbol(node));
  }
  mergeDeclarations(draft);
  const own = namesOfTypes(draft);
  return finishDraft(draft, tree.damaged, ({ name }) => hasProjectInclude || own.has(name));
}

function known(value: Expression): Expression | undefined {
  return value === UNKNOWN ? undefined : value;
}

function namesOfTypes({ definitions }: FactsDraft): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, name } of definitions)
    if (kind === 'class' || kind === 'struct' || kind === 'enum' || kind === 'type') names.add(name);
  return names;
}
