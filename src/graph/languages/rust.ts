import { UNKNOWN } from '../expression.ts';
import type { Expression, Generic } from '../expression.ts';
import type { Base, DefinitionKind, Trait } from '../facts.ts';
import type { FlatTree } from '../parse/flat-tree.ts';
import { loadGrammar } from '../parse/tree-sitter.ts';
import type { Grammar } from '../parse/tree-sitter.ts';
import { addBinding, addDefinition, addReference, finishDraft, headOf, startDraft, watchComments } from './facts-draft.ts';
import type { DefinitionDraft } from './facts-draft.ts';
import type { Extracted, Extractor, Source } from './language.ts';
import { createRustExpressions } from './rust-expressions.ts';
import { fieldsOf, ROLE, rolesOf, symbolsOf } from './rust-symbols.ts';
import { createUseReader } from './rust-uses.ts';

export async function createRustExtractor(): Promise<Extractor> {
  const grammar = await loadGrammar('rust');
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

/** What surrounds a node. */
interface Frame {
  readonly after: number;
  readonly within: number;
  readonly from: number;
  readonly to: number;
  /** Where items are put: a module, or -1 for the file. */
  readonly container: number;
  /** The inline modules around. */
  readonly modules: readonly string[];
  readonly block: Block | undefined;
}

/** An `impl` block or a trait. */
interface Block {
  readonly self: Expression;
  /** The definition that its items belong to, -1 when that is in another file. */
  readonly owner: number;
  readonly isTrait: boolean;
  /** Whether it implements a trait, so that its items are as visible as that. */
  readonly ofTrait: boolean;
  readonly generics: readonly Generic[];
  readonly at: number;
}

const STANDARD_TYPES = new Set(
  (
    'Self bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 String Vec Option Result Box ' +
    'Some None Ok Err Fn FnMut FnOnce Send Sync Sized Copy Clone Debug Default Drop From Into Iterator'
  ).split(' '),
);

function createWalk(grammar: Grammar, tree: FlatTree): () => Extracted {
  const symbol = symbolsOf(grammar);
  const field = fieldsOf(grammar);
  const roles = rolesOf(grammar);
  const expressionsOf = createRustExpressions(grammar);
  const usesOf = createUseReader(grammar);

  let draft = startDraft();
  let { text } = tree;
  let comments = watchComments(tree, isDoc);
  const frames: Frame[] = [];
  let frame: Frame = { after: tree.count, within: -1, from: 0, to: text.length, container: -1, modules: [], block: undefined };
  const top = (): Frame => frame;
  const leave = (): void => {
    frames.pop();
    frame = frames[frames.length - 1] as Frame;
  };
  /** Names that the file itself gives: items and what `use` brings in. */
  const known = new Set<string>();
  /** Types by the list of items they stand in, so that `impl` blocks find them wherever they are. */
  const typeNodes = new Map<string, number>();
  const indexOfType = new Map<number, number>();
  const namedModules = new Set<string>();

  const read = expressionsOf(tree, {
    self: () => top().block?.self,
    isKnown: (name) => known.has(name),
    module(segments, at) {
      const module = modulePath(segments);
      if (!namedModules.has(module)) {
        namedModules.add(module);
        draft.imports.push({ local: module, module, name: '*', kind: 'value', within: -1, at });
      }
      return module;
    },
  });
  /** Paths inside inline modules, as seen from the file. */
  const modulePath = (segments: readonly string[]): string => {
    const { modules } = top();
    const [root = ''] = segments;
    if (modules.length === 0 || (root !== 'self' && root !== 'super')) {
      if (modules.length > 0 && root !== 'crate' && known.has(`${modules.join('::')}::${root}`)) {
        return ['self', ...modules, ...segments].join('::');
      }
      return segments.join('::');
    }
    let depth = modules.length;
    let used = root === 'self' ? 1 : 0;
    while (segments[used] === 'super' && depth > 0) {
      used++;
      depth--;
    }
    const rest = segments.slice(used);
    if (rest[0] === 'super') return rest.join('::');
    return ['self', ...modules.slice(0, depth), ...rest].join('::');
  };

  const push = (node: number, within: number, block: Block | undefined): void => {
    const { container, modules } = frame;
    frame = { after: tree.after(node), within, from: tree.start(node), to: tree.end(node), container, modules, block };
    frames.push(frame);
  };
  const enter = (node: number): void => push(node, top().within, top().block);
  const last = (): number => draft.definitions.length - 1;
  const isPublic = (node: number): boolean => tree.childOf(node, symbol.visibility) !== -1;

  const define = (node: number, nameNode: number, kind: DefinitionKind, container: number): DefinitionDraft => {
    const start = tree.start(node);
    const body = tree.child(node, field.body);
    const doc = comments.before(start);
    const name = tree.textOf(nameNode);
    const definition = addDefinition(draft, name, kind, container, start, tree.end(node), tree.start(nameNode));
    definition.signature = headOf(text, start, body === -1 || kind === 'constant' ? tree.end(node) : tree.start(body));
    definition.exported = isPublic(node);
    definition.visibility = definition.exported ? 'public' : 'private';
    if (doc !== undefined) definition.doc = doc;
    return definition;
  };
  /** Puts an item of an `impl` block or trait where it belongs. */
  const belong = (definition: DefinitionDraft, block: Block): void => {
    if (block.isTrait || block.ofTrait) {
      definition.exported = true;
      definition.visibility = 'public';
    }
    if (block.isTrait) return;
    definition.bases = [{ how: 'adds', type: block.self, at: block.at }];
    definition.generics = block.generics.length === 0 ? definition.generics : block.generics.concat(definition.generics);
  };
  const itemContainer = (): number => {
    const { block, container, within } = top();
    if (block !== undefined && isItemLevel()) return block.owner === -1 ? container : block.owner;
    return isItemLevel() ? container : within;
  };
  /** Directly in the file, a module, a trait or an `impl` block, not in a function. */
  const isItemLevel = (): boolean => {
    const { within, container, block } = top();
    return block === undefined ? within === container : within === block.owner || (block.owner === -1 && within === container);
  };

  const functionItem = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const { block } = top();
    const isMember = block !== undefined && isItemLevel();
    const isLocal = !isMember && !isItemLevel();
    const list = tree.child(node, field.parameters);
    const hasSelf = list !== -1 && tree.childOf(list, symbol.selfParameter) !== -1;
    const definition = define(node, name, isMember ? 'method' : 'function', itemContainer());
    const traits: Trait[] = [];
    if (isMember && !hasSelf) traits.push('static');
    if (isLocal) traits.push('local');
    if (tree.symbol(node) === symbol.signature) traits.push('declared');
    const modifiers = tree.childOf(node, symbol.modifiers);
    if (modifiers !== -1 && /\basync\b/.test(tree.textOf(modifiers))) traits.push('async');
    if (traits.length > 0) definition.traits = traits;
    definition.generics = read.generics(node);
    definition.parameters = read.parameters(list);
    const result = tree.child(node, field.returnType);
    definition.type = result === -1 ? { is: 'tuple', of: [] } : read.type(result);
    if (isMember) belong(definition, block);
    else if (definition.name === 'main' && definition.container === -1) definition.visibility = 'special';
    push(node, last(), top().block);
    for (let one = list === -1 ? -1 : tree.firstNamed(list); one !== -1; one = tree.nextNamed(one)) {
      if (tree.symbol(one) !== symbol.parameter) continue;
      bindPattern(tree.child(one, field.pattern), tree.start(node), read.type(tree.child(one, field.type)), undefined);
    }
  };

  const typeItem = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1 || indexOfType.has(node)) return;
    const kind = tree.symbol(node) === symbol.enum ? 'enum' : 'struct';
    const definition = define(node, name, kind, itemContainer());
    if (!isItemLevel()) definition.traits = ['local'];
    definition.generics = read.generics(node);
    const index = last();
    indexOfType.set(node, index);
    const body = tree.child(node, field.body);
    if (body === -1) return;
    if (kind === 'enum') variants(body, index);
    else fields(body, index);
  };
  const fields = (body: number, owner: number): void => {
    let position = 0;
    let isOpen = false;
    for (let node = tree.firstNamed(body); node !== -1; node = tree.nextNamed(node)) {
      const kind = tree.symbol(node);
      if (kind === symbol.lineComment || kind === symbol.blockComment) comments.note(tree.start(node), tree.end(node));
      if (kind === symbol.attribute) comments.pass(tree.start(node), tree.end(node));
      if (kind === symbol.visibility) isOpen = true;
      if (kind === symbol.field) {
        const name = tree.child(node, field.name);
        if (name !== -1) define(node, name, 'field', owner).type = read.type(tree.child(node, field.type));
      } else if (tree.field(node) === field.type) {
        const start = tree.start(node);
        const definition = addDefinition(draft, String(position++), 'field', owner, start, tree.end(node), start);
        definition.signature = headOf(text, start, tree.end(node));
        definition.exported = isOpen;
        definition.visibility = isOpen ? 'public' : 'private';
        definition.type = read.type(node);
        isOpen = false;
      }
    }
  };
  const variants = (body: number, owner: number): void => {
    for (let node = tree.firstNamed(body); node !== -1; node = tree.nextNamed(node)) {
      const kind = tree.symbol(node);
      if (kind === symbol.lineComment || kind === symbol.blockComment) comments.note(tree.start(node), tree.end(node));
      if (kind === symbol.attribute) comments.pass(tree.start(node), tree.end(node));
      const name = kind === symbol.variant ? tree.child(node, field.name) : -1;
      if (name === -1) continue;
      const definition = define(node, name, 'constant', owner);
      const whole = draft.definitions[owner] as DefinitionDraft;
      definition.exported = whole.exported;
      definition.visibility = 'public';
      definition.type = typeItself(whole);
      const inner = tree.child(node, field.body);
      if (inner === -1) continue;
      if (tree.symbol(inner) === symbol.ordered) {
        definition.parameters = orderedTypes(inner).map((type) => ({ name: '', type }));
      } else fields(inner, last());
    }
  };
  /** A type with its own type parameters as arguments. */
  const typeItself = ({ name, at, generics }: DefinitionDraft): Expression => {
    const of: Expression = { is: 'name', name, at };
    if (generics.length === 0) return of;
    return { is: 'apply', of, types: generics.map((generic) => ({ is: 'name', name: generic.name, at })) };
  };
  const orderedTypes = (list: number): Expression[] => {
    const types: Expression[] = [];
    for (let node = tree.firstNamed(list); node !== -1; node = tree.nextNamed(node)) {
      if (tree.field(node) === field.type) types.push(read.type(node));
    }
    return types;
  };

  const traitItem = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const definition = define(node, name, 'trait', itemContainer());
    definition.generics = read.generics(node);
    const bounds = tree.child(node, field.bounds);
    const bases: Base[] = [];
    for (let one = bounds === -1 ? -1 : tree.firstNamed(bounds); one !== -1; one = tree.nextNamed(one)) {
      if (tree.symbol(one) !== symbol.lifetime) bases.push({ how: 'extends', type: read.type(one), at: tree.start(one) });
    }
    if (bases.length > 0) definition.bases = bases;
    const self: Expression = { is: 'name', name: definition.name, at: definition.at };
    const owner = last();
    push(node, owner, { self, owner, isTrait: true, ofTrait: false, generics: [], at: definition.at });
  };
  const implItem = (node: number): void => {
    const typeNode = tree.child(node, field.type);
    const trait = tree.child(node, field.trait);
    const self = typeNode === -1 ? UNKNOWN : read.type(typeNode);
    const head = self.is === 'apply' ? self.of : self;
    const key = head.is === 'name' ? typeKey(tree.parent(node), head.name) : '';
    const owned = typeNodes.get(key);
    if (owned !== undefined) typeItem(owned);
    const owner = owned === undefined ? -1 : (indexOfType.get(owned) ?? -1);
    const generics = read.generics(node);
    const target = draft.definitions[owner];
    if (trait !== -1 && target !== undefined) {
      target.bases = target.bases.concat({ how: 'implements', type: read.type(trait), at: tree.start(trait) });
    }
    const at = typeNode === -1 ? tree.start(node) : tree.start(typeNode);
    const within = owner === -1 ? top().container : owner;
    push(node, within, { self, owner, isTrait: false, ofTrait: trait !== -1, generics, at });
  };
  const typeKey = (list: number, name: string): string => `${list}:${name}`;

  const aliasItem = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const { block } = top();
    const isMember = block !== undefined && isItemLevel();
    const definition = define(node, name, 'type', itemContainer());
    definition.generics = read.generics(node);
    const type = tree.child(node, field.type);
    if (type !== -1) definition.type = read.type(type);
    else definition.traits = ['declared'];
    if (isMember) belong(definition, block);
    else if (!isItemLevel()) definition.traits = ['local'];
  };
  const constantItem = (node: number, kind: 'constant' | 'variable'): void => {
    const name = tree.child(node, field.name);
    const type = read.type(tree.child(node, field.type));
    if (name === -1 || tree.textOf(name) === '_') return;
    if (!isItemLevel()) {
      bindName(name, top().from, type, undefined);
      return;
    }
    const { block } = top();
    const definition = define(node, name, kind, itemContainer());
    definition.type = type;
    if (block !== undefined) belong(definition, block);
  };
  const modItem = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const text = tree.textOf(name);
    if (tree.child(node, field.body) !== -1) {
      define(node, name, 'namespace', itemContainer());
      const { modules } = top();
      const index = last();
      frame = {
        after: tree.after(node),
        within: index,
        from: tree.start(node),
        to: tree.end(node),
        container: index,
        modules: [...modules, text],
        block: undefined,
      };
      frames.push(frame);
      return;
    }
    const module = ['self', ...top().modules, text].join('::');
    const at = tree.start(name);
    draft.imports.push({ local: text, module, name: '*', kind: 'value', within: top().within, at });
    if (isPublic(node) && top().within === -1) draft.exports.push({ name: text, local: '*', module, at });
  };
  const useItem = (node: number): void => {
    const isExport = isPublic(node) && top().within === -1;
    for (const { local, path, name, isStar, at } of usesOf(tree, node)) {
      const first = path[0] ?? '';
      // `use Kind::*` reaches into a type of the file itself.
      const module = typeNodes.has(typeKey(0, first)) ? `self::${path.join('::')}` : modulePath(path);
      const { within } = top();
      draft.imports.push({ local, module, name, kind: isStar ? 'star' : 'value', within, at });
      if (isExport) draft.exports.push({ name: local, local: name, module, at });
    }
  };
  const externCrate = (node: number): void => {
    const name = tree.child(node, field.name);
    const alias = tree.child(node, field.alias);
    if (name === -1) return;
    const module = tree.textOf(name);
    const local = alias === -1 ? module : tree.textOf(alias);
    draft.imports.push({ local, module, name: '*', kind: 'value', within: top().within, at: tree.start(name) });
  };
  const macroItem = (node: number): void => {
    const name = tree.child(node, field.name);
    if (name === -1) return;
    const definition = define(node, name, 'function', itemContainer());
    definition.name += '!';
    definition.signature = `macro_rules! ${tree.textOf(name)}`;
    definition.exported = true;
  };

  const bindName = (node: number, from: number, type: Expression | undefined, value: Expression | undefined): void => {
    const name = tree.textOf(node);
    // A capital letter means a constant or a variant that is compared with.
    if (/^[A-Z]/.test(name)) return;
    const { within, to } = top();
    addBinding(draft, name, within, from, to, tree.start(node), type, value);
  };
  const bindPattern = (pattern: number, from: number, type: Expression | undefined, value: Expression | undefined): void => {
    const open: [node: number, type: Expression | undefined, value: Expression | undefined][] = [[pattern, type, value]];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      const [node, type, value] = one;
      if (node === -1) continue;
      const whole = (): Expression => (type === undefined ? (value ?? UNKNOWN) : { is: 'as', type });
      switch (tree.symbol(node)) {
        case symbol.identifier:
          bindName(node, from, type, value);
          break;
        case symbol.mutPattern:
        case symbol.refPattern:
        case symbol.referencePattern: {
          let inner = tree.firstNamed(node);
          while (inner !== -1 && tree.symbol(inner) === symbol.mutable) inner = tree.nextNamed(inner);
          open.push([inner, type, value]);
          break;
        }
        case symbol.captured: {
          const first = tree.firstNamed(node);
          open.push([first, type, value]);
          if (first !== -1) open.push([tree.nextNamed(first), type, value]);
          break;
        }
        case symbol.or:
        case symbol.matchPattern:
          open.push([tree.firstNamed(node), type, value]);
          break;
        case symbol.tuplePattern:
        case symbol.slicePattern: {
          const isTuple = tree.symbol(node) === symbol.tuplePattern;
          let n = 0;
          for (let part = tree.firstChild(node); part !== -1; part = tree.nextSibling(part)) {
            const sign = tree.text[tree.start(part)];
            if (!tree.isNamed(part) && sign !== '_') continue;
            open.push([part, undefined, isTuple ? { is: 'part', of: whole(), n } : { is: 'element', of: whole() }]);
            n++;
          }
          break;
        }
        case symbol.tupleStructPattern:
          variantPattern(node, whole(), open);
          break;
        case symbol.structPattern:
          structPattern(node, whole(), from, open);
          break;
      }
    }
  };
  type Open = [node: number, type: Expression | undefined, value: Expression | undefined][];
  const variantPattern = (node: number, whole: Expression, open: Open): void => {
    const head = tree.child(node, field.type);
    const name = head === -1 ? '' : tree.textOf(head);
    let n = 0;
    for (let part = tree.firstChild(node); part !== -1; part = tree.nextSibling(part)) {
      const isPart = tree.isNamed(part) ? part !== head : tree.text[tree.start(part)] === '_';
      if (!isPart) continue;
      let value: Expression;
      if (name === 'Some' || name === 'Ok') value = { is: 'entered', of: whole };
      else if (name === 'Err') value = { is: 'call', of: { is: 'member', of: whole, name: 'unwrap_err' }, args: [] };
      else value = { is: 'parameter', of: read.value(head), n };
      open.push([part, undefined, value]);
      n++;
    }
  };
  const structPattern = (node: number, whole: Expression, from: number, open: Open): void => {
    const head = tree.child(node, field.type);
    const path = head === -1 ? '' : tree.textOf(head);
    const isVariant = /(?:^|::)(?:Self|[A-Z]\w*)::[A-Z]\w*$/.test(path);
    const of: Expression = isVariant ? read.value(head) : head === -1 ? whole : { is: 'as', type: read.type(head) };
    for (let part = tree.firstNamed(node); part !== -1; part = tree.nextNamed(part)) {
      if (tree.symbol(part) !== symbol.fieldPattern) continue;
      const name = tree.child(part, field.name);
      const inner = tree.child(part, field.pattern);
      if (name === -1) continue;
      const value: Expression = { is: 'member', of, name: tree.textOf(name) };
      if (inner === -1) bindName(name, from, undefined, value);
      else open.push([inner, undefined, value]);
    }
  };
  const letDeclaration = (node: number): void => {
    const typeNode = tree.child(node, field.type);
    const valueNode = tree.child(node, field.value);
    const type = typeNode === -1 ? undefined : read.type(typeNode);
    const value = type !== undefined || valueNode === -1 ? undefined : read.value(valueNode);
    bindPattern(tree.child(node, field.pattern), tree.end(node), type, value);
  };
  const closure = (node: number): void => {
    enter(node);
    const list = tree.child(node, field.parameters);
    let n = 0;
    for (let one = list === -1 ? -1 : tree.firstNamed(list); one !== -1; one = tree.nextNamed(one)) {
      if (tree.symbol(one) === symbol.parameter) {
        bindPattern(tree.child(one, field.pattern), tree.start(node), read.type(tree.child(one, field.type)), undefined);
      } else bindPattern(one, tree.start(node), undefined, read.closureParameter(node, n));
      n++;
    }
  };

  const callSite = (node: number): void => {
    let callee = tree.child(node, field.function);
    if (callee !== -1 && tree.symbol(callee) === symbol.genericFunction) callee = tree.child(callee, field.function);
    if (callee === -1) return;
    const args = countArguments(tree.child(node, field.arguments));
    const kind = tree.symbol(callee);
    if (kind === symbol.identifier) {
      const name = tree.textOf(callee);
      if (name === 'Self') selfSite('call', tree.start(callee), args);
      else site(callee, 'call', undefined, args);
    } else if (kind === symbol.scoped) site(tree.child(callee, field.name), 'call', read.pathBefore(callee), args);
    else if (kind === symbol.fieldAccess) {
      site(tree.child(callee, field.field), 'call', read.value(tree.child(callee, field.value)), args);
    }
  };
  /** `Self(...)` and `Self { ... }` name the type by another word. */
  const selfSite = (kind: 'call' | 'new', at: number, args: number | undefined): void => {
    const self = top().block?.self;
    const head = self?.is === 'apply' ? self.of : self;
    if (head?.is === 'name') addReference(draft.references, top().within, head.name, kind, at, undefined, args);
    else if (head?.is === 'member') addReference(draft.references, top().within, head.name, kind, at, head.of, args);
  };
  const site = (
    name: number,
    kind: 'call' | 'new',
    receiver: Expression | undefined,
    args: number | undefined,
  ): void => {
    if (name === -1 || tree.isMissing(name)) return;
    addReference(draft.references, top().within, tree.textOf(name), kind, tree.start(name), receiver, args);
  };
  const countArguments = (list: number): number => {
    let count = 0;
    for (let arg = list === -1 ? -1 : tree.firstNamed(list); arg !== -1; arg = tree.nextNamed(arg)) {
      const kind = tree.symbol(arg);
      if (kind !== symbol.lineComment && kind !== symbol.blockComment && kind !== symbol.attribute) count++;
    }
    return count;
  };
  const structSite = (node: number): void => {
    let name = tree.child(node, field.name);
    if (name !== -1 && tree.symbol(name) === symbol.turbofish) name = tree.child(name, field.type);
    if (name === -1) return;
    if (tree.symbol(name) !== symbol.typeName) site(tree.child(name, field.name), 'new', read.pathBefore(name), undefined);
    else if (tree.textOf(name) === 'Self') selfSite('new', tree.start(name), undefined);
    else site(name, 'new', undefined, undefined);
  };
  const macroSite = (node: number): void => {
    const macro = tree.child(node, field.macro);
    if (macro === -1) return;
    const scoped = tree.symbol(macro) === symbol.scoped;
    const name = scoped ? tree.child(macro, field.name) : macro;
    const receiver = scoped ? read.pathBefore(macro) : undefined;
    if (name === -1) return;
    addReference(draft.references, top().within, `${tree.textOf(name)}!`, 'reference', tree.start(name), receiver, undefined);
  };
  /** Calls among the tokens of a macro, which the grammar leaves as they are. */
  const tokens = (list: number): void => {
    let before: Expression | undefined;
    let name = -1;
    let joint = '';
    for (let token = tree.firstChild(list); token !== -1; token = tree.nextSibling(token)) {
      const kind = tree.symbol(token);
      const sign = tree.text[tree.start(token)];
      if (kind === symbol.identifier || kind === symbol.self) {
        if (name !== -1 && joint !== '') before = ahead(before, name);
        else before = undefined;
        if (joint === '') before = undefined;
        name = token;
        joint = '';
      } else if (kind === symbol.tokens) {
        if (name !== -1 && sign === '(' && joint === '') {
          site(name, 'call', before, undefined);
          before = { is: 'call', of: ahead(before, name), args: [] };
        } else if (sign !== '(' && name !== -1 && sign === '[') before = { is: 'element', of: ahead(before, name) };
        else before = undefined;
        name = before === undefined ? -1 : token;
        joint = '';
      } else if (!tree.isNamed(token) && (tree.textOf(token) === '.' || tree.textOf(token) === '::')) {
        joint = tree.textOf(token);
      } else if (sign === '?' && name !== -1) before = { is: 'entered', of: ahead(before, name) };
      else if (sign === '!' && name !== -1 && tree.symbol(name) === symbol.identifier) {
        addReference(draft.references, top().within, `${tree.textOf(name)}!`, 'reference', tree.start(name), before, undefined);
        name = -1;
      } else {
        name = -1;
        joint = '';
        before = undefined;
      }
    }
  };
  /** The expression that ends with a token: a name, or what the tokens before it have made. */
  const ahead = (before: Expression | undefined, token: number): Expression => {
    if (tree.symbol(token) === symbol.tokens) return before ?? UNKNOWN;
    const name = tree.textOf(token);
    if (before === undefined) return read.named(name, tree.start(token));
    return { is: 'member', of: before, name };
  };
  const typeName = (node: number): void => {
    if (tree.field(node) === field.name) {
      const parent = tree.symbol(tree.parent(node));
      if (parent !== symbol.scopedType) return;
      if (tree.symbol(tree.parent(tree.parent(node))) === symbol.struct_) return;
      const receiver = read.pathBefore(tree.parent(node));
      if (receiver === undefined) return;
      addReference(draft.candidates, top().within, tree.textOf(node), 'type', tree.start(node), receiver, undefined);
      return;
    }
    const name = tree.textOf(node);
    if (STANDARD_TYPES.has(name) || roles[tree.symbol(tree.parent(node))] === ROLE.impl) return;
    addReference(draft.candidates, top().within, name, 'type', tree.start(node), undefined, undefined);
  };
  const valueName = (node: number): void => {
    const what = tree.field(node);
    if (what === field.name || what === field.function || what === field.path || what === field.macro) return;
    if (what === field.pattern || what === field.alias || what === field.argument) return;
    const parent = tree.symbol(tree.parent(node));
    if (parent === symbol.fieldAccess || roles[parent] === ROLE.use || parent === symbol.label) return;
    if (symbol.patterns.has(parent) || parent === symbol.tokens) return;
    addReference(draft.candidates, top().within, tree.textOf(node), 'reference', tree.start(node), undefined, undefined);
  };
  const pathValue = (node: number): void => {
    const what = tree.field(node);
    if (what === field.function || what === field.path || what === field.macro || what === field.argument) return;
    const parent = tree.symbol(tree.parent(node));
    if (symbol.useParts.has(parent) || parent === symbol.genericFunction || parent === symbol.visibility) return;
    if (parent === symbol.attributeInner) return;
    const name = tree.child(node, field.name);
    const receiver = read.pathBefore(node);
    if (name === -1 || receiver === undefined) return;
    addReference(draft.candidates, top().within, tree.textOf(name), 'reference', tree.start(name), receiver, undefined);
  };

  const look = (): void => {
    const modules: { readonly after: number; readonly path: string }[] = [];
    for (let node = 1; node < tree.count; node++) {
      while (modules.length > 0 && node >= (modules.at(-1)?.after ?? 0)) modules.pop();
      const role = roles[tree.symbol(node)] ?? 0;
      if (role === ROLE.use) for (const { local } of usesOf(tree, node)) known.add(local);
      if (role !== ROLE.type && role !== ROLE.module && role !== ROLE.trait && role !== ROLE.alias && role !== ROLE.crate) {
        continue;
      }
      const name = tree.child(node, field.name);
      if (name === -1) continue;
      const word = tree.textOf(name);
      known.add(word);
      const outer = modules.at(-1)?.path;
      if (role === ROLE.module) {
        if (outer !== undefined) known.add(`${outer}::${word}`);
        modules.push({ after: tree.after(node), path: outer === undefined ? word : `${outer}::${word}` });
      }
      const key = typeKey(tree.parent(node), word);
      if (role === ROLE.type && !typeNodes.has(key)) typeNodes.set(key, node);
      const alias = role === ROLE.crate ? tree.child(node, field.alias) : -1;
      if (alias !== -1) known.add(tree.textOf(alias));
    }
  };

  const begin = (): void => {
    draft = startDraft();
    text = tree.text;
    comments = watchComments(tree, isDoc);
    frame = { after: tree.count, within: -1, from: 0, to: text.length, container: -1, modules: [], block: undefined };
    frames.length = 0;
    frames.push(frame);
    known.clear();
    typeNodes.clear();
    indexOfType.clear();
    namedModules.clear();
    read.forget();
  };

  return () => {
    begin();
    look();
    for (let node = 1; node < tree.count; node++) {
      while (node >= frame.after) leave();
      switch (roles[tree.symbol(node)]) {
        case ROLE.comment:
          comments.note(tree.start(node), tree.end(node));
          break;
        case ROLE.attribute:
          comments.pass(tree.start(node), tree.end(node));
          node = tree.after(node) - 1;
          break;
        case ROLE.use:
          useItem(node);
          node = tree.after(node) - 1;
          break;
        case ROLE.module:
          modItem(node);
          break;
        case ROLE.crate:
          externCrate(node);
          break;
        case ROLE.function:
          functionItem(node);
          break;
        case ROLE.type:
          typeItem(node);
          push(node, indexOfType.get(node) ?? top().within, top().block);
          break;
        case ROLE.trait:
          traitItem(node);
          break;
        case ROLE.impl:
          implItem(node);
          break;
        case ROLE.alias:
          aliasItem(node);
          break;
        case ROLE.constant:
          constantItem(node, 'constant');
          break;
        case ROLE.static:
          constantItem(node, 'variable');
          break;
        case ROLE.macro:
          macroItem(node);
          node = tree.after(node) - 1;
          break;
        case ROLE.scope:
          enter(node);
          break;
        case ROLE.arm:
          enter(node);
          bindPattern(tree.child(node, field.pattern), tree.start(node), undefined, read.value(matched(node)));
          break;
        case ROLE.for:
          enter(node);
          bindPattern(tree.child(node, field.pattern), tree.start(tree.child(node, field.body)), undefined, {
            is: 'each',
            of: read.value(tree.child(node, field.value)),
          });
          break;
        case ROLE.let:
          letDeclaration(node);
          break;
        case ROLE.condition:
          bindPattern(tree.child(node, field.pattern), tree.end(node), undefined, read.value(tree.child(node, field.value)));
          break;
        case ROLE.closure:
          closure(node);
          break;
        case ROLE.call:
          callSite(node);
          break;
        case ROLE.struct:
          structSite(node);
          break;
        case ROLE.macroCall:
          macroSite(node);
          break;
        case ROLE.tokens:
          tokens(node);
          break;
        case ROLE.typeName:
          typeName(node);
          break;
        case ROLE.name:
          valueName(node);
          break;
        case ROLE.path:
          pathValue(node);
          break;
      }
    }
    const given = new Set(draft.imports.map(({ local }) => local));
    for (const { name } of draft.definitions) given.add(name);
    return finishDraft(draft, tree.damaged, ({ name, kind, receiver }) => {
      if (receiver === undefined) return given.has(name) || (kind === 'type' && given.has('*'));
      const root = rootOf(receiver);
      return root !== undefined && given.has(root);
    });

    /** What a `match` looks at. */
    function matched(arm: number): number {
      const match = tree.parent(tree.parent(arm));
      return match > 0 && tree.symbol(match) === symbol.match ? tree.child(match, field.value) : -1;
    }
  };
}

function rootOf(expression: Expression): string | undefined {
  let at = expression;
  while (at.is === 'member') at = at.of;
  return at.is === 'name' ? at.name : undefined;
}

/** `//!` and `/*!` document what is around them. */
function isDoc(text: string, start: number): boolean {
  const third = text[start + 2];
  return (third === '/' && text[start + 3] !== '/') || (third === '*' && text[start + 1] === '*');
}
