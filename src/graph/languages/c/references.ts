import type { Expression } from '../../model/expression.ts';
import type { FlatTree } from '../../parse/flat-tree.ts';
import type { CReader } from './expressions.ts';
import type { CFields, CSymbols } from './grammar.ts';
import { addReference } from '../facts-draft.ts';
import type { FactsDraft } from '../facts-draft.ts';

export interface CReferences {
  call(node: number, within: number): void;
  instantiate(node: number, within: number): void;
  /** An object that a declaration makes. */
  declared(node: number, value: number, within: number): void;
  typeName(node: number, within: number): void;
}

/** Names that a broken piece of code makes look like functions. */
export const KEYWORDS = new Set(
  'if else for while do switch case return sizeof catch try throw new delete defined void'.split(' '),
);
/** Types of the standard library that C programs use without saying where they come from. */
const STANDARD =
  /^(?:u?int(?:_fast|_least)?(?:8|16|32|64|max|ptr)_t|s?size_t|ptrdiff_t|off_t|time_t|wchar_t|va_list|bool|FILE|[us](?:8|16|32|64))$/;

export function createCReferences(
  tree: FlatTree,
  S: CSymbols,
  F: CFields,
  read: CReader,
  draft: FactsDraft,
): CReferences {
  const { text } = tree;
  /** A type is counted once per definition that uses it. */
  const seen = new Set<string>();

  /** `Foo x(1)` and `Foo x{1}` make an object as `new Foo(1)` does. */
  function declared(node: number, valueNode: number, within: number): void {
    if (valueNode === -1) return;
    const symbol = tree.symbol(valueNode);
    if (S.class_specifier === -2 || (symbol !== S.argument_list && symbol !== S.initializer_list)) return;
    const type = tree.child(node, F.type);
    const last = read.lastOf(type);
    if (tree.symbol(last) !== S.type_identifier || tree.isMissing(last) || isStandard(type)) return;
    seen.add(`${within}:${tree.textOf(last)}`);
    addReference(
      draft.references,
      within,
      tree.textOf(last),
      'new',
      tree.start(last),
      read.scopeOf(type),
      countOf(valueNode),
    );
  }

  function isStandard(type: number): boolean {
    return STANDARD.test(tree.textOf(read.lastOf(type))) || text.startsWith('std::', tree.start(type));
  }

  function countOf(list: number): number {
    let count = 0;
    for (let at = tree.firstNamed(list); at !== -1; at = tree.nextNamed(at)) if (tree.symbol(at) !== S.comment) count++;
    return count;
  }

  function call(node: number, within: number): void {
    const callee = tree.child(node, F.function);
    const list = tree.child(node, F.arguments);
    if (callee === -1) return;
    const symbol = tree.symbol(callee);
    let nameNode = callee;
    let receiver: Expression | undefined;
    if (symbol === S.field_expression) {
      const field = tree.child(callee, F.field);
      if (field === -1) return;
      nameNode = read.lastOf(field);
      receiver = read.value(tree.child(callee, F.argument));
    } else if (symbol === S.qualified_identifier) {
      nameNode = read.lastOf(callee);
      receiver = read.scopeOf(callee);
    } else if (symbol === S.identifier || symbol === S.template_function) nameNode = read.lastOf(callee);
    else return;
    const name = tree.textOf(nameNode);
    if (name === '' || KEYWORDS.has(name) || name.startsWith('__has_')) return;
    addReference(
      draft.references,
      within,
      name,
      'call',
      tree.start(nameNode),
      receiver,
      list === -1 ? undefined : countOf(list),
    );
  }

  function instantiate(node: number, within: number): void {
    const type = tree.child(node, F.type);
    const list = tree.child(node, F.arguments);
    if (type === -1) return;
    const last = read.lastOf(type);
    if (tree.symbol(last) !== S.type_identifier || tree.isMissing(last)) return;
    const args = list === -1 ? 0 : countOf(list);
    addReference(draft.references, within, tree.textOf(last), 'new', tree.start(last), read.scopeOf(type), args);
  }

  function typeName(node: number, within: number): void {
    let top = node;
    let parent = tree.parent(top);
    let symbol = tree.symbol(parent);
    while (symbol === S.qualified_identifier || symbol === S.template_type) {
      if (tree.field(top) === F.scope) return;
      top = parent;
      parent = tree.parent(top);
      symbol = tree.symbol(parent);
    }
    const isOwnName = tree.field(top) === F.name && tree.child(parent, F.body) !== -1;
    if (isOwnName || tree.field(top) === F.declarator || tree.field(top) === F.scope || symbol === S.new_expression)
      return;
    if (tree.field(top) === F.name && symbol === S.alias_declaration) return;
    if (symbol === S.type_parameter_declaration || symbol === S.optional_type_parameter_declaration) return;
    const name = tree.textOf(node);
    const key = `${within}:${name}`;
    if (seen.has(key) || isStandard(top)) return;
    seen.add(key);
    addReference(draft.candidates, within, name, 'type', tree.start(node), read.scopeOf(top));
  }

  return { call, instantiate, declared, typeName };
}
