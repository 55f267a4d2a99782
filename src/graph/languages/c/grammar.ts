import type { Grammar } from '../../parse/tree-sitter.ts';

/** What the two grammars call things; what C does not have is -2, which no node is. */
export type CSymbols = Readonly<Record<(typeof TYPES)[number], number>>;
export type CFields = Readonly<Record<(typeof FIELDS)[number], number>>;

const TYPES = [
  'identifier',
  'field_identifier',
  'type_identifier',
  'namespace_identifier',
  'nested_namespace_specifier',
  'primitive_type',
  'sized_type_specifier',
  'qualified_identifier',
  'destructor_name',
  'operator_name',
  'operator_cast',
  'template_function',
  'template_method',
  'template_type',
  'dependent_name',
  'placeholder_type_specifier',
  'type_descriptor',
  'struct_specifier',
  'union_specifier',
  'class_specifier',
  'enum_specifier',
  'enumerator',
  'function_definition',
  'function_declarator',
  'pointer_declarator',
  'reference_declarator',
  'array_declarator',
  'parenthesized_declarator',
  'attributed_declarator',
  'init_declarator',
  'structured_binding_declarator',
  'declaration',
  'field_declaration',
  'parameter_declaration',
  'optional_parameter_declaration',
  'variadic_parameter_declaration',
  'type_definition',
  'alias_declaration',
  'concept_definition',
  'namespace_definition',
  'namespace_alias_definition',
  'template_declaration',
  'template_argument_list',
  'type_parameter_declaration',
  'optional_type_parameter_declaration',
  'friend_declaration',
  'access_specifier',
  'base_class_clause',
  'storage_class_specifier',
  'type_qualifier',
  'preproc_include',
  'preproc_function_def',
  'call_expression',
  'new_expression',
  'field_expression',
  'subscript_expression',
  'pointer_expression',
  'parenthesized_expression',
  'cast_expression',
  'conditional_expression',
  'compound_literal_expression',
  'lambda_expression',
  'this',
  'argument_list',
  'initializer_list',
  'for_range_loop',
  'catch_clause',
  'condition_clause',
  'using_declaration',
  'attribute_specifier',
  'comment',
] as const;

const FIELDS = [
  'name',
  'type',
  'declarator',
  'parameters',
  'body',
  'value',
  'path',
  'scope',
  'function',
  'arguments',
  'argument',
  'field',
  'left',
  'right',
  'consequence',
  'alternative',
  'default_value',
  'default_type',
] as const;

export function symbolsOf(grammar: Grammar): CSymbols {
  return Object.fromEntries(TYPES.map((type) => [type, known(() => grammar.symbol(type))])) as CSymbols;
}

export function fieldsOf(grammar: Grammar): CFields {
  return Object.fromEntries(FIELDS.map((name) => [name, known(() => grammar.field(name))])) as CFields;
}

function known(ask: () => number): number {
  try {
    return ask();
  } catch {
    return -2;
  }
}
