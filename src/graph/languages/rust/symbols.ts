import type { Grammar } from '../../parse/tree-sitter.ts';

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
    structMade: symbol('struct_expression'),
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

export function expressionSymbols({ symbol }: Grammar) {
  return {
    identifier: symbol('identifier'),
    self: symbol('self'),
    scoped: symbol('scoped_identifier'),
    scopedType: symbol('scoped_type_identifier'),
    fieldAccess: symbol('field_expression'),
    call: symbol('call_expression'),
    generic: symbol('generic_function'),
    struct: symbol('struct_expression'),
    try: symbol('try_expression'),
    await: symbol('await_expression'),
    reference: symbol('reference_expression'),
    parenthesized: symbol('parenthesized_expression'),
    asyncBlock: symbol('async_block'),
    unsafeBlock: symbol('unsafe_block'),
    unary: symbol('unary_expression'),
    index: symbol('index_expression'),
    cast: symbol('type_cast_expression'),
    block: symbol('block'),
    if: symbol('if_expression'),
    else: symbol('else_clause'),
    match: symbol('match_expression'),
    arm: symbol('match_arm'),
    closure: symbol('closure_expression'),
    tuple: symbol('tuple_expression'),
    array: symbol('array_expression'),
    macro: symbol('macro_invocation'),
    string: symbol('string_literal'),
    rawString: symbol('raw_string_literal'),
    integer: symbol('integer_literal'),
    float: symbol('float_literal'),
    boolean: symbol('boolean_literal'),
    char: symbol('char_literal'),
    bracketed: symbol('bracketed_type'),
    qualified: symbol('qualified_type'),
    typeName: symbol('type_identifier'),
    primitive: symbol('primitive_type'),
    genericType: symbol('generic_type'),
    genericTurbofish: symbol('generic_type_with_turbofish'),
    referenceType: symbol('reference_type'),
    pointer: symbol('pointer_type'),
    dynamic: symbol('dynamic_type'),
    abstract: symbol('abstract_type'),
    higherRanked: symbol('higher_ranked_trait_bound'),
    bounded: symbol('bounded_type'),
    tupleType: symbol('tuple_type'),
    unit: symbol('unit_type'),
    arrayType: symbol('array_type'),
    functionType: symbol('function_type'),
    lifetime: symbol('lifetime'),
    typeBinding: symbol('type_binding'),
    typeParameter: symbol('type_parameter'),
    where: symbol('where_clause'),
    parameter: symbol('parameter'),
    selfParameter: symbol('self_parameter'),
    variadic: symbol('variadic_parameter'),
    arguments: symbol('arguments'),
    attribute: symbol('attribute_item'),
    lineComment: symbol('line_comment'),
    blockComment: symbol('block_comment'),
  };
}

export function expressionFields({ field }: Grammar) {
  return {
    name: field('name'),
    path: field('path'),
    type: field('type'),
    value: field('value'),
    field: field('field'),
    function: field('function'),
    arguments: field('arguments'),
    typeArguments: field('type_arguments'),
    typeParameters: field('type_parameters'),
    parameters: field('parameters'),
    returnType: field('return_type'),
    body: field('body'),
    consequence: field('consequence'),
    alternative: field('alternative'),
    pattern: field('pattern'),
    macro: field('macro'),
    trait: field('trait'),
    element: field('element'),
    bounds: field('bounds'),
    left: field('left'),
  };
}
