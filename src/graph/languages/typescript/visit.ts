import type { Node, Program } from 'oxc-parser';
import type { DefinitionKind } from '../../model/facts.ts';
import { startDraft } from '../facts-draft.ts';
import type { Extracted, Source } from '../language.ts';
import { createTranslator } from './expressions.ts';
import { STATEMENTS } from './statements.ts';
import { visitType } from './type-references.ts';
import { VALUES, visitExpecting, visitName } from './values.ts';
import { visitChildren } from './walk.ts';
import type { Visits, Walk } from './walk.ts';

/** All that the outer level and its namespaces give a name. */
function collectNames(statements: readonly Node[], into: Set<string>): void {
  for (const statement of statements) {
    switch (statement.type) {
      case 'ImportDeclaration':
        for (const { local } of statement.specifiers) into.add(local.name);
        break;
      case 'ExportNamedDeclaration':
        if (statement.declaration) collectNames([statement.declaration], into);
        break;
      case 'ExportDefaultDeclaration':
        collectNames([statement.declaration], into);
        break;
      case 'VariableDeclaration':
        for (const { id } of statement.declarations) collectPattern(id, into);
        break;
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
      case 'ClassDeclaration':
      case 'TSEnumDeclaration':
      case 'TSImportEqualsDeclaration':
        if (statement.id) into.add(statement.id.name);
        break;
      case 'TSModuleDeclaration':
        if (statement.id.type === 'Identifier') into.add(statement.id.name);
        if (statement.body) collectNames(statement.body.body, into);
        break;
      default:
    }
  }
}

function collectPattern(pattern: Node, into: Set<string>): void {
  switch (pattern.type) {
    case 'Identifier':
      into.add(pattern.name);
      return;
    case 'AssignmentPattern':
      collectPattern(pattern.left, into);
      return;
    case 'RestElement':
      collectPattern(pattern.argument, into);
      return;
    case 'ObjectPattern':
      for (const one of pattern.properties) collectPattern(one.type === 'Property' ? one.value : one, into);
      return;
    case 'ArrayPattern':
      for (const one of pattern.elements) if (one) collectPattern(one, into);
      return;
    default:
  }
}

const VISITS: Visits = { ...VALUES, ...STATEMENTS };

/** Facts from a syntax tree, wherever that comes from. */
export function readProgram(program: Program, source: Source, damaged: boolean): Extracted {
  const walk: Walk = {
    text: source.text,
    isJavaScript: source.language === 'javascript',
    draft: startDraft(),
    t: createTranslator(),
    names: new Set(),
    unset: new Map(),
    growing: new Map(),
    sawThis: false,
    members: new Map(),
    standIns: [],
    visit: (node) => visit(walk, node),
    visitType: (node) => visitType(walk, node),
    visitExpecting: (node, expected) => visitExpecting(walk, node, expected),
    made: undefined,
    within: -1,
    block: program,
    body: program,
    isLocal: false,
    isAmbient: false,
    thisClass: -1,
    returns: undefined,
    yields: undefined,
    outer: undefined,
  };
  collectNames(program.body, walk.names);
  for (const statement of program.body) visit(walk, statement);
  return finish(walk, damaged);
}

/** By a table: a node's type is a text of its own, and comparing it with many others takes long. Short ones are not. */
function visit(walk: Walk, node: Node): void {
  if (node.type === 'Identifier') {
    visitName(walk, node.name, node.start);
    return;
  }
  if (node.type === 'Literal') return;
  const visitOne = VISITS[node.type] as ((walk: Walk, node: Node) => void) | undefined;
  if (visitOne) visitOne(walk, node);
  else visitChildren(node, walk.visit);
}

const TYPES: ReadonlySet<DefinitionKind> = new Set(['class', 'interface', 'type', 'enum', 'namespace']);

function finish(walk: Walk, damaged: boolean): Extracted {
  const { definitions, references, imports, exports, bindings, candidates } = walk.draft;
  const types = new Set<string>();
  for (const { local } of imports) types.add(local);
  for (const { name, kind } of definitions) if (TYPES.has(kind)) types.add(name);
  for (const candidate of candidates) {
    let root = candidate.receiver;
    while (root?.is === 'member') root = root.of;
    if (types.has(root?.is === 'name' ? root.name : candidate.name)) references.push(candidate);
  }
  const functions = new Set<string>();
  for (const { name, kind } of definitions) if (kind === 'function') functions.add(name);
  for (const standIn of walk.standIns) if (functions.has(standIn.name)) references.push(standIn);
  const exported = new Set<string>();
  for (const { local, module } of exports) if (module === undefined) exported.add(local);
  for (const definition of definitions) {
    const { container, name, traits } = definition;
    if (container === -1 && exported.has(name) && !traits.includes('local')) definition.exported = true;
  }
  references.sort((a, b) => a.at - b.at);
  return { definitions, references, imports, exports, bindings, damaged };
}
