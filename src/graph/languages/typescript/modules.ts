import type {
  CallExpression,
  ExportAllDeclaration,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  ImportDeclaration,
  Node,
} from 'oxc-parser';
import type { Import } from '../../model/facts.ts';
import { textOf, valueOf } from './expressions.ts';
import type { AnyFunction } from './expressions.ts';
import * as make from './make.ts';
import { importName } from './types.ts';
import { define, lastIndex, spanOf } from './walk.ts';
import type { Walk } from './walk.ts';

export function addImport(
  walk: Walk,
  kind: Import['kind'],
  local: string,
  module: string,
  name: string,
  at: number,
): void {
  walk.draft.imports.push({ local, module, name, kind, within: walk.within, at });
}

export function visitImport(walk: Walk, node: ImportDeclaration): void {
  const module = node.source.value;
  if (node.specifiers.length === 0) addImport(walk, 'effect', '', module, '*', node.source.start);
  for (const specifier of node.specifiers) {
    const { name, start } = specifier.local;
    const isType =
      node.importKind === 'type' || (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type');
    const kind = isType ? 'type' : 'value';
    if (specifier.type === 'ImportDefaultSpecifier') addImport(walk, kind, name, module, 'default', start);
    else if (specifier.type === 'ImportNamespaceSpecifier') addImport(walk, kind, name, module, '*', start);
    else addImport(walk, kind, name, module, exportedName(specifier.imported), start);
  }
}

function exportedName(node: Node): string {
  return node.type === 'Identifier' ? node.name : (textOf(node) ?? '');
}

/** A module used without being given a name: `import('x')`, `require('x').y`, `typeof import('x')`. */
export function importInPlace(walk: Walk, kind: 'dynamic' | 'type' | 'value', source: Node, at: number): void {
  const module = textOf(source);
  if (module === undefined) return;
  const local = importName(module);
  const isKnown = walk.draft.imports.some((known) => known.local === local && known.within === walk.within);
  if (!isKnown) addImport(walk, kind, local, module, '*', at);
}

/** `const a = require('x')` and its like are imports, not variables. */
export function importRequired(walk: Walk, id: Node, init: Node): boolean {
  const isMember = init.type === 'MemberExpression' && !init.computed && init.property.type === 'Identifier';
  const module = requiredModule(isMember ? init.object : init);
  if (module === undefined) return false;
  const member = isMember && init.property.type === 'Identifier' ? init.property.name : undefined;
  if (id.type === 'Identifier') {
    addImport(walk, 'value', id.name, module, member ?? '*', id.start);
    return true;
  }
  if (id.type !== 'ObjectPattern' || member !== undefined) return false;
  for (const property of id.properties) {
    if (property.type === 'RestElement') return false;
    const value = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
    if (value.type !== 'Identifier' || property.key.type !== 'Identifier' || property.computed) return false;
  }
  for (const property of id.properties) {
    if (property.type === 'RestElement' || property.key.type !== 'Identifier') continue;
    const value = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
    if (value.type === 'Identifier') addImport(walk, 'value', value.name, module, property.key.name, value.start);
  }
  return true;
}

export function requiredModule(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
  const [first] = node.arguments;
  return node.callee.name === 'require' && first ? textOf(first) : undefined;
}

export function visitExport(walk: Walk, node: ExportNamedDeclaration): void {
  const { exports } = walk.draft;
  if (node.declaration) {
    walk.outer = node;
    walk.visit(node.declaration);
    walk.outer = undefined;
  }
  for (const { local, exported } of node.specifiers) {
    const entry = { name: exportedName(exported), local: exportedName(local), at: exported.start };
    exports.push(
      node.source ? { name: entry.name, local: entry.local, module: node.source.value, at: entry.at } : entry,
    );
  }
}

export function visitExportAll(walk: Walk, node: ExportAllDeclaration): void {
  const name = node.exported ? exportedName(node.exported) : '*';
  const at = node.exported?.start ?? node.source.start;
  walk.draft.exports.push({ name, local: '*', module: node.source.value, at });
}

export function visitDefaultExport(walk: Walk, node: ExportDefaultDeclaration): void {
  const { declaration } = node;
  switch (declaration.type) {
    case 'FunctionDeclaration':
    case 'TSDeclareFunction':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration': {
      const local = declaration.id?.name ?? 'default';
      walk.draft.exports.push({ name: 'default', local, at: declaration.id?.start ?? declaration.start });
      walk.outer = node;
      walk.visit(declaration);
      walk.outer = undefined;
      return;
    }
    default:
      visitDefaultValue(walk, node, declaration);
  }
}

function visitDefaultValue(walk: Walk, node: ExportDefaultDeclaration, value: Node): void {
  const of = value.type === 'CallExpression' ? functionIn(value) : undefined;
  if (value.type === 'CallExpression' && of !== undefined) defineMade(walk, node, value, of);
  else exportValue(walk, 'default', value, value.start);
}

/** `export default wrap(function load() …)`: what is made of a function is called as that, by its name where it has one. */
function defineMade(walk: Walk, node: ExportDefaultDeclaration, made: CallExpression, of: AnyFunction): void {
  const name = of.id?.name ?? 'default';
  walk.draft.exports.push({ name: 'default', local: name, at: made.start });
  walk.outer = node;
  const span = spanOf(walk, made, name, of.id?.start ?? made.start);
  const definition = define(walk, 'constant', span, made.callee.end, []);
  definition.values = [make.fit(walk.t.heights, valueOf(walk.t, made))];
  const { within } = walk;
  walk.within = lastIndex(walk);
  walk.made = of;
  walk.visit(made);
  walk.made = undefined;
  walk.within = within;
}

function functionIn(call: CallExpression): AnyFunction | undefined {
  for (const given of call.arguments) {
    if (given.type === 'ArrowFunctionExpression' || given.type === 'FunctionExpression') return given;
    const inner = given.type === 'CallExpression' ? functionIn(given) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Exports what an expression gives, by its name where it has one. */
export function exportValue(walk: Walk, name: string, node: Node, at: number): void {
  if (node.type === 'Identifier') {
    walk.draft.exports.push({ name, local: node.name, at });
    return;
  }
  const value = make.fit(walk.t.heights, valueOf(walk.t, node));
  walk.draft.exports.push({ name, local: '', value, at });
  walk.visit(node);
}
