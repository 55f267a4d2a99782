import { UNKNOWN } from '../expression.ts';
import type { Expression, Generic } from '../expression.ts';
import type { Base } from '../facts.ts';
import type { FlatTree } from '../parse/flat-tree.ts';
import { loadGrammar } from '../parse/tree-sitter.ts';
import type { Grammar } from '../parse/tree-sitter.ts';
import { addBinding, addDefinition, addReference, finishDraft, headOf, startDraft, watchComments } from './facts-draft.ts';
import type { DefinitionDraft } from './facts-draft.ts';
import { createGoExpressions } from './go-expressions.ts';
import { fieldsOf, ROLE, rolesOf, symbolsOf } from './go-symbols.ts';
import type { Extracted, Extractor, Source } from './language.ts';

export async function createGoExtractor(): Promise<Extractor> {
  const grammar = await loadGrammar('go');
  let walk: (() => Extracted) | undefined;
  return {
    extract(source: Source): Extracted {
      const tree = grammar.parse(source.text);
      if (tree === undefined) return finishDraft(startDraft(), true, () => false);
      // There is one tree, which every parse fills anew.
      walk ??= createWalk(grammar, tree);
      return walk();
    },
  };
}

/** What surrounds a node: the definition, and the block in which a name would be visible. */
interface Frame {
  readonly after: number;
  readonly within: number;
  readonly from: number;
  readonly to: number;
  /** Name of the receiver while a method is around; empty once something else has that name. */
  self: string;
}

const BUILT_IN_TYPES = new Set(
  (
    'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string ' +
    'uint uint8 uint16 uint32 uint64 uintptr nil _'
  ).split(' '),
);
const BUILT_IN_VALUES = new Set(['nil', 'true', 'false', 'iota', '_']);

function createWalk(grammar: Grammar, tree: FlatTree): () => Extracted {
  const symbol = symbolsOf(grammar);
  const field = fieldsOf(grammar);
  const roles = rolesOf(grammar);
  const expressionsOf = createGoExpressions(grammar);

  let draft = startDraft();
  let { text } = tree;
  let comments = watchComments(tree, () => true);
  const frames: Frame[] = [];
  let frame: Frame = { after: tree.count, within: -1, from: 0, to: text.length, self: '' };
  const top = (): Frame => frame;
  const leave = (): void => {
    frames.pop();
    frame = frames[frames.length - 1] as Frame;
  };
  /** Names of variables by how many are visible now: a call of an element of one is no generic call. */
  const variables = new Set<string>();
  const imported = new Set<string>();
  /** Types of the outer level, so that methods find their container wherever it stands. */
  const typeNodes = new Map<string, number>();
  const typeIndex = new Map<string, number>();
  const indexOfType = new Map<number, number>();
  let constType: Expression | undefined;

  const read = expressionsOf(tree, {
    isThis: (name) => name === top().self && name !== '',
    isVariable: (name) => variables.has(name),
  });

  const push = (node: number, within: number, self: string): void => {
    frame = { after: tree.after(node), within, from: tree.start(node), to: tree.end(node), self };
    frames.push(frame);
  };
  const bind = (node: number, from: number, type: Expression | undefined, value: Expression | undefined): void => {
    const name = tree.textOf(node);
    if (name === '_' || name === '') return;
    const frame = top();
    if (frame.self === name) frame.self = '';
    variables.add(name);
    addBinding(draft, name, frame.within, from, frame.to, tree.start(node), type, value);
  };
  const define = (
    nameNode: number,
    kind: DefinitionDraft['kind'],
    node: number,
    container: number,
    headEnd: number,
  ): DefinitionDraft => {
    const name = tree.textOf(nameNode);
    const start = tree.start(node);
    const doc = comments.before(start);
    const definition = addDefinition(draft, name, kind, container, start, tree.end(node), tree.start(nameNode));
    definition.signature = headOf(text, start, headEnd);
    definition.exported = isExported(name) && (container === -1 || kind === 'method' || kind === 'field');
    definition.visibility = isExported(name) ? 'public' : 'private';
    if (doc !== undefined) definition.doc = doc;
    return definition;
  };
  const last = (): number => draft.definitions.length - 1;

  const importSpec = (node: number): void => {
    const path = tree.child(node, field.path);
    const module = tree.textOf(path).slice(1, -1);
    const alias = tree.child(node, field.name);
    const name = alias === -1 ? packageName(module) : tree.textOf(alias);
    const at = tree.start(alias === -1 ? path : alias);
    const within = top().within;
    if (name === '_') draft.imports.push({ local: '', module, name: '*', kind: 'effect', within, at });
    else if (name === '.') draft.imports.push({ local: '*', module, name: '*', kind: 'star', within, at });
    else {
      imported.add(name);
      draft.imports.push({ local: name, module, name: '*', kind: 'value', within, at });
    }
  };

  /** Parameters and results of a function as names in its body. */
  const bindParameters = (list: number, from: number): void => {
    if (list === -1 || tree.symbol(list) !== symbol.parameters) return;
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      const type = tree.child(node, field.type);
      if (type === -1) continue;
      const plain = read.type(type);
      const isRest = tree.symbol(node) === symbol.variadic;
      const shown: Expression = isRest
        ? { is: 'apply', of: { is: 'name', name: '[]', at: tree.start(node) }, types: [plain] }
        : plain;
      for (let name = tree.firstNamed(node); name !== -1; name = tree.nextNamed(name)) {
        if (tree.field(name) === field.name) bind(name, from, shown, undefined);
      }
    }
  };
  const fillFunction = (definition: DefinitionDraft, node: number): void => {
    definition.generics = read.generics(tree.child(node, field.typeParameters));
    definition.parameters = read.parameters(tree.child(node, field.parameters));
    const result = read.result(tree.child(node, field.result));
    if (result !== undefined) definition.type = result;
    else definition.type = { is: 'tuple', of: [] };
  };
  const enterFunction = (node: number, within: number, self: string): void => {
    push(node, within, self);
    const from = tree.start(node);
    bindParameters(tree.child(node, field.parameters), from);
    bindParameters(tree.child(node, field.result), from);
  };
  const headEnd = (node: number): number => {
    const body = tree.child(node, field.body);
    return body === -1 ? tree.end(node) : tree.start(body);
  };

  const functionDeclaration = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const definition = define(name, 'function', node, top().within, headEnd(node));
    fillFunction(definition, node);
    if (tree.child(node, field.body) === -1) definition.traits = ['declared'];
    if (definition.name === 'init' || (definition.name === 'main' && draft.package === 'main')) {
      definition.visibility = 'special';
    }
    enterFunction(node, last(), '');
  };

  const methodDeclaration = (node: number): void => {
    const name = tree.child(node, field.name);
    const receiver = tree.firstNamed(tree.child(node, field.receiver));
    if (name === -1 || receiver === -1) return;
    const self = tree.child(receiver, field.name);
    const adds = read.type(tree.child(receiver, field.type));
    const type = adds.is === 'apply' ? adds.of : adds;
    const owner = type.is === 'name' ? ownerOf(type.name) : -1;
    const definition = define(name, 'method', node, owner, headEnd(node));
    fillFunction(definition, node);
    definition.bases = [{ how: 'adds', type: adds, at: tree.start(receiver) }];
    if (adds.is === 'apply') definition.generics = receiverGenerics(adds.types);
    enterFunction(node, last(), self === -1 ? '' : tree.textOf(self));
    if (self !== -1) {
      const before = top().self;
      bind(self, tree.start(node), adds, undefined);
      top().self = before;
    }
  };
  /** A receiver names the type parameters of its type anew. */
  const receiverGenerics = (types: readonly Expression[]): Generic[] => {
    const generics: Generic[] = [];
    for (const type of types) if (type.is === 'name' && type.name !== '_') generics.push({ name: type.name });
    return generics;
  };
  const ownerOf = (name: string): number => {
    const node = typeNodes.get(name);
    if (node !== undefined && !typeIndex.has(name)) typeSpec(node);
    return typeIndex.get(name) ?? -1;
  };

  const typeSpec = (node: number): void => {
    const name = tree.child(node, field.name);
    const type = tree.child(node, field.type);
    if (name === -1 || indexOfType.has(node)) return;
    const declaration = tree.parent(node);
    const isOnly = tree.firstNamed(declaration) === node && tree.nextNamed(node) === -1;
    const whole = isOnly ? declaration : node;
    const container = tree.parent(declaration) === 0 ? -1 : top().within;
    const shape = type === -1 ? 0 : tree.symbol(type);
    const body = shape === symbol.struct ? tree.childOf(type, symbol.fields) : -1;
    const end = body !== -1 ? tree.start(body) : shape === symbol.interface ? bodyStart(type) : tree.end(whole);
    const kind = shape === symbol.struct ? 'struct' : shape === symbol.interface ? 'interface' : 'type';
    const definition = define(name, kind, whole, container, end);
    if (!isOnly) definition.signature = `type ${definition.signature}`.slice(0, 200);
    if (container !== -1) definition.traits = ['local'];
    definition.generics = read.generics(tree.child(node, field.typeParameters));
    const index = last();
    indexOfType.set(node, index);
    if (container === -1) typeIndex.set(definition.name, index);
    if (kind === 'struct') structFields(body, definition, index);
    else if (kind === 'interface') interfaceMembers(type, definition, index);
    else if (tree.symbol(node) === symbol.alias) definition.type = read.type(type);
    // A type of its own with the shape of another.
    else definition.bases = [{ how: 'embeds', type: read.type(type), at: tree.start(type) }];
  };
  const bodyStart = (type: number): number => {
    const open = text.indexOf('{', tree.start(type));
    return open === -1 ? tree.end(type) : Math.min(open, tree.end(type));
  };
  const structFields = (list: number, owner: DefinitionDraft, index: number): void => {
    if (list === -1) return;
    const bases: Base[] = [];
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      if (tree.symbol(node) === symbol.comment) comments.note(tree.start(node), tree.end(node));
      if (tree.symbol(node) !== symbol.field) continue;
      const typeNode = tree.child(node, field.type);
      const type = read.type(typeNode);
      let isEmbedded = true;
      for (let name = tree.firstNamed(node); name !== -1; name = tree.nextNamed(name)) {
        if (tree.field(name) !== field.name) continue;
        isEmbedded = false;
        define(name, 'field', node, index, tree.end(node)).type = type;
      }
      const name = isEmbedded ? nameOfType(typeNode) : -1;
      if (name === -1) continue;
      define(name, 'field', node, index, tree.end(node)).type = type;
      bases.push({ how: 'embeds', type, at: tree.start(name) });
    }
    if (bases.length > 0) owner.bases = bases;
  };
  const nameOfType = (node: number): number => {
    let at = node;
    while (at !== -1 && tree.symbol(at) !== symbol.typeName) {
      const kind = tree.symbol(at);
      if (kind === symbol.qualified) at = tree.child(at, field.name);
      else if (kind === symbol.generic) at = tree.child(at, field.type);
      else at = tree.firstNamed(at);
    }
    return at;
  };
  const interfaceMembers = (type: number, owner: DefinitionDraft, index: number): void => {
    const bases: Base[] = [];
    for (let node = tree.firstNamed(type); node !== -1; node = tree.nextNamed(node)) {
      const kind = tree.symbol(node);
      if (kind === symbol.comment) comments.note(tree.start(node), tree.end(node));
      if (kind === symbol.methodElement) {
        const name = tree.child(node, field.name);
        if (name === -1) continue;
        const method = define(name, 'method', node, index, tree.end(node));
        fillFunction(method, node);
        method.traits = ['declared'];
      }
      if (kind !== symbol.typeElement) continue;
      const first = tree.firstNamed(node);
      if (first === -1 || tree.nextNamed(first) !== -1 || tree.symbol(first) === symbol.negated) continue;
      bases.push({ how: 'embeds', type: read.type(first), at: tree.start(first) });
    }
    if (bases.length > 0) owner.bases = bases;
  };

  /** `a, b := f()` and its like: the nth name gets the nth value, or the nth part of the only one. */
  const nth = (values: number, n: number, count: number): Expression => {
    if (values === -1) return UNKNOWN;
    let node = tree.symbol(values) === symbol.expressions ? tree.firstNamed(values) : values;
    const only = node !== -1 && tree.nextNamed(node) === -1;
    if (count === 1 || !only) {
      for (let skip = n; skip > 0 && node !== -1; skip--) node = tree.nextNamed(node);
      return node === -1 ? UNKNOWN : read.value(node);
    }
    const kind = tree.symbol(node);
    const isTest = kind === symbol.index || kind === symbol.assertion || kind === symbol.unary;
    if (isTest) return n === 0 ? read.value(node) : { is: 'literal', type: 'bool' };
    return { is: 'part', of: read.value(node), n };
  };
  const onlyFunction = (values: number): number => {
    const node = values === -1 ? -1 : tree.firstNamed(values);
    return node !== -1 && tree.symbol(node) === symbol.function && tree.nextNamed(node) === -1 ? node : -1;
  };
  const namesOf = (node: number): number[] => {
    const names: number[] = [];
    for (let name = tree.firstNamed(node); name !== -1; name = tree.nextNamed(name)) {
      if (tree.field(name) === field.name && tree.symbol(name) === symbol.identifier) names.push(name);
    }
    return names;
  };
  /** A name that a function literal is bound to becomes the name of the function. */
  const namedFunction = (name: number, node: number, literal: number): void => {
    const { within } = top();
    const definition = define(name, 'function', node, within, headEnd(literal));
    fillFunction(definition, literal);
    if (within !== -1) definition.traits = ['local'];
    functionNames.set(literal, last());
  };
  const functionNames = new Map<number, number>();

  const valueSpec = (node: number, isConst: boolean): void => {
    const names = namesOf(node);
    const typeNode = tree.child(node, field.type);
    const values = tree.child(node, field.value);
    let type = typeNode === -1 ? undefined : read.type(typeNode);
    if (isConst) {
      // A constant without a value repeats the one before, type included.
      if (type === undefined && values === -1) type = constType;
      constType = type;
    }
    const literal = names.length === 1 ? onlyFunction(values) : -1;
    const frame = top();
    if (literal !== -1 && names[0] !== undefined && names[0] !== -1 && tree.textOf(names[0]) !== '_') {
      namedFunction(names[0], node, literal);
      return;
    }
    names.forEach((name, n) => {
      const value = values === -1 ? undefined : nth(values, n, names.length);
      if (frame.within !== -1 || frame.self !== '' || frames.length > 1) {
        bind(name, tree.end(node), type, type === undefined ? value : undefined);
        return;
      }
      if (tree.textOf(name) === '_') return;
      variables.add(tree.textOf(name));
      const definition = define(name, isConst ? 'constant' : 'variable', node, -1, tree.end(node));
      definition.signature = `${isConst ? 'const' : 'var'} ${definition.signature}`.slice(0, 200);
      if (type !== undefined) definition.type = type;
      else if (value !== undefined) definition.values = [value];
    });
  };
  const shortVariables = (left: number, right: number, end: number): void => {
    if (left === -1) return;
    const names: number[] = [];
    for (let name = tree.firstNamed(left); name !== -1; name = tree.nextNamed(name)) names.push(name);
    const literal = names.length === 1 ? onlyFunction(right) : -1;
    if (literal !== -1 && names[0] !== undefined && tree.textOf(names[0]) !== '_') {
      namedFunction(names[0], tree.parent(left), literal);
      return;
    }
    // All values are read before the first name means something else.
    const values = names.map((_, n) => nth(right, n, names.length));
    names.forEach((name, n) => {
      if (tree.symbol(name) === symbol.identifier) bind(name, end, undefined, values[n]);
    });
  };
  const rangeClause = (node: number): void => {
    const left = tree.child(node, field.left);
    if (left === -1 || text.slice(tree.end(left), tree.end(left) + 4).trim()[0] !== ':') return;
    const of = read.value(tree.child(node, field.right));
    let n = 0;
    for (let name = tree.firstNamed(left); name !== -1; name = tree.nextNamed(name)) {
      if (tree.symbol(name) === symbol.identifier) {
        bind(name, tree.end(node), undefined, { is: 'part', of: { is: 'each', of }, n });
      }
      n++;
    }
  };
  const typeCase = (node: number): void => {
    const statement = tree.parent(node);
    const alias = tree.symbol(statement) === symbol.typeSwitch ? tree.child(statement, field.alias) : -1;
    const name = alias === -1 ? -1 : tree.firstNamed(alias);
    if (name === -1) return;
    const types: number[] = [];
    for (let type = tree.firstNamed(node); type !== -1; type = tree.nextNamed(type)) {
      if (tree.field(type) === field.type) types.push(type);
    }
    const only = types.length === 1 && types[0] !== undefined ? read.type(types[0]) : undefined;
    const isNil = only?.is === 'name' && only.name === 'nil';
    if (only !== undefined && !isNil) bind(name, tree.start(node), only, undefined);
    else bind(name, tree.start(node), undefined, read.value(tree.child(statement, field.value)));
  };

  const callSite = (node: number): void => {
    const list = tree.child(node, field.arguments);
    let { node: callee } = read.callee(tree.child(node, field.function));
    while (callee !== -1 && tree.symbol(callee) === symbol.parenthesized) callee = tree.firstNamed(callee);
    if (callee === -1) return;
    const kind = tree.symbol(callee);
    if (kind === symbol.identifier) site(callee, 'call', undefined, countArguments(list));
    else if (kind === symbol.selector) {
      const operand = tree.child(callee, field.operand);
      site(tree.child(callee, field.field), 'call', read.value(operand), countArguments(list));
    }
  };
  const site = (
    name: number,
    kind: 'call' | 'new' | 'type',
    receiver: Expression | undefined,
    args: number | undefined,
  ): void => {
    if (name === -1 || tree.isMissing(name)) return;
    const into = kind === 'type' ? draft.candidates : draft.references;
    addReference(into, top().within, tree.textOf(name), kind, tree.start(name), receiver, args);
  };
  const countArguments = (list: number): number | undefined => {
    if (list === -1) return 0;
    let count = 0;
    for (let arg = tree.firstNamed(list); arg !== -1; arg = tree.nextNamed(arg)) {
      const kind = tree.symbol(arg);
      if (kind === symbol.variadicArgument) return undefined;
      if (kind !== symbol.comment) count++;
    }
    return count;
  };
  /** `f[T](x)` looks like a conversion to the grammar. */
  const conversion = (node: number): void => {
    const type = tree.child(node, field.type);
    if (type === -1 || tree.symbol(type) !== symbol.generic) return;
    typeSite(tree.child(type, field.type), 'call');
  };
  const typeSite = (type: number, kind: 'call' | 'new' | 'type'): void => {
    if (type === -1) return;
    const args = kind === 'call' ? 1 : undefined;
    if (tree.symbol(type) === symbol.typeName) {
      if (kind !== 'type' || !BUILT_IN_TYPES.has(tree.textOf(type))) site(type, kind, undefined, args);
    } else if (tree.symbol(type) === symbol.qualified) {
      const module = tree.child(type, field.package);
      const receiver: Expression = { is: 'name', name: tree.textOf(module), at: tree.start(module) };
      site(tree.child(type, field.name), kind, receiver, args);
    }
  };
  const typeName = (node: number): void => {
    const parent = tree.parent(node);
    const kind = tree.symbol(parent);
    if (kind === symbol.qualified) return;
    if (tree.field(node) === field.name && (kind === symbol.type || kind === symbol.alias)) return;
    if (kind === symbol.generic && tree.field(node) === field.type) {
      const outer = tree.symbol(tree.parent(parent));
      if (outer === symbol.composite || outer === symbol.conversion) return;
    }
    if (kind === symbol.composite || isReceiver(node)) return;
    typeSite(node, 'type');
  };
  const qualifiedType = (node: number): void => {
    const parent = tree.parent(node);
    const kind = tree.symbol(parent);
    const outer = kind === symbol.generic ? tree.symbol(tree.parent(parent)) : kind;
    if (outer !== symbol.composite && !(kind === symbol.generic && outer === symbol.conversion)) typeSite(node, 'type');
  };
  /** The type that a method is written for, whose type parameters it names. */
  const isReceiver = (node: number): boolean => {
    let at = tree.parent(node);
    while (at > 0 && tree.field(at) !== field.receiver) {
      const kind = tree.symbol(at);
      if (kind === symbol.parameters || kind === symbol.block || kind === symbol.type) return false;
      at = tree.parent(at);
    }
    return at > 0;
  };
  const composite = (node: number): void => {
    const type = tree.child(node, field.type);
    if (type === -1) return;
    typeSite(tree.symbol(type) === symbol.generic ? tree.child(type, field.type) : type, 'new');
  };
  const valueName = (node: number): void => {
    const what = tree.field(node);
    if (what === field.name || what === field.function) return;
    const parent = tree.parent(node);
    const kind = tree.symbol(parent);
    if (kind === symbol.selector || kind === symbol.index) return;
    if (kind === symbol.element && tree.field(parent) === field.key) return;
    if (kind === symbol.expressions && tree.field(parent) === field.left && tree.symbol(tree.parent(parent)) !== symbol.assignment) return;
    if (kind === symbol.expressions && tree.field(parent) === field.alias) return;
    const name = tree.textOf(node);
    if (BUILT_IN_VALUES.has(name) || imported.has(name)) return;
    addReference(draft.candidates, top().within, name, 'reference', tree.start(node), undefined, undefined);
  };
  /** `s.handler` and `pkg.Handler` where they are handed on: methods are values like any other. */
  const memberValue = (node: number): void => {
    const kind = tree.symbol(tree.parent(node));
    if (kind !== symbol.arguments && kind !== symbol.expressions && kind !== symbol.element) return;
    const operand = tree.child(node, field.operand);
    if (operand === -1 || tree.symbol(operand) !== symbol.identifier) return;
    const at = tree.child(node, field.field);
    if (at === -1) return;
    addReference(draft.candidates, top().within, tree.textOf(at), 'reference', tree.start(at), read.value(operand), undefined);
  };

  const begin = (): void => {
    draft = startDraft();
    text = tree.text;
    comments = watchComments(tree, () => true);
    frame = { after: tree.count, within: -1, from: 0, to: text.length, self: '' };
    frames.length = 0;
    frames.push(frame);
    variables.clear();
    imported.clear();
    typeNodes.clear();
    typeIndex.clear();
    indexOfType.clear();
    functionNames.clear();
    constType = undefined;
    read.forget();
  };

  return () => {
    begin();
    for (let node = tree.firstNamed(0); node !== -1; node = tree.nextNamed(node)) {
      if (tree.symbol(node) !== symbol.typeDeclaration) continue;
      for (let spec = tree.firstNamed(node); spec !== -1; spec = tree.nextNamed(spec)) {
        const name = tree.child(spec, field.name);
        if (name !== -1 && !typeNodes.has(tree.textOf(name))) typeNodes.set(tree.textOf(name), spec);
      }
    }
    for (let node = 1; node < tree.count; node++) {
      while (node >= frame.after) leave();
      const role = roles[tree.symbol(node)];
      if (role === undefined || role === 0) continue;
      switch (role) {
        case ROLE.comment:
          comments.note(tree.start(node), tree.end(node));
          break;
        case ROLE.package:
          draft.package = tree.textOf(tree.firstNamed(node));
          break;
        case ROLE.import:
          importSpec(node);
          break;
        case ROLE.function:
          functionDeclaration(node);
          break;
        case ROLE.method:
          methodDeclaration(node);
          break;
        case ROLE.type:
          typeSpec(node);
          push(node, indexOfType.get(node) ?? top().within, top().self);
          break;
        case ROLE.constants:
          constType = undefined;
          break;
        case ROLE.constant:
          valueSpec(node, true);
          break;
        case ROLE.variable:
          valueSpec(node, false);
          break;
        case ROLE.short:
          shortVariables(tree.child(node, field.left), tree.child(node, field.right), tree.end(node));
          break;
        case ROLE.receive:
          if (text.slice(tree.end(tree.child(node, field.left)), tree.start(tree.child(node, field.right))).includes(':')) {
            shortVariables(tree.child(node, field.left), tree.child(node, field.right), tree.end(node));
          }
          break;
        case ROLE.range:
          rangeClause(node);
          break;
        case ROLE.literal:
          enterFunction(node, functionNames.get(node) ?? top().within, top().self);
          break;
        case ROLE.scope:
          push(node, top().within, top().self);
          break;
        case ROLE.typeCase:
          push(node, top().within, top().self);
          typeCase(node);
          break;
        case ROLE.call:
          callSite(node);
          break;
        case ROLE.conversion:
          conversion(node);
          break;
        case ROLE.composite:
          composite(node);
          break;
        case ROLE.typeName:
          typeName(node);
          break;
        case ROLE.qualified:
          qualifiedType(node);
          break;
        case ROLE.name:
          valueName(node);
          break;
        case ROLE.member:
          memberValue(node);
          break;
      }
    }
    return finishDraft(draft, tree.damaged, () => true);
  };
}

/** The last part of a path that names a package and not its version. */
export function packageName(module: string): string {
  const parts = module.split('/');
  let name = parts.at(-1) ?? '';
  if (/^v\d+$/.test(name) && parts.length > 1) name = parts.at(-2) ?? '';
  return name.replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/, '');
}

function isExported(name: string): boolean {
  const first = name.charCodeAt(0);
  if (first < 128) return first >= 65 && first <= 90;
  return /^\p{Lu}/u.test(name);
}
