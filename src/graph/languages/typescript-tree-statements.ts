import { first, made, makeAll, makeChild, makeIf, named, namedIf, ofKind } from './typescript-tree.ts';
import type { Builders, Made, Maker } from './typescript-tree.ts';
import { functionParts, methodValue } from './typescript-tree-expressions.ts';
import { entity, keyParts, signatureParts, signaturesIn } from './typescript-tree-types.ts';

const condition = (maker: Maker, node: number): Made => maker.make(maker.child(node, 'condition'));

function variables(maker: Maker, node: number): Made {
  const kind = maker.child(node, 'kind');
  const declarations = maker.children(node).filter((child) => maker.kind(child) === 'variable_declarator');
  return made(maker, node, 'VariableDeclaration', {
    kind: kind === -1 ? 'var' : maker.tree.textOf(kind),
    declarations: makeAll(maker, declarations),
  });
}

function declarator(maker: Maker, node: number): Made {
  const id = maker.make(maker.child(node, 'name'));
  return made(maker, node, 'VariableDeclarator', {
    id: { ...id, typeAnnotation: makeChild(maker, node, 'type') },
    init: makeChild(maker, node, 'value'),
  });
}

function functionDeclaration(maker: Maker, node: number): Made {
  const parts = functionParts(maker, node);
  return made(maker, node, parts['body'] ? 'FunctionDeclaration' : 'TSDeclareFunction', {
    ...parts,
    id: namedIf(maker, maker.child(node, 'name')),
  });
}

function classOf(maker: Maker, node: number): Made {
  const kind = maker.kind(node);
  const heritage = ofKind(maker, node, 'class_heritage');
  const extended = heritage === -1 ? -1 : ofKind(maker, heritage, 'extends_clause');
  const implemented = heritage === -1 ? -1 : ofKind(maker, heritage, 'implements_clause');
  return made(maker, node, kind === 'class' ? 'ClassExpression' : 'ClassDeclaration', {
    id: namedIf(maker, maker.child(node, 'name')),
    abstract: kind === 'abstract_class_declaration',
    decorators: makeAll(
      maker,
      maker.children(node).filter((child) => maker.kind(child) === 'decorator'),
    ),
    typeParameters: makeChild(maker, node, 'type_parameters'),
    superClass: extended === -1 ? null : makeChild(maker, extended, 'value'),
    superTypeArguments: extended === -1 ? null : makeChild(maker, extended, 'type_arguments'),
    implements: implemented === -1 ? [] : maker.children(implemented).map((child) => heritageOf(maker, child)),
    body: maker.make(maker.child(node, 'body')),
  });
}

/** A base in the place of a type. */
function heritageOf(maker: Maker, node: number): Made {
  const name = maker.kind(node) === 'generic_type' ? maker.child(node, 'name') : node;
  const expression = asValue(entity(maker, name));
  return made(maker, node, 'TSInterfaceHeritage', {
    expression,
    typeArguments: name === node ? null : makeChild(maker, node, 'type_arguments'),
  });
}

function asValue(node: Made): Made {
  if (node.type !== 'TSQualifiedName') return node;
  const object = asValue(node['left'] as Made);
  return { ...node, type: 'MemberExpression', object, property: node['right'], computed: false };
}

/** Decorators stand beside the member they belong to. */
export function membersOf(maker: Maker, nodes: readonly number[]): Made[] {
  const members: Made[] = [];
  let decorators: Made[] = [];
  for (const node of nodes) {
    if (maker.kind(node) === 'decorator') decorators.push(maker.make(node));
    else {
      const member = classMember(maker, node);
      if (!member) continue;
      const own = (member['decorators'] ?? []) as readonly Made[];
      members.push({ ...member, decorators: [...decorators, ...own] });
      decorators = [];
    }
  }
  return members;
}

function classMember(maker: Maker, node: number): Made | undefined {
  const kind = maker.kind(node);
  const words = maker.words(node);
  const modifier = ofKind(maker, node, 'accessibility_modifier');
  const shared = {
    static: words.has('static'),
    optional: words.has('?'),
    accessibility: modifier === -1 ? null : maker.tree.textOf(modifier),
    decorators: [],
  };
  switch (kind) {
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature': {
      const key = keyParts(maker, node);
      const role = words.has('get') ? 'get' : words.has('set') ? 'set' : 'method';
      return made(
        maker,
        node,
        kind === 'abstract_method_signature' ? 'TSAbstractMethodDefinition' : 'MethodDefinition',
        {
          ...shared,
          ...key,
          kind: key.key['name'] === 'constructor' && !shared.static ? 'constructor' : role,
          value: methodValue(maker, node),
        },
      );
    }
    case 'public_field_definition':
      return made(maker, node, words.has('abstract') ? 'TSAbstractPropertyDefinition' : 'PropertyDefinition', {
        ...shared,
        ...keyParts(maker, node),
        declare: words.has('declare'),
        decorators: makeAll(
          maker,
          maker.children(node).filter((child) => maker.kind(child) === 'decorator'),
        ),
        typeAnnotation: makeChild(maker, node, 'type'),
        value: makeChild(maker, node, 'value'),
      });
    case 'index_signature':
      return maker.make(node);
    case 'class_static_block':
      return made(maker, node, 'StaticBlock', { body: maker.make(maker.child(node, 'body'))['body'] });
    default:
      return undefined;
  }
}

const member = (maker: Maker, node: number): Made => classMember(maker, node) ?? nothing(maker, node);

function interfaceOf(maker: Maker, node: number): Made {
  const bases = ofKind(maker, node, 'extends_type_clause');
  return made(maker, node, 'TSInterfaceDeclaration', {
    id: named(maker, maker.child(node, 'name')),
    typeParameters: makeChild(maker, node, 'type_parameters'),
    extends: bases === -1 ? [] : maker.children(bases).map((child) => heritageOf(maker, child)),
    body: maker.make(maker.child(node, 'body')),
  });
}

function enumOf(maker: Maker, node: number): Made {
  const body = maker.child(node, 'body');
  const members = maker.children(body).map((child) => {
    const isSet = maker.kind(child) === 'enum_assignment';
    return made(maker, child, 'TSEnumMember', {
      id: isSet ? keyParts(maker, child).key : maker.make(child),
      initializer: isSet ? makeChild(maker, child, 'value') : null,
    });
  });
  return made(maker, node, 'TSEnumDeclaration', {
    id: named(maker, maker.child(node, 'name')),
    body: made(maker, body, 'TSEnumBody', { members }),
  });
}

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
function asDeclaration(node: Made): Made {
  if (node.type === 'ClassExpression') return { ...node, type: 'ClassDeclaration' };
  return node.type === 'FunctionExpression' ? { ...node, type: 'FunctionDeclaration' } : node;
}

function loopOver(maker: Maker, node: number): Made {
  const kind = maker.child(node, 'kind');
  const left = maker.make(maker.child(node, 'left'));
  const declared = { type: 'VariableDeclarator', start: left.start, end: left.end, id: left, init: null };
  const isOf = maker.tree.textOf(maker.child(node, 'operator')) === 'of';
  return made(maker, node, isOf ? 'ForOfStatement' : 'ForInStatement', {
    left:
      kind === -1
        ? left
        : {
            type: 'VariableDeclaration',
            start: left.start,
            end: left.end,
            kind: maker.tree.textOf(kind),
            declarations: [declared],
          },
    right: maker.make(maker.child(node, 'right')),
    body: maker.make(maker.child(node, 'body')),
  });
}

function tryOf(maker: Maker, node: number): Made {
  const handler = maker.child(node, 'handler');
  const finalizer = maker.child(node, 'finalizer');
  return made(maker, node, 'TryStatement', {
    block: maker.make(maker.child(node, 'body')),
    handler:
      handler === -1
        ? null
        : made(maker, handler, 'CatchClause', {
            param: makeChild(maker, handler, 'parameter'),
            body: maker.make(maker.child(handler, 'body')),
          }),
    finalizer: finalizer === -1 ? null : maker.make(maker.child(finalizer, 'body')),
  });
}

function switchOf(maker: Maker, node: number): Made {
  const cases = maker.children(maker.child(node, 'body')).map((child) => {
    const test = maker.child(child, 'value');
    const consequent = maker.children(child).filter((one) => one !== test);
    return made(maker, child, 'SwitchCase', { test: makeIf(maker, test), consequent: makeAll(maker, consequent) });
  });
  return made(maker, node, 'SwitchStatement', { discriminant: maker.make(maker.child(node, 'value')), cases });
}

const withArgument =
  (type: string) =>
  (maker: Maker, node: number): Made =>
    made(maker, node, type, { argument: makeIf(maker, maker.children(node)[0] ?? -1) });
const nothing = (maker: Maker, node: number): Made => made(maker, node, 'EmptyStatement', {});

export const STATEMENT_BUILDERS: Builders = {
  statement_block: (maker, node) => made(maker, node, 'BlockStatement', { body: makeAll(maker, maker.children(node)) }),
  expression_statement(maker, node) {
    const expression = first(maker, node);
    // A declaration that is not closed is taken for an expression.
    return expression['id'] ? asDeclaration(expression) : made(maker, node, 'ExpressionStatement', { expression });
  },
  lexical_declaration: variables,
  variable_declaration: variables,
  variable_declarator: declarator,
  function_declaration: functionDeclaration,
  generator_function_declaration: functionDeclaration,
  function_signature: (maker, node) =>
    made(maker, node, 'TSDeclareFunction', {
      ...signatureParts(maker, node),
      id: namedIf(maker, maker.child(node, 'name')),
      async: maker.words(node).has('async'),
      generator: false,
      body: null,
    }),
  class_declaration: classOf,
  abstract_class_declaration: classOf,
  class: classOf,
  class_body: (maker, node) => made(maker, node, 'ClassBody', { body: membersOf(maker, maker.children(node)) }),
  method_definition: member,
  abstract_method_signature: member,
  public_field_definition: member,
  class_static_block: member,
  class_heritage: nothing,
  extends_clause: nothing,
  implements_clause: nothing,
  extends_type_clause: nothing,
  interface_declaration: interfaceOf,
  interface_body: (maker, node) => made(maker, node, 'TSInterfaceBody', { body: signaturesIn(maker, node) }),
  type_alias_declaration: (maker, node) =>
    made(maker, node, 'TSTypeAliasDeclaration', {
      id: named(maker, maker.child(node, 'name')),
      typeParameters: makeChild(maker, node, 'type_parameters'),
      typeAnnotation: maker.make(maker.child(node, 'value')),
    }),
  enum_declaration: enumOf,
  enum_assignment: nothing,
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
  import_alias(maker, node) {
    const [id, of] = maker.children(node);
    return made(maker, node, 'TSImportEqualsDeclaration', {
      id: named(maker, id ?? node),
      importKind: 'value',
      moduleReference: entity(maker, of ?? node),
    });
  },
  export_statement: exportOf,
  if_statement(maker, node) {
    const other = maker.child(node, 'alternative');
    return made(maker, node, 'IfStatement', {
      test: condition(maker, node),
      consequent: maker.make(maker.child(node, 'consequence')),
      alternate: other === -1 ? null : first(maker, other),
    });
  },
  for_statement: (maker, node) =>
    made(maker, node, 'ForStatement', {
      init: makeChild(maker, node, 'initializer'),
      test: condition(maker, node),
      update: makeChild(maker, node, 'increment'),
      body: maker.make(maker.child(node, 'body')),
    }),
  for_in_statement: loopOver,
  while_statement: (maker, node) =>
    made(maker, node, 'WhileStatement', { test: condition(maker, node), body: maker.make(maker.child(node, 'body')) }),
  do_statement: (maker, node) =>
    made(maker, node, 'DoWhileStatement', {
      test: condition(maker, node),
      body: maker.make(maker.child(node, 'body')),
    }),
  labeled_statement: (maker, node) =>
    made(maker, node, 'LabeledStatement', { body: maker.make(maker.child(node, 'body')) }),
  with_statement: (maker, node) =>
    made(maker, node, 'WithStatement', {
      object: maker.make(maker.child(node, 'object')),
      body: maker.make(maker.child(node, 'body')),
    }),
  try_statement: tryOf,
  switch_statement: switchOf,
  return_statement: withArgument('ReturnStatement'),
  throw_statement: withArgument('ThrowStatement'),
  break_statement: (maker, node) => made(maker, node, 'BreakStatement', {}),
  continue_statement: (maker, node) => made(maker, node, 'ContinueStatement', {}),
  empty_statement: nothing,
  hash_bang_line: nothing,
  accessibility_modifier: nothing,
  computed_property_name: first,
};
