import type { Grammar } from '../../parse/tree-sitter.ts';

export const ROLE = {
  comment: 1,
  package: 2,
  import: 3,
  class: 4,
  method: 5,
  constructor: 6,
  field: 7,
  constant: 8,
  element: 9,
  scope: 10,
  local: 11,
  for: 12,
  resource: 13,
  catch: 14,
  lambda: 15,
  pattern: 16,
  component: 17,
  call: 18,
  construct: 19,
  creation: 20,
  reference: 21,
  annotation: 22,
  typeName: 23,
  access: 24,
  name: 25,
  typePattern: 26,
} as const;

/** What to do at each kind of node, by its number. */
export function rolesOf({ symbol }: Grammar): Uint8Array {
  const roles = new Uint8Array(0x10000);
  const set = (role: number, ...types: string[]): void => {
    for (const type of types) roles[symbol(type)] = role;
  };
  set(ROLE.comment, 'line_comment', 'block_comment');
  set(ROLE.package, 'package_declaration');
  set(ROLE.import, 'import_declaration');
  set(ROLE.class, 'class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration');
  set(ROLE.class, 'annotation_type_declaration');
  set(ROLE.method, 'method_declaration');
  set(ROLE.constructor, 'constructor_declaration', 'compact_constructor_declaration');
  set(ROLE.field, 'field_declaration', 'constant_declaration');
  set(ROLE.constant, 'enum_constant');
  set(ROLE.element, 'annotation_type_element_declaration');
  set(ROLE.scope, 'block', 'constructor_body', 'for_statement', 'switch_rule', 'switch_block_statement_group');
  set(ROLE.scope, 'try_with_resources_statement', 'static_initializer');
  set(ROLE.local, 'local_variable_declaration');
  set(ROLE.for, 'enhanced_for_statement');
  set(ROLE.resource, 'resource');
  set(ROLE.catch, 'catch_clause');
  set(ROLE.lambda, 'lambda_expression');
  set(ROLE.pattern, 'instanceof_expression');
  set(ROLE.typePattern, 'type_pattern');
  set(ROLE.component, 'record_pattern_component');
  set(ROLE.call, 'method_invocation');
  set(ROLE.construct, 'explicit_constructor_invocation');
  set(ROLE.creation, 'object_creation_expression');
  set(ROLE.reference, 'method_reference');
  set(ROLE.annotation, 'annotation', 'marker_annotation');
  set(ROLE.typeName, 'type_identifier');
  set(ROLE.access, 'field_access');
  set(ROLE.name, 'identifier');
  return roles;
}

export function symbolsOf({ symbol }: Grammar) {
  return {
    modifiers: symbol('modifiers'),
    annotation: symbol('annotation'),
    marker: symbol('marker_annotation'),
    asterisk: symbol('asterisk'),
    identifier: symbol('identifier'),
    scoped: symbol('scoped_identifier'),
    class: symbol('class_declaration'),
    interface: symbol('interface_declaration'),
    enum: symbol('enum_declaration'),
    record: symbol('record_declaration'),
    annotationType: symbol('annotation_type_declaration'),
    extends: symbol('extends_interfaces'),
    typeList: symbol('type_list'),
    classBody: symbol('class_body'),
    enumBody: symbol('enum_body'),
    declarator: symbol('variable_declarator'),
    constantDeclaration: symbol('constant_declaration'),
    parameter: symbol('formal_parameter'),
    spread: symbol('spread_parameter'),
    compact: symbol('compact_constructor_declaration'),
    formal: symbol('formal_parameters'),
    catchParameter: symbol('catch_formal_parameter'),
    catchType: symbol('catch_type'),
    super: symbol('super'),
    this: symbol('this'),
    generic: symbol('generic_type'),
    scopedType: symbol('scoped_type_identifier'),
    typeName: symbol('type_identifier'),
    typeParameter: symbol('type_parameter'),
    creation: symbol('object_creation_expression'),
    arguments: symbol('argument_list'),
    return: symbol('return_statement'),
    assignment: symbol('assignment_expression'),
    interfaceBody: symbol('interface_body'),
    annotationBody: symbol('annotation_type_body'),
    comment: symbol('line_comment'),
    blockComment: symbol('block_comment'),
    methodReference: symbol('method_reference'),
    call: symbol('method_invocation'),
  };
}

export function fieldsOf({ field }: Grammar) {
  return {
    name: field('name'),
    body: field('body'),
    type: field('type'),
    value: field('value'),
    right: field('right'),
    left: field('left'),
    object: field('object'),
    field: field('field'),
    parameters: field('parameters'),
    typeParameters: field('type_parameters'),
    superclass: field('superclass'),
    interfaces: field('interfaces'),
    arguments: field('arguments'),
    constructor: field('constructor'),
    declarator: field('declarator'),
    dimensions: field('dimensions'),
    key: field('key'),
  };
}

export function expressionSymbols({ symbol }: Grammar) {
  return {
    identifier: symbol('identifier'),
    typeName: symbol('type_identifier'),
    this: symbol('this'),
    super: symbol('super'),
    fieldAccess: symbol('field_access'),
    call: symbol('method_invocation'),
    creation: symbol('object_creation_expression'),
    parenthesized: symbol('parenthesized_expression'),
    cast: symbol('cast_expression'),
    arrayAccess: symbol('array_access'),
    arrayCreation: symbol('array_creation_expression'),
    classLiteral: symbol('class_literal'),
    ternary: symbol('ternary_expression'),
    assignment: symbol('assignment_expression'),
    lambda: symbol('lambda_expression'),
    methodReference: symbol('method_reference'),
    string: symbol('string_literal'),
    integer: symbol('decimal_integer_literal'),
    decimal: symbol('decimal_floating_point_literal'),
    true: symbol('true'),
    false: symbol('false'),
    instanceof: symbol('instanceof_expression'),
    binary: symbol('binary_expression'),
    generic: symbol('generic_type'),
    typeArguments: symbol('type_arguments'),
    lineComment: symbol('line_comment'),
    blockComment: symbol('block_comment'),
    block: symbol('block'),
    return: symbol('return_statement'),
    formal: symbol('formal_parameters'),
    arguments: symbol('argument_list'),
    declarator: symbol('variable_declarator'),
    method: symbol('method_declaration'),
    integral: symbol('integral_type'),
    floating: symbol('floating_point_type'),
    boolean: symbol('boolean_type'),
    void: symbol('void_type'),
    scopedType: symbol('scoped_type_identifier'),
    scoped: symbol('scoped_identifier'),
    array: symbol('array_type'),
    annotated: symbol('annotated_type'),
    wildcard: symbol('wildcard'),
    catchType: symbol('catch_type'),
    parameter: symbol('formal_parameter'),
    spread: symbol('spread_parameter'),
    bound: symbol('type_bound'),
  };
}

export function expressionFields({ field }: Grammar) {
  return {
    name: field('name'),
    type: field('type'),
    object: field('object'),
    field: field('field'),
    array: field('array'),
    consequence: field('consequence'),
    alternative: field('alternative'),
    right: field('right'),
    arguments: field('arguments'),
    typeArguments: field('type_arguments'),
    parameters: field('parameters'),
    body: field('body'),
    element: field('element'),
  };
}
