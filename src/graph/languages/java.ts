import type { Expression } from '../expression.ts';
import type { Base, DefinitionKind, Trait } from '../facts.ts';
import type { FlatTree } from '../parse/flat-tree.ts';
import { loadGrammar } from '../parse/tree-sitter.ts';
import type { Grammar } from '../parse/tree-sitter.ts';
import { addBinding, addDefinition, addReference, finishDraft, headOf, startDraft, watchComments } from './facts-draft.ts';
import type { DefinitionDraft } from './facts-draft.ts';
import { createJavaExpressions } from './java-expressions.ts';
import { fieldsOf, ROLE, rolesOf, symbolsOf } from './java-symbols.ts';
import type { Extracted, Extractor, Source } from './language.ts';

export async function createJavaExtractor(): Promise<Extractor> {
  const grammar = await loadGrammar('java');
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

interface Frame {
  readonly after: number;
  readonly within: number;
  readonly from: number;
  readonly to: number;
}

/** Everyone has these without an import, and nobody asks who uses them. */
const EVERYWHERE = new Set(
  (
    'var String Object Integer Long Short Byte Double Float Boolean Character Number Void Class Math System Iterable ' +
    'Override Deprecated SuppressWarnings SafeVarargs FunctionalInterface Exception RuntimeException Throwable Error'
  ).split(' '),
);

function createWalk(grammar: Grammar, tree: FlatTree): () => Extracted {
  const symbol = symbolsOf(grammar);
  const field = fieldsOf(grammar);
  const roles = rolesOf(grammar);
  const expressionsOf = createJavaExpressions(grammar);

  let draft = startDraft();
  let { text } = tree;
  let comments = watchComments(tree, isDoc);
  const frames: Frame[] = [];
  let frame: Frame = { after: tree.count, within: -1, from: 0, to: text.length };
  const top = (): Frame => frame;
  const leave = (): void => {
    frames.pop();
    frame = frames[frames.length - 1] as Frame;
  };
  const variables = new Set<string>();
  const imported = new Set<string>();
  const qualified = new Set<string>();
  const anonymous = new Map<number, number>();

  const read = expressionsOf(tree, {
    isVariable: (name) => variables.has(name),
    qualified: (name, at) => nameModule(name, name.slice(name.lastIndexOf('.') + 1), at),
  });
  /** What is written with its package is as good as imported. */
  const nameModule = (module: string, name: string, at: number): string => {
    if (!qualified.has(module)) {
      qualified.add(module);
      draft.imports.push({ local: module, module, name, kind: 'value', within: -1, at });
    }
    return module;
  };
  const push = (node: number, within: number): void => {
    frame = { after: tree.after(node), within, from: tree.start(node), to: tree.end(node) };
    frames.push(frame);
  };
  const last = (): number => draft.definitions.length - 1;
  const bind = (node: number, from: number, type: Expression | undefined, value: Expression | undefined): void => {
    if (node === -1) return;
    const name = tree.textOf(node);
    variables.add(name);
    const { within, to } = top();
    addBinding(draft, name, within, from, to, tree.start(node), type, value);
  };
  /** `var` says nothing; what it is set to does. */
  const declared = (type: number): Expression | undefined =>
    type === -1 || tree.textOf(type) === 'var' ? undefined : read.type(type);

  const importDeclaration = (node: number): void => {
    const path = tree.firstNamed(node);
    if (path === -1) return;
    const module = tree.textOf(path);
    const isStatic = tree.text.slice(tree.start(node), tree.start(path)).includes('static');
    const isStar = tree.childOf(node, symbol.asterisk) !== -1;
    const dot = module.lastIndexOf('.');
    const name = module.slice(dot + 1);
    const at = tree.end(path) - name.length;
    if (isStar) draft.imports.push({ local: '*', module, name: '*', kind: 'star', within: -1, at });
    else {
      imported.add(name);
      const from = isStatic ? module.slice(0, Math.max(dot, 0)) : module;
      draft.imports.push({ local: name, module: from, name, kind: 'value', within: -1, at });
    }
  };

  const modifiersOf = (node: number): ReadonlySet<string> => {
    const list = tree.childOf(node, symbol.modifiers);
    const words = new Set<string>();
    for (let word = list === -1 ? -1 : tree.firstChild(list); word !== -1; word = tree.nextSibling(word)) {
      if (!tree.isNamed(word)) words.add(tree.textOf(word));
    }
    return words;
  };
  /** Where a declaration starts when its annotations are left out. */
  const startOf = (node: number): number => {
    const list = tree.firstChild(node);
    if (list === -1 || tree.symbol(list) !== symbol.modifiers) return tree.start(node);
    let last = -1;
    for (let word = tree.firstChild(list); word !== -1; word = tree.nextSibling(word)) {
      const kind = tree.symbol(word);
      if (kind !== symbol.annotation && kind !== symbol.marker) return tree.start(word);
      last = word;
    }
    const next = tree.nextSibling(list);
    return last === -1 || next === -1 ? tree.start(node) : tree.start(next);
  };
  const define = (
    node: number,
    nameNode: number,
    kind: DefinitionKind,
    headEnd: number,
    words: ReadonlySet<string>,
    isOpen: boolean,
  ): DefinitionDraft => {
    const start = startOf(node);
    const doc = comments.before(tree.start(node));
    const { within } = top();
    const definition = addDefinition(draft, tree.textOf(nameNode), kind, within, start, tree.end(node), tree.start(nameNode));
    definition.signature = headOf(text, start, headEnd);
    definition.exported = isOpen || words.has('public') || words.has('protected');
    if (words.has('private')) {
      definition.visibility = 'private';
      definition.exported = false;
    }
    if (doc !== undefined) definition.doc = doc;
    return definition;
  };
  const bodyStart = (node: number): number => {
    const body = tree.child(node, field.body);
    return body === -1 ? tree.end(node) : tree.start(body);
  };
  /** Members of interfaces and annotations are public without a word. */
  const isInInterface = (node: number): boolean => {
    const kind = tree.symbol(tree.parent(node));
    return kind === symbol.interfaceBody || kind === symbol.annotationBody;
  };
  const isLocal = (): boolean => {
    const kind = draft.definitions[top().within]?.kind;
    return kind === 'method' || (kind === undefined && top().within !== -1);
  };

  const classDeclaration = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const words = modifiersOf(node);
    const kind = tree.symbol(node);
    const what: DefinitionKind = kind === symbol.enum ? 'enum' : isInterface(kind) ? 'interface' : 'class';
    const definition = define(node, name, what, bodyStart(node), words, isInInterface(node));
    const traits: Trait[] = [];
    if (words.has('abstract')) traits.push('abstract');
    if (isLocal()) traits.push('local');
    if (words.has('static') || what !== 'class' || kind === symbol.record) traits.push('static');
    if (traits.length > 0) definition.traits = traits;
    definition.generics = read.generics(tree.child(node, field.typeParameters));
    const bases: Base[] = [];
    addBases(bases, 'extends', tree.child(node, field.superclass));
    addBases(bases, 'extends', tree.childOf(node, symbol.extends));
    addBases(bases, 'implements', tree.child(node, field.interfaces));
    if (bases.length > 0) definition.bases = bases;
    push(node, last());
    if (kind === symbol.record) components(tree.child(node, field.parameters));
  };
  const isInterface = (kind: number): boolean => kind === symbol.interface || kind === symbol.annotationType;
  const addBases = (bases: Base[], how: 'extends' | 'implements', node: number): void => {
    for (let type = node === -1 ? -1 : tree.firstNamed(node); type !== -1; type = tree.nextNamed(type)) {
      if (tree.symbol(type) === symbol.typeList) {
        addBases(bases, how, type);
        continue;
      }
      const found = read.type(type);
      if (found.is !== 'unknown') bases.push({ how, type: found, at: tree.start(type) });
    }
  };
  /** What a record has: each can be read by its name and by calling it. */
  const components = (list: number): void => {
    for (let node = list === -1 ? -1 : tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      const name = tree.child(node, field.name);
      if (tree.symbol(node) !== symbol.parameter || name === -1) continue;
      const component = define(node, name, 'field', tree.end(node), new Set(), true);
      component.type = read.type(tree.child(node, field.type));
      component.traits = ['callable'];
      variables.add(component.name);
    }
  };

  const methodDeclaration = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const words = modifiersOf(node);
    const definition = define(node, name, 'method', bodyStart(node), words, isInInterface(node));
    const traits: Trait[] = [];
    if (words.has('static')) traits.push('static');
    if (words.has('abstract')) traits.push('abstract');
    if (tree.child(node, field.body) === -1) traits.push('declared');
    if (traits.length > 0) definition.traits = traits;
    definition.generics = read.generics(tree.child(node, field.typeParameters));
    definition.parameters = read.parameters(tree.child(node, field.parameters));
    const type = read.type(tree.child(node, field.type));
    definition.type = tree.child(node, field.dimensions) === -1 ? type : arrayOf(type, definition.at);
    if (definition.name === 'main' && words.has('static')) definition.visibility = 'special';
    push(node, last());
    bindParameters(tree.child(node, field.parameters), tree.start(node));
  };
  const constructorDeclaration = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const definition = define(node, name, 'method', bodyStart(node), modifiersOf(node), false);
    definition.name = 'constructor';
    definition.traits = ['constructor'];
    definition.visibility = 'special';
    definition.generics = read.generics(tree.child(node, field.typeParameters));
    let list = tree.child(node, field.parameters);
    if (tree.symbol(node) === symbol.compact) {
      const record = tree.parent(tree.parent(node));
      list = record > 0 ? tree.child(record, field.parameters) : -1;
    }
    definition.parameters = read.parameters(list);
    push(node, last());
    bindParameters(list, tree.start(node));
  };
  const bindParameters = (list: number, from: number): void => {
    if (list === -1) return;
    const parameters = read.parameters(list);
    let n = 0;
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      const kind = tree.symbol(node);
      if (kind !== symbol.parameter && kind !== symbol.spread) continue;
      const holder = kind === symbol.spread ? tree.childOf(node, symbol.declarator) : node;
      bind(holder === -1 ? -1 : tree.child(holder, field.name), from, parameters[n]?.type, undefined);
      n++;
    }
  };
  const fieldDeclaration = (node: number): void => {
    const words = modifiersOf(node);
    const typeNode = tree.child(node, field.type);
    const isConstant = tree.symbol(node) === symbol.constantDeclaration || (words.has('static') && words.has('final'));
    for (let one = tree.firstNamed(node); one !== -1; one = tree.nextNamed(one)) {
      const name = tree.symbol(one) === symbol.declarator ? tree.child(one, field.name) : -1;
      if (name === -1) continue;
      const definition = define(node, name, isConstant ? 'constant' : 'field', tree.end(node), words, isInInterface(node));
      if (isConstant || words.has('static')) definition.traits = ['static'];
      const type = read.type(typeNode);
      definition.type = tree.child(one, field.dimensions) === -1 ? type : arrayOf(type, definition.at);
      variables.add(definition.name);
    }
    // What initialises a field belongs to the class, for all that come after it do.
    push(node, top().within);
  };
  const arrayOf = (of: Expression, at: number): Expression => ({
    is: 'apply',
    of: { is: 'name', name: '[]', at },
    types: [of],
  });
  const enumConstant = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const owner = draft.definitions[top().within];
    const definition = define(node, name, 'constant', bodyStart(node), new Set(), owner?.exported === true);
    definition.traits = ['static'];
    if (owner === undefined) return;
    const type: Expression = { is: 'name', name: owner.name, at: owner.at };
    definition.type = type;
    if (tree.child(node, field.body) === -1) return;
    definition.bases = [{ how: 'extends', type, at: definition.at }];
    push(node, last());
  };
  const annotationElement = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const definition = define(node, name, 'method', tree.end(node), modifiersOf(node), true);
    definition.traits = ['declared'];
    definition.type = read.type(tree.child(node, field.type));
  };

  const localVariables = (node: number): void => {
    const type = declared(tree.child(node, field.type));
    for (let one = tree.firstNamed(node); one !== -1; one = tree.nextNamed(one)) {
      if (tree.symbol(one) !== symbol.declarator) continue;
      const name = tree.child(one, field.name);
      const value = tree.child(one, field.value);
      const shown = type === undefined || tree.child(one, field.dimensions) === -1 ? type : arrayOf(type, tree.start(one));
      bind(name, tree.start(one), shown, shown === undefined && value !== -1 ? read.value(value) : undefined);
    }
  };
  const forEach = (node: number): void => {
    const type = declared(tree.child(node, field.type));
    const of = tree.child(node, field.value);
    push(node, top().within);
    const from = of === -1 ? tree.start(node) : tree.end(of);
    bind(tree.child(node, field.name), from, type, type === undefined ? { is: 'each', of: read.value(of) } : undefined);
  };
  const resource = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const type = declared(tree.child(node, field.type));
    bind(name, tree.start(node), type, type === undefined ? read.value(tree.child(node, field.value)) : undefined);
  };
  const catchClause = (node: number): void => {
    push(node, top().within);
    const parameter = tree.childOf(node, symbol.catchParameter);
    if (parameter === -1) return;
    const type = tree.childOf(parameter, symbol.catchType);
    bind(tree.child(parameter, field.name), tree.start(node), read.type(type), undefined);
  };
  const lambda = (node: number): void => {
    push(node, top().within);
    const list = tree.child(node, field.parameters);
    const from = tree.start(node);
    if (list === -1) return;
    if (tree.symbol(list) === symbol.identifier) bind(list, from, undefined, read.lambdaParameter(node, 0));
    else if (tree.symbol(list) === symbol.formal) bindParameters(list, from);
    else {
      let n = 0;
      for (let one = tree.firstNamed(list); one !== -1; one = tree.nextNamed(one)) {
        bind(one, from, undefined, read.lambdaParameter(node, n++));
      }
    }
  };
  /** `o instanceof Item i`, `case Item i`, `case Point(int x, var y)`. */
  const pattern = (type: number, name: number): void => {
    if (name !== -1) bind(name, tree.start(name), declared(type), undefined);
  };
  const lastName = (node: number): number => {
    let last = -1;
    for (let one = tree.firstNamed(node); one !== -1; one = tree.nextNamed(one)) last = one;
    return last !== -1 && tree.symbol(last) === symbol.identifier ? last : -1;
  };

  const site = (
    name: number,
    kind: 'call' | 'new' | 'reference' | 'decorator',
    receiver: Expression | undefined,
    args: number | undefined,
  ): void => {
    if (name === -1 || tree.isMissing(name)) return;
    addReference(draft.references, top().within, tree.textOf(name), kind, tree.start(name), receiver, args);
  };
  const countArguments = (node: number): number => {
    const list = tree.child(node, field.arguments);
    let count = 0;
    for (let arg = list === -1 ? -1 : tree.firstNamed(list); arg !== -1; arg = tree.nextNamed(arg)) {
      const kind = tree.symbol(arg);
      if (kind !== symbol.comment && kind !== symbol.blockComment) count++;
    }
    return count;
  };
  const callSite = (node: number): void => {
    const object = tree.child(node, field.object);
    let receiver: Expression | undefined;
    if (object !== -1) {
      const isSuper = tree.childOf(node, symbol.super) !== -1;
      receiver = isSuper ? { is: 'super', at: tree.start(object) } : read.value(object);
    }
    site(tree.child(node, field.name), 'call', receiver, countArguments(node));
  };
  const constructSite = (node: number): void => {
    const word = tree.child(node, field.constructor);
    if (word === -1) return;
    const at = tree.start(word);
    const receiver: Expression = tree.symbol(word) === symbol.super ? { is: 'super', at } : { is: 'this', at };
    addReference(draft.references, top().within, 'constructor', 'call', at, receiver, countArguments(node));
  };
  const creationSite = (node: number): void => {
    const type = tree.child(node, field.type);
    if (type === -1) return;
    const made = tree.symbol(type) === symbol.generic ? tree.firstNamed(type) : type;
    const first = tree.firstNamed(node);
    const outer = first !== type && tree.symbol(first) !== symbol.annotation && tree.start(first) < tree.start(type) ? first : -1;
    const args = countArguments(node);
    if (tree.symbol(made) === symbol.scopedType) scopedSite(made, 'new', args);
    else site(made, 'new', outer === -1 ? undefined : read.value(outer), args);
    const body = tree.childOf(node, symbol.classBody);
    if (body !== -1) anonymousClass(node, type, made, body);
  };
  /** A class written with what contains it, or with its package. */
  const scopedSite = (node: number, kind: 'new' | 'type', args: number | undefined): void => {
    let name = -1;
    for (let one = tree.firstNamed(node); one !== -1; one = tree.nextNamed(one)) name = one;
    const whole = read.type(node);
    const list = kind === 'new' ? draft.references : draft.candidates;
    if (whole.is === 'member') addReference(list, top().within, whole.name, kind, tree.start(name), whole.of, args);
    if (whole.is !== 'name') return;
    const dot = whole.name.lastIndexOf('.');
    const inPackage = nameModule(whole.name.slice(0, dot), '*', whole.at);
    const receiver: Expression = { is: 'name', name: inPackage, at: whole.at };
    addReference(list, top().within, whole.name.slice(dot + 1), kind, tree.start(name), receiver, args);
  };
  /** It has no name, so it is called by what it is made of. */
  const anonymousClass = (node: number, type: number, made: number, body: number): void => {
    const definition = define(node, made, 'class', tree.start(body), new Set(), false);
    const name = tree.textOf(made);
    definition.name = `new ${name.slice(name.lastIndexOf('.') + 1)}`;
    definition.traits = ['local'];
    definition.bases = [{ how: 'extends', type: read.type(type), at: tree.start(type) }];
    anonymous.set(body, last());
  };
  const methodReference = (node: number): void => {
    const of = tree.firstNamed(node);
    const name = lastName(node);
    if (of === -1) return;
    if (name !== -1 && name !== of) site(name, 'reference', read.value(of), undefined);
    else if (tree.symbol(of) === symbol.identifier || tree.symbol(of) === symbol.typeName) site(of, 'reference', undefined, undefined);
  };
  const annotation = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const simple = tree.symbol(name) === symbol.scoped ? tree.child(name, field.name) : name;
    if (!EVERYWHERE.has(tree.textOf(simple))) site(simple, 'decorator', undefined, undefined);
  };
  const typeName = (node: number): void => {
    const name = tree.textOf(node);
    const parent = tree.parent(node);
    const kind = tree.symbol(parent);
    if (EVERYWHERE.has(name) || kind === symbol.typeParameter || kind === symbol.methodReference) return;
    if (kind === symbol.scopedType) {
      if (tree.end(node) === tree.end(parent) && tree.symbol(tree.parent(parent)) !== symbol.creation) scopedSite(parent, 'type', undefined);
      return;
    }
    const holder = kind === symbol.generic && tree.firstNamed(parent) === node ? parent : node;
    if (tree.symbol(tree.parent(holder)) === symbol.creation && tree.field(holder) === field.type) return;
    addReference(draft.candidates, top().within, name, 'type', tree.start(node), undefined, undefined);
  };
  /** `Kind.BOOK` and `this.x` where they are handed on. */
  const memberValue = (node: number): void => {
    const kind = tree.symbol(tree.parent(node));
    const isHanded = kind === symbol.arguments || kind === symbol.return || kind === symbol.declarator || kind === symbol.assignment;
    if (!isHanded || tree.field(node) === field.left) return;
    const object = tree.child(node, field.object);
    const name = tree.child(node, field.field);
    if (object === -1 || name === -1 || tree.symbol(name) !== symbol.identifier) return;
    const root = tree.symbol(object);
    const isType = root === symbol.identifier && /^[A-Z]/.test(tree.textOf(object));
    if (isType || root === symbol.this) {
      addReference(draft.candidates, top().within, tree.textOf(name), 'reference', tree.start(name), read.value(object), undefined);
    }
  };
  const valueName = (node: number): void => {
    if (!imported.has(tree.textOf(node))) return;
    const what = tree.field(node);
    if (what === field.name || what === field.field || what === field.object || what === field.key) return;
    const kind = tree.symbol(tree.parent(node));
    if (kind === symbol.scoped || roles[kind] === ROLE.import || kind === symbol.methodReference) return;
    addReference(draft.candidates, top().within, tree.textOf(node), 'reference', tree.start(node), undefined, undefined);
  };

  const begin = (): void => {
    draft = startDraft();
    text = tree.text;
    comments = watchComments(tree, isDoc);
    frame = { after: tree.count, within: -1, from: 0, to: text.length };
    frames.length = 0;
    frames.push(frame);
    variables.clear();
    imported.clear();
    qualified.clear();
    anonymous.clear();
    read.forget();
  };

  return () => {
    begin();
    for (let node = 1; node < tree.count; node++) {
      while (node >= frame.after) leave();
      switch (roles[tree.symbol(node)]) {
        case ROLE.comment:
          comments.note(tree.start(node), tree.end(node));
          break;
        case ROLE.package: {
          const name = tree.childOf(node, symbol.scoped);
          draft.package = tree.textOf(name === -1 ? Math.max(tree.childOf(node, symbol.identifier), node) : name);
          break;
        }
        case ROLE.import:
          importDeclaration(node);
          node = tree.after(node) - 1;
          break;
        case ROLE.class:
          classDeclaration(node);
          break;
        case ROLE.method:
          methodDeclaration(node);
          break;
        case ROLE.constructor:
          constructorDeclaration(node);
          break;
        case ROLE.field:
          fieldDeclaration(node);
          break;
        case ROLE.constant:
          enumConstant(node);
          break;
        case ROLE.element:
          annotationElement(node);
          break;
        case ROLE.scope:
          push(node, top().within);
          break;
        case ROLE.local:
          localVariables(node);
          break;
        case ROLE.for:
          forEach(node);
          break;
        case ROLE.resource:
          resource(node);
          break;
        case ROLE.catch:
          catchClause(node);
          break;
        case ROLE.lambda:
          lambda(node);
          break;
        case ROLE.pattern:
          pattern(tree.child(node, field.right), tree.child(node, field.name));
          break;
        case ROLE.typePattern:
        case ROLE.component:
          pattern(tree.firstNamed(node), lastName(node));
          break;
        case ROLE.call:
          callSite(node);
          break;
        case ROLE.construct:
          constructSite(node);
          break;
        case ROLE.creation:
          creationSite(node);
          break;
        case ROLE.reference:
          methodReference(node);
          break;
        case ROLE.annotation:
          annotation(node);
          break;
        case ROLE.typeName:
          typeName(node);
          break;
        case ROLE.access:
          memberValue(node);
          break;
        case ROLE.name:
          valueName(node);
          break;
        default: {
          const index = anonymous.get(node);
          if (index !== undefined) push(node, index);
        }
      }
    }
    return finishDraft(draft, tree.damaged, ({ receiver }) => receiver?.is !== 'unknown');
  };
}

/** Only comments with two stars document something. */
function isDoc(text: string, start: number): boolean {
  return text[start + 1] === '*' && text[start + 2] === '*';
}

