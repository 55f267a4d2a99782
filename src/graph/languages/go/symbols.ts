import type { Grammar } from '../../parse/tree-sitter.ts';

export const ROLE = {
  comment: 1,
  package: 2,
  import: 3,
  function: 4,
  method: 5,
  type: 6,
  constants: 7,
  constant: 8,
  variable: 9,
  short: 10,
  receive: 11,
  range: 12,
  literal: 13,
  scope: 14,
  typeCase: 15,
  call: 16,
  conversion: 17,
  composite: 18,
  typeName: 19,
  qualified: 20,
  name: 21,
  member: 22,
} as const;

/** What to do at each kind of node, by its number. */
export function rolesOf({ symbol }: Grammar): Uint8Array {
  const roles = new Uint8Array(0x10000);
  const set = (role: number, ...types: string[]): void => {
    for (const type of types) roles[symbol(type)] = role;
  };
  set(ROLE.comment, 'comment');
  set(ROLE.package, 'package_clause');
  set(ROLE.import, 'import_spec');
  set(ROLE.function, 'function_declaration');
  set(ROLE.method, 'method_declaration');
  set(ROLE.type, 'type_spec', 'type_alias');
  set(ROLE.constants, 'const_declaration');
  set(ROLE.constant, 'const_spec');
  set(ROLE.variable, 'var_spec');
  set(ROLE.short, 'short_var_declaration');
  set(ROLE.receive, 'receive_statement');
  set(ROLE.range, 'range_clause');
  set(ROLE.literal, 'func_literal');
  set(ROLE.scope, 'block', 'if_statement', 'for_statement', 'expression_switch_statement', 'type_switch_statement');
  set(ROLE.scope, 'communication_case', 'expression_case');
  set(ROLE.typeCase, 'type_case', 'default_case');
  set(ROLE.call, 'call_expression');
  set(ROLE.conversion, 'type_conversion_expression');
  set(ROLE.composite, 'composite_literal');
  set(ROLE.typeName, 'type_identifier');
  set(ROLE.qualified, 'qualified_type');
  set(ROLE.name, 'identifier');
  set(ROLE.member, 'selector_expression');
  return roles;
}

export function symbolsOf({ symbol }: Grammar) {
  return {
    comment: symbol('comment'),
    parameters: symbol('parameter_list'),
    variadic: symbol('variadic_parameter_declaration'),
    struct: symbol('struct_type'),
    interface: symbol('interface_type'),
    fields: symbol('field_declaration_list'),
    field: symbol('field_declaration'),
    methodElement: symbol('method_elem'),
    typeElement: symbol('type_elem'),
    negated: symbol('negated_type'),
    typeDeclaration: symbol('type_declaration'),
    type: symbol('type_spec'),
    alias: symbol('type_alias'),
    typeName: symbol('type_identifier'),
    qualified: symbol('qualified_type'),
    generic: symbol('generic_type'),
    expressions: symbol('expression_list'),
    index: symbol('index_expression'),
    assertion: symbol('type_assertion_expression'),
    unary: symbol('unary_expression'),
    function: symbol('func_literal'),
    identifier: symbol('identifier'),
    typeSwitch: symbol('type_switch_statement'),
    parenthesized: symbol('parenthesized_expression'),
    selector: symbol('selector_expression'),
    variadicArgument: symbol('variadic_argument'),
    composite: symbol('composite_literal'),
    conversion: symbol('type_conversion_expression'),
    block: symbol('block'),
    element: symbol('literal_element'),
    assignment: symbol('assignment_statement'),
    arguments: symbol('argument_list'),
  };
}

export function fieldsOf({ field }: Grammar) {
  return {
    name: field('name'),
    path: field('path'),
    type: field('type'),
    value: field('value'),
    left: field('left'),
    right: field('right'),
    alias: field('alias'),
    body: field('body'),
    parameters: field('parameters'),
    typeParameters: field('type_parameters'),
    result: field('result'),
    receiver: field('receiver'),
    function: field('function'),
    arguments: field('arguments'),
    operand: field('operand'),
    field: field('field'),
    package: field('package'),
    key: field('key'),
  };
}

export function expressionSymbols({ symbol }: Grammar) {
  return {
    identifier: symbol('identifier'),
    selector: symbol('selector_expression'),
    call: symbol('call_expression'),
    index: symbol('index_expression'),
    slice: symbol('slice_expression'),
    composite: symbol('composite_literal'),
    assertion: symbol('type_assertion_expression'),
    conversion: symbol('type_conversion_expression'),
    parenthesized: symbol('parenthesized_expression'),
    unary: symbol('unary_expression'),
    binary: symbol('binary_expression'),
    function: symbol('func_literal'),
    string: symbol('interpreted_string_literal'),
    rawString: symbol('raw_string_literal'),
    int: symbol('int_literal'),
    float: symbol('float_literal'),
    true: symbol('true'),
    false: symbol('false'),
    typeName: symbol('type_identifier'),
    qualified: symbol('qualified_type'),
    pointer: symbol('pointer_type'),
    parenthesizedType: symbol('parenthesized_type'),
    typeElement: symbol('type_elem'),
    constraint: symbol('type_constraint'),
    negated: symbol('negated_type'),
    generic: symbol('generic_type'),
    sliceType: symbol('slice_type'),
    arrayType: symbol('array_type'),
    implicitArray: symbol('implicit_length_array_type'),
    map: symbol('map_type'),
    channel: symbol('channel_type'),
    functionType: symbol('function_type'),
    struct: symbol('struct_type'),
    interface: symbol('interface_type'),
    fieldDeclaration: symbol('field_declaration'),
    method: symbol('method_elem'),
    variadic: symbol('variadic_parameter_declaration'),
    parameter: symbol('parameter_declaration'),
    parameters: symbol('parameter_list'),
    typeParameter: symbol('type_parameter_declaration'),
  };
}

export function expressionFields({ field }: Grammar) {
  return {
    name: field('name'),
    type: field('type'),
    operand: field('operand'),
    field: field('field'),
    function: field('function'),
    arguments: field('arguments'),
    typeArguments: field('type_arguments'),
    operator: field('operator'),
    left: field('left'),
    right: field('right'),
    parameters: field('parameters'),
    result: field('result'),
    index: field('index'),
    package: field('package'),
    element: field('element'),
    key: field('key'),
    value: field('value'),
  };
}
