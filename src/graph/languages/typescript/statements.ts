import type { Node } from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import { bindPattern } from './bindings.ts';
import { visitClass, visitInterface } from './classes.ts';
import { defineAlias, visitEnum, visitNamespace, visitTypeAlias, visitVariables } from './declarations.ts';
import { valueOf } from './expressions.ts';
import { visitFunctionDeclaration } from './functions.ts';
import * as make from './make.ts';
import { addImport, exportValue, visitDefaultExport, visitExport, visitExportAll, visitImport } from './modules.ts';
import { narrow } from './narrowing.ts';
import { visitValue } from './references.ts';
import type { NodeOf } from './types.ts';
import { visitChildren } from './walk.ts';
import type { Visits, Walk } from './walk.ts';

const nothing = (): void => undefined;

/** Runs through a node whose variables are seen in it alone. */
function visitBlock(walk: Walk, node: Node): void {
  const { block, isLocal } = walk;
  walk.block = node;
  walk.isLocal = true;
  visitChildren(node, walk.visit);
  walk.block = block;
  walk.isLocal = isLocal;
}

function visitLoop(walk: Walk, node: NodeOf<'ForOfStatement' | 'ForInStatement'>): void {
  const { left, right } = node;
  const { block, isLocal } = walk;
  walk.visit(right);
  walk.block = node;
  walk.isLocal = true;
  if (left.type === 'VariableDeclaration') {
    const isOf = node.type === 'ForOfStatement';
    const value = isOf ? make.wrap(walk.t.heights, 'each', valueOf(walk.t, right)) : make.STRING;
    for (const { id } of left.declarations) {
      bindPattern(walk, id, value, left.kind === 'var' ? walk.body : node, 'local');
    }
  } else walk.visit(left);
  walk.visit(node.body);
  walk.block = block;
  walk.isLocal = isLocal;
}

/** What follows is reached only when this was not. */
function leaves(node: Node): boolean {
  switch (node.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
      return true;
    case 'BlockStatement': {
      const last = node.body.at(-1);
      return last !== undefined && leaves(last);
    }
    default:
      return false;
  }
}

export const STATEMENTS: Visits = {
  BlockStatement: visitBlock,
  SwitchStatement: visitBlock,
  ForStatement: visitBlock,
  ForOfStatement: visitLoop,
  ForInStatement: visitLoop,
  BreakStatement: nothing,
  ContinueStatement: nothing,
  LabeledStatement: (walk, node) => walk.visit(node.body),
  IfStatement(walk, node) {
    narrow(walk, node.test, node.consequent, true);
    if (node.alternate) narrow(walk, node.test, node.alternate, false);
    else if (leaves(node.consequent)) narrow(walk, node.test, { start: node.end, end: walk.block.end }, false);
    visitChildren(node, walk.visit);
  },
  CatchClause(walk, node) {
    const { block, isLocal } = walk;
    walk.block = node;
    walk.isLocal = true;
    if (node.param) bindPattern(walk, node.param, UNKNOWN, node, 'local');
    for (const statement of node.body.body) walk.visit(statement);
    walk.block = block;
    walk.isLocal = isLocal;
  },
  ReturnStatement(walk, node) {
    if (!node.argument) return;
    if (walk.returns) walk.visitExpecting(node.argument, walk.returns);
    else visitValue(walk, node.argument);
  },
  VariableDeclaration: visitVariables,
  FunctionDeclaration: visitFunctionDeclaration,
  TSDeclareFunction: visitFunctionDeclaration,
  ClassDeclaration: (walk, node) => visitClass(walk, node, undefined),
  TSInterfaceDeclaration: visitInterface,
  TSTypeAliasDeclaration: visitTypeAlias,
  TSEnumDeclaration: visitEnum,
  TSModuleDeclaration: visitNamespace,
  ImportDeclaration: visitImport,
  ExportNamedDeclaration: visitExport,
  ExportDefaultDeclaration: visitDefaultExport,
  ExportAllDeclaration: visitExportAll,
  TSNamespaceExportDeclaration: nothing,
  TSExportAssignment: (walk, node) => exportValue(walk, '=', node.expression, node.expression.start),
  TSImportEqualsDeclaration(walk, node) {
    const { id, moduleReference } = node;
    if (moduleReference.type !== 'TSExternalModuleReference') {
      defineAlias(walk, node);
      return;
    }
    const kind = node.importKind === 'type' ? 'type' : 'value';
    addImport(walk, kind, id.name, moduleReference.expression.value, '*', id.start);
    if (walk.outer) walk.draft.exports.push({ name: id.name, local: id.name, at: id.start });
  },
};
