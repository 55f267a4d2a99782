import { first, made, makeAll, makeChild, makeIf, named, namedIf } from './tree.ts';
import type { Builders, Made, Maker } from './tree.ts';
import { CLASSES } from './tree-classes.ts';
import { functionParts } from './tree-expressions.ts';
import { asDeclaration, MODULES } from './tree-modules.ts';
import { keyParts, signatureParts } from './tree-types.ts';

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
  ...CLASSES,
  ...MODULES,
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
  type_alias_declaration: (maker, node) =>
    made(maker, node, 'TSTypeAliasDeclaration', {
      id: named(maker, maker.child(node, 'name')),
      typeParameters: makeChild(maker, node, 'type_parameters'),
      typeAnnotation: maker.make(maker.child(node, 'value')),
    }),
  enum_declaration: enumOf,
  enum_assignment: nothing,
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
  computed_property_name: first,
};
