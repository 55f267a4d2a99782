import { first, made, makeAll, makeChild, makeIf, named, ofKind } from './tree.ts';
import type { Builders, Made, Maker } from './tree.ts';

const KEYWORDS: Readonly<Partial<Record<string, string>>> = {
  any: 'TSAnyKeyword',
  unknown: 'TSUnknownKeyword',
  string: 'TSStringKeyword',
  number: 'TSNumberKeyword',
  boolean: 'TSBooleanKeyword',
  bigint: 'TSBigIntKeyword',
  symbol: 'TSSymbolKeyword',
  object: 'TSObjectKeyword',
  never: 'TSNeverKeyword',
  void: 'TSVoidKeyword',
  null: 'TSNullKeyword',
  undefined: 'TSUndefinedKeyword',
};

const annotation = (maker: Maker, node: number): Made => {
  const module = importType(maker, maker.children(node)[0] ?? -1);
  return made(maker, node, 'TSTypeAnnotation', { typeAnnotation: module ?? first(maker, node) });
};
const list =
  (type: string, part: string) =>
  (maker: Maker, node: number): Made =>
    made(maker, node, type, { [part]: makeAll(maker, maker.children(node)) });
const around =
  (type: string, part: string) =>
  (maker: Maker, node: number): Made =>
    made(maker, node, type, { [part]: first(maker, node) });

/** `A | B | C` is nested in the grammar. */
const chain =
  (type: string) =>
  (maker: Maker, node: number): Made => {
    const types = maker.children(node).flatMap((child) => {
      const one = maker.make(child);
      return maker.kind(child) === maker.kind(node) ? (one['types'] as Made[]) : [one];
    });
    return made(maker, node, type, { types });
  };

/** Parameters and results, of types and of functions alike. */
export function signatureParts(maker: Maker, node: number): Readonly<Record<string, unknown>> {
  const parameters = maker.child(node, 'parameters');
  const result = ['return_type', 'type'].map((field) => maker.child(node, field)).find((child) => child !== -1) ?? -1;
  return {
    typeParameters: makeChild(maker, node, 'type_parameters'),
    params: parameters === -1 ? [] : makeAll(maker, maker.children(parameters)),
    returnType: makeIf(maker, result),
  };
}

/** The name of a member, and whether it is computed. */
export function keyParts(maker: Maker, node: number): { key: Made; computed: boolean } {
  const name = maker.child(node, 'name');
  const at = name === -1 ? maker.child(node, 'key') : name;
  const computed = maker.kind(at) === 'computed_property_name';
  return { key: computed ? first(maker, at) : maker.make(at), computed };
}

function reference(maker: Maker, node: number): Made {
  if (maker.tree.textOf(node) === 'bigint') return made(maker, node, 'TSBigIntKeyword', {});
  const args = maker.child(node, 'type_arguments');
  const name = maker.child(node, 'name');
  return made(maker, node, 'TSTypeReference', {
    typeName: entity(maker, name === -1 || maker.kind(node) !== 'generic_type' ? node : name),
    typeArguments: makeIf(maker, args),
  });
}

/** A name with dots. */
export function entity(maker: Maker, node: number): Made {
  const kind = maker.kind(node);
  const left = { nested_type_identifier: 'module', nested_identifier: 'object', member_expression: 'object' }[kind];
  if (left === undefined) return kind === 'this' ? maker.make(node) : named(maker, node);
  const right = maker.child(node, kind === 'nested_type_identifier' ? 'name' : 'property');
  return made(maker, node, 'TSQualifiedName', {
    left: entity(maker, maker.child(node, left)),
    right: named(maker, right),
  });
}

function query(maker: Maker, node: number): Made {
  const of = maker.children(node)[0] ?? -1;
  const module = of === -1 ? null : importType(maker, of);
  const exprName = module ?? entity(maker, of);
  return made(maker, node, 'TSTypeQuery', { exprName, typeArguments: null });
}

/** `import('x')` and `import('x').A`, which the grammar takes for a call. */
function importType(maker: Maker, node: number): Made | null {
  if (node === -1) return null;
  const kind = maker.kind(node);
  if (kind === 'member_expression') {
    const inner = importType(maker, maker.child(node, 'object'));
    const right = named(maker, maker.child(node, 'property'));
    if (!inner) return null;
    const qualifier = inner['qualifier']
      ? { type: 'TSQualifiedName', start: inner.start, end: right.end, left: inner['qualifier'], right }
      : right;
    return { ...inner, qualifier };
  }
  const called = maker.child(node, 'function');
  if (kind !== 'call_expression' || maker.tree.textOf(called) !== 'import') return null;
  const args = maker.child(node, 'arguments');
  const source = first(maker, args);
  if (source.type !== 'Literal') return null;
  return made(maker, node, 'TSImportType', { source, qualifier: null, typeArguments: null });
}

function member(type: string) {
  return (maker: Maker, node: number): Made => {
    const words = maker.words(node);
    const kind = words.has('get') ? 'get' : words.has('set') ? 'set' : 'method';
    const parts = type === 'TSMethodSignature' ? { ...signatureParts(maker, node), kind } : {};
    return made(maker, node, type, {
      ...keyParts(maker, node),
      ...parts,
      optional: words.has('?'),
      typeAnnotation: makeChild(maker, node, 'type'),
    });
  };
}

function index(maker: Maker, node: number): Made {
  const clause = ofKind(maker, node, 'mapped_type_clause');
  const typeAnnotation = makeChild(maker, node, 'type') ?? { type: 'TSAnyKeyword', start: 0, end: 0 };
  if (clause === -1) return made(maker, node, 'TSIndexSignature', { parameters: [], typeAnnotation });
  return made(maker, node, 'TSMappedType', {
    key: named(maker, maker.child(clause, 'name')),
    constraint: makeChild(maker, clause, 'type'),
    nameType: makeChild(maker, clause, 'alias'),
    typeAnnotation,
  });
}

/** One with a name looks like a parameter. */
function tuplePart(maker: Maker, node: number): Made {
  const type = maker.kind(node).endsWith('_parameter') ? maker.child(node, 'type') : -1;
  if (type === -1) return maker.make(node);
  return made(maker, node, 'TSNamedTupleMember', { elementType: first(maker, type) });
}

function literalOf(maker: Maker, node: number): Made {
  const literal = first(maker, node);
  const keyword = KEYWORDS[maker.tree.textOf(node)];
  return keyword ? made(maker, node, keyword, {}) : made(maker, node, 'TSLiteralType', { literal });
}

function objectType(maker: Maker, node: number): Made {
  const mapped = makeAll(maker, maker.children(node)).find(({ type }) => type === 'TSMappedType');
  return mapped ?? made(maker, node, 'TSTypeLiteral', { members: signaturesIn(maker, node) });
}

const SIGNATURES = /^TS(?:Property|Method|Call|Construct|Index)Signature/;

/** Members of an interface or literal type; in damaged code there may be anything between them. */
export function signaturesIn(maker: Maker, node: number): Made[] {
  return makeAll(maker, maker.children(node)).filter(({ type }) => SIGNATURES.test(type));
}

export const TYPES: Builders = {
  type_annotation: annotation,
  type_predicate_annotation: annotation,
  asserts_annotation: annotation,
  adding_type_annotation: annotation,
  omitting_type_annotation: annotation,
  opting_type_annotation: annotation,
  asserts: (maker, node) => made(maker, node, 'TSTypePredicate', { typeAnnotation: null }),
  type_predicate: (maker, node) =>
    made(maker, node, 'TSTypePredicate', { typeAnnotation: makeChild(maker, node, 'type') }),
  type_identifier: reference,
  nested_type_identifier: reference,
  generic_type: reference,
  type_arguments: list('TSTypeParameterInstantiation', 'params'),
  type_parameters: list('TSTypeParameterDeclaration', 'params'),
  type_parameter: (maker, node) =>
    made(maker, node, 'TSTypeParameter', {
      name: named(maker, maker.child(node, 'name')),
      constraint: makeChild(maker, node, 'constraint'),
      default: makeChild(maker, node, 'value'),
    }),
  constraint: first,
  default_type: first,
  predefined_type: (maker, node) => made(maker, node, KEYWORDS[maker.tree.textOf(node)] ?? 'TSAnyKeyword', {}),
  array_type: around('TSArrayType', 'elementType'),
  union_type: chain('TSUnionType'),
  intersection_type: chain('TSIntersectionType'),
  tuple_type: (maker, node) =>
    made(maker, node, 'TSTupleType', { elementTypes: maker.children(node).map((child) => tuplePart(maker, child)) }),
  optional_type: around('TSOptionalType', 'typeAnnotation'),
  rest_type: around('TSRestType', 'typeAnnotation'),
  parenthesized_type: first,
  readonly_type: (maker, node) =>
    made(maker, node, 'TSTypeOperator', { operator: 'readonly', typeAnnotation: first(maker, node) }),
  index_type_query: (maker, node) =>
    made(maker, node, 'TSTypeOperator', { operator: 'keyof', typeAnnotation: first(maker, node) }),
  lookup_type(maker, node) {
    const [objectType_, indexType] = maker.children(node);
    return made(maker, node, 'TSIndexedAccessType', {
      objectType: maker.make(objectType_ ?? -1),
      indexType: maker.make(indexType ?? -1),
    });
  },
  conditional_type: (maker, node) =>
    made(maker, node, 'TSConditionalType', {
      checkType: makeChild(maker, node, 'left'),
      extendsType: makeChild(maker, node, 'right'),
      trueType: makeChild(maker, node, 'consequence'),
      falseType: makeChild(maker, node, 'alternative'),
    }),
  infer_type: (maker, node) => made(maker, node, 'TSInferType', {}),
  this_type: (maker, node) => made(maker, node, 'TSThisType', {}),
  type_query: query,
  literal_type: literalOf,
  template_literal_type: (maker, node) =>
    made(maker, node, 'TSTemplateLiteralType', { quasis: [], types: makeAll(maker, maker.children(node)) }),
  template_type: first,
  string_fragment: (maker, node) => made(maker, node, 'Literal', { value: '' }),
  function_type: (maker, node) => made(maker, node, 'TSFunctionType', signatureParts(maker, node)),
  constructor_type: (maker, node) => made(maker, node, 'TSConstructorType', signatureParts(maker, node)),
  object_type: objectType,
  property_signature: member('TSPropertySignature'),
  method_signature: member('TSMethodSignature'),
  call_signature: (maker, node) => made(maker, node, 'TSCallSignatureDeclaration', signatureParts(maker, node)),
  construct_signature: (maker, node) =>
    made(maker, node, 'TSConstructSignatureDeclaration', signatureParts(maker, node)),
  index_signature: index,
  mapped_type_clause: first,
};
