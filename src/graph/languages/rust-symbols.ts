import type { Grammar } from '../parse/tree-sitter.ts';

export const ROLE = {
  comment: 1,
  attribute: 2,
  use: 3,
  module: 4,
  crate: 5,
  function: 6,
  type: 7,
  trait: 8,
  impl: 9,
  alias: 10,
  constant: 11,
  static: 12,
  macro: 13,
  scope: 14,
  arm: 15,
  for: 16,
  let: 17,
  condition: 18,
  closure: 19,
  call: 20,
  struct: 21,
  macroCall: 22,
  tokens: 23,
  typeName: 24,
  name: 25,
  path: 26,
} as const;

/** What to do at each kind of node, by its number. */
export function rolesOf({ symbol }: Grammar): Uint8Array {
  const roles = new Uint8Array(0x10000);
  const set = (role: number, ...types: string[]): void => {
    for (const type of types) roles[symbol(type)] = role;
  };
  set(ROLE.comment, 'line_comment', 'block_comment');
  set(ROLE.attribute, 'attribute_item', 'inner_attribute_item');
  set(ROLE.use, 'use_declaration');
  set(ROLE.module, 'mod_item');
  set(ROLE.crate, 'extern_crate_declaration');
  set(ROLE.function, 'function_item', 'function_signature_item');
  set(ROLE.type, 'struct_item', 'enum_item', 'union_item');
  set(ROLE.trait, 'trait_item');
  set(ROLE.impl, 'impl_item');
  set(ROLE.alias, 'type_item', 'associated_type');
  set(ROLE.constant, 'const_item');
  set(ROLE.static, 'static_item');
  set(ROLE.macro, 'macro_definition');
  set(ROLE.scope, 'block', 'if_expression', 'while_expression');
  set(ROLE.arm, 'match_arm');
  set(ROLE.for, 'for_expression');
  set(ROLE.let, 'let_declaration');
  set(ROLE.condition, 'let_condition');
  set(ROLE.closure, 'closure_expression');
  set(ROLE.call, 'call_expression');
  set(ROLE.struct, 'struct_expression');
  set(ROLE.macroCall, 'macro_invocation');
  set(ROLE.tokens, 'token_tree');
  set(ROLE.typeName, 'type_identifier');
  set(ROLE.name, 'identifier');
  set(ROLE.path, 'scoped_identifier');
  return roles;
}

export function symbolsOf({ symbol }: Grammar) {
  return {
    lineComment: symbol('line_comment'),
    blockComment: symbol('block_comment'),
    attribute: symbol('attribute_item'),
    attributeInner: symbol('attribute'),
    visibility: symbol('visibility_modifier'),
    selfParameter: symbol('self_parameter'),
    signature: symbol('function_signature_item'),
    modifiers: symbol('function_modifiers'),
    parameter: symbol('parameter'),
    enum: symbol('enum_item'),
    field: symbol('field_declaration'),
    variant: symbol('enum_variant'),
    ordered: symbol('ordered_field_declaration_list'),
    lifetime: symbol('lifetime'),
    identifier: symbol('identifier'),
    self: symbol('self'),
    mutPattern: symbol('mut_pattern'),
    refPattern: symbol('ref_pattern'),
    referencePattern: symbol('reference_pattern'),
    mutable: symbol('mutable_specifier'),
    captured: symbol('captured_pattern'),
    or: symbol('or_pattern'),
    matchPattern: symbol('match_pattern'),
    tuplePattern: symbol('tuple_pattern'),
    slicePattern: symbol('slice_pattern'),
    tupleStructPattern: symbol('tuple_struct_pattern'),
    structPattern: symbol('struct_pattern'),
    fieldPattern: symbol('field_pattern'),
    genericFunction: symbol('generic_function'),
    scoped: symbol('scoped_identifier'),
    scopedType: symbol('scoped_type_identifier'),
    struct_: symbol('struct_expression'),
    fieldAccess: symbol('field_expression'),
    turbofish: symbol('generic_type_with_turbofish'),
    typeName: symbol('type_identifier'),
    tokens: symbol('token_tree'),
    label: symbol('label'),
    match: symbol('match_expression'),
    patterns: new Set(
      [
        'mut_pattern',
        'ref_pattern',
        'reference_pattern',
        'captured_pattern',
        'or_pattern',
        'match_pattern',
        'tuple_pattern',
        'slice_pattern',
        'tuple_struct_pattern',
        'field_pattern',
        'closure_parameters',
        'lifetime',
        'attribute',
        'visibility_modifier',
      ].map((type) => symbol(type)),
    ),
    useParts: new Set(
      ['use_list', 'scoped_use_list', 'use_wildcard', 'use_as_clause', 'use_declaration'].map((type) => symbol(type)),
    ),
  };
}

export function fieldsOf({ field }: Grammar) {
  return {
    name: field('name'),
    body: field('body'),
    type: field('type'),
    trait: field('trait'),
    value: field('value'),
    bounds: field('bounds'),
    path: field('path'),
    alias: field('alias'),
    macro: field('macro'),
    field: field('field'),
    pattern: field('pattern'),
    function: field('function'),
    argument: field('argument'),
    arguments: field('arguments'),
    parameters: field('parameters'),
    returnType: field('return_type'),
  };
}
