import { first, made, makeAll, makeChild, named, ofKind } from './tree.ts';
import type { Builders, Made, Maker } from './tree.ts';
import { entity } from './tree-types.ts';

function namespaceOf(maker: Maker, node: number): Made {
  const name = maker.child(node, 'name');
  const id = maker.kind(name) === 'string' ? maker.make(name) : entity(maker, name);
  return made(maker, node, 'TSModuleDeclaration', { id, body: makeChild(maker, node, 'body'), declare: false });
}

function ambient(maker: Maker, node: number): Made {
  const words = maker.words(node);
  const [only] = maker.children(node);
  if (words.has('global') && only !== undefined) {
    const start = maker.tree.start(node) + maker.tree.textOf(node).indexOf('global');
    const id = { type: 'Identifier', start, end: start + 6, name: 'global' };
    return made(maker, node, 'TSModuleDeclaration', { id, body: maker.make(only), declare: true });
  }
  const inner = maker.make(only ?? -1);
  return { ...inner, start: maker.tree.start(node), declare: true };
}

function importOf(maker: Maker, node: number): Made {
  const required = ofKind(maker, node, 'import_require_clause');
  const importKind = maker.words(node).has('type') ? 'type' : 'value';
  if (required !== -1) {
    const expression = maker.make(maker.child(required, 'source'));
    return made(maker, node, 'TSImportEqualsDeclaration', {
      id: first(maker, required),
      importKind,
      moduleReference: made(maker, required, 'TSExternalModuleReference', { expression }),
    });
  }
  const clause = ofKind(maker, node, 'import_clause');
  const source = makeChild(maker, node, 'source');
  if (!source) return made(maker, node, 'EmptyStatement', {});
  const specifiers = clause === -1 ? [] : maker.children(clause).flatMap((child) => specifiersOf(maker, child));
  return made(maker, node, 'ImportDeclaration', { specifiers, source, importKind });
}

function specifiersOf(maker: Maker, node: number): Made[] {
  switch (maker.kind(node)) {
    case 'identifier':
      return [made(maker, node, 'ImportDefaultSpecifier', { local: named(maker, node) })];
    case 'namespace_import':
      return [made(maker, node, 'ImportNamespaceSpecifier', { local: first(maker, node) })];
    case 'named_imports':
      return maker.children(node).map((child) => {
        const imported = maker.make(maker.child(child, 'name'));
        const importKind = maker.words(child).has('type') ? 'type' : 'value';
        const local = makeChild(maker, child, 'alias') ?? imported;
        return made(maker, child, 'ImportSpecifier', { imported, local, importKind });
      });
    default:
      return [];
  }
}

function exportOf(maker: Maker, node: number): Made {
  const { tree } = maker;
  const words = maker.words(node);
  const source = makeChild(maker, node, 'source');
  const declaration = makeChild(maker, node, 'declaration');
  const value = maker.child(node, 'value');
  const decorators = maker.children(node).filter((child) => maker.kind(child) === 'decorator');
  const last = decorators.at(-1);
  const start = last === undefined ? tree.start(node) : tree.text.indexOf('export', tree.end(last));
  const base = { start, end: tree.end(node) };
  const decorated =
    declaration && last !== undefined
      ? {
          ...declaration,
          decorators: [...makeAll(maker, decorators), ...((declaration['decorators'] ?? []) as Made[])],
        }
      : declaration;
  if (words.has('default')) {
    const whole = decorated ?? maker.make(value === -1 ? (maker.children(node)[0] ?? -1) : value);
    return { type: 'ExportDefaultDeclaration', ...base, declaration: asDeclaration(whole) };
  }
  if (words.has('=')) return { type: 'TSExportAssignment', ...base, expression: first(maker, node) };
  const all = ofKind(maker, node, 'namespace_export');
  if (source && (words.has('*') || all !== -1)) {
    return { type: 'ExportAllDeclaration', ...base, source, exported: all === -1 ? null : first(maker, all) };
  }
  if (words.has('namespace')) return { type: 'EmptyStatement', ...base };
  const clause = ofKind(maker, node, 'export_clause');
  const specifiers = (clause === -1 ? [] : maker.children(clause)).map((child) => {
    const local = maker.make(maker.child(child, 'name'));
    return made(maker, child, 'ExportSpecifier', { local, exported: makeChild(maker, child, 'alias') ?? local });
  });
  return { type: 'ExportNamedDeclaration', ...base, declaration: decorated, specifiers, source };
}

/** `export default class {}` without a name is an expression to the grammar. */
export function asDeclaration(node: Made): Made {
  if (node.type === 'ClassExpression') return { ...node, type: 'ClassDeclaration' };
  return node.type === 'FunctionExpression' ? { ...node, type: 'FunctionDeclaration' } : node;
}

const nothing = (maker: Maker, node: number): Made => made(maker, node, 'EmptyStatement', {});

/** What leads from file to file, and namespaces. */
export const MODULES: Builders = {
  module: namespaceOf,
  internal_module: namespaceOf,
  ambient_declaration: ambient,
  import_statement: importOf,
  import_clause: nothing,
  import_require_clause: nothing,
  named_imports: nothing,
  namespace_import: nothing,
  namespace_export: nothing,
  export_clause: nothing,
  export_statement: exportOf,
  import_alias(maker, node) {
    const [id, of] = maker.children(node);
    return made(maker, node, 'TSImportEqualsDeclaration', {
      id: named(maker, id ?? node),
      importKind: 'value',
      moduleReference: entity(maker, of ?? node),
    });
  },
};
