import type { Node } from 'oxc-parser';

/** All that the outer level and its namespaces give a name. */
export function collectNames(statements: readonly Node[], into: Set<string>): void {
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
