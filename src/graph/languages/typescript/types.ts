import type { Node, TSSignature, TSTypeParameterDeclaration } from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';
import * as make from './make.ts';
import type { Heights } from './make.ts';

/** While it is being put together. */
export type Open<T> = { -readonly [K in keyof T]: T[K] };

/** The nodes that may have this type: some stand for several. */
export type NodeOf<K, N = Node> = N extends { readonly type: infer T } ? (K extends T ? N : never) : never;

/** Members that the language calls, by names that no code can give. */
export const CALL_MEMBER = '()';
export const NEW_MEMBER = 'new';
export const INDEX_MEMBER = '[]';
/** What a function that tests a value says of it: `x is Foo`. */
export const GUARD_MEMBER = '@is';
/** What `this` is in the methods of a literal object where that is declared: `ThisType<Foo>`. */
export const THIS_MEMBER = '@this';

const KEYWORDS: Readonly<Partial<Record<Node['type'], Expression>>> = {
  TSStringKeyword: make.STRING,
  TSNumberKeyword: make.NUMBER,
  TSBooleanKeyword: make.BOOLEAN,
  TSBigIntKeyword: make.BIGINT,
  TSNullKeyword: make.NULL,
  TSUndefinedKeyword: make.UNDEFINED,
  TSVoidKeyword: make.UNDEFINED,
  TSSymbolKeyword: { is: 'literal', type: 'symbol' },
  TSObjectKeyword: { is: 'literal', type: 'object' },
  TSNeverKeyword: { is: 'literal', type: 'never' },
  TSTemplateLiteralType: make.STRING,
};

/** What a module is called here that is imported without a name of its own. */
export function importName(module: string): string {
  return `import('${module}')`;
}

const through = (heights: Heights, node: { readonly typeAnnotation: Node }): Expression =>
  typeOf(heights, node.typeAnnotation);

function applied(heights: Heights, of: Expression, args: { readonly params: readonly Node[] } | null): Expression {
  return args ? make.apply(heights, of, typesOf(heights, args.params)) : of;
}

const TYPES: { readonly [K in Node['type']]?: (heights: Heights, node: NodeOf<K>) => Expression } = {
  TSTypeReference: (heights, node) => applied(heights, entityOf(heights, node.typeName), node.typeArguments),
  TSArrayType: (heights, node) =>
    make.apply(heights, make.nameAt('Array', node.start), [typeOf(heights, node.elementType)]),
  TSUnionType: (heights, node) => make.several(heights, 'either', typesOf(heights, node.types)),
  TSIntersectionType: (heights, node) => make.several(heights, 'both', typesOf(heights, node.types)),
  TSTupleType: (heights, node) => make.several(heights, 'tuple', typesOf(heights, node.elementTypes)),
  TSNamedTupleMember: (heights, node) => typeOf(heights, node.elementType),
  TSTypeAnnotation: through,
  TSParenthesizedType: through,
  TSOptionalType: through,
  TSRestType: through,
  TSTypeOperator: (heights, node) => (node.operator === 'readonly' ? through(heights, node) : UNKNOWN),
  TSIndexedAccessType: (heights, node) => indexed(heights, node.objectType, node.indexType),
  TSTypeQuery: (heights, node) => make.typeOfValue(heights, entityOf(heights, node.exprName)),
  TSImportType: (heights, node) => applied(heights, entityOf(heights, node), node.typeArguments),
  TSThisType: (_, node) => ({ is: 'this', at: node.start }),
  TSFunctionType: callable,
  TSConstructorType: (heights, node) => make.record(heights, [[NEW_MEMBER, callable(heights, node)]]),
  TSTypeLiteral: (heights, node) => literalOf(heights, node.members),
  TSMappedType: (heights, node) =>
    node.typeAnnotation ? make.record(heights, [[INDEX_MEMBER, typeOf(heights, node.typeAnnotation)]]) : UNKNOWN,
  TSLiteralType: (_, node) => literalType(node.literal),
  TSTypePredicate: (heights, node) =>
    node.typeAnnotation && node.parameterName.type === 'Identifier'
      ? make.record(heights, [[GUARD_MEMBER, typeOf(heights, node.typeAnnotation)]])
      : make.BOOLEAN,
};

export function typeOf(heights: Heights, node: Node): Expression {
  const read = TYPES[node.type] as ((heights: Heights, node: Node) => Expression) | undefined;
  return read ? read(heights, node) : (KEYWORDS[node.type] ?? UNKNOWN);
}

export function typesOf(heights: Heights, nodes: readonly Node[]): Expression[] {
  return nodes.map((node) => typeOf(heights, node));
}

/** A name with dots, of a type or of a value. */
export function entityOf(heights: Heights, node: Node): Expression {
  switch (node.type) {
    case 'Identifier':
      return make.nameAt(node.name, node.start);
    case 'TSQualifiedName':
      return make.member(heights, entityOf(heights, node.left), node.right.name);
    case 'ThisExpression':
      return { is: 'this', at: node.start };
    case 'MemberExpression':
      return node.property.type === 'Identifier' && !node.computed
        ? make.member(heights, entityOf(heights, node.object), node.property.name)
        : UNKNOWN;
    case 'TSImportType': {
      let of = make.nameAt(importName(node.source.value), node.start);
      for (const name of qualifiers(node.qualifier)) of = make.member(heights, of, name);
      return of;
    }
    default:
      return UNKNOWN;
  }
}

function qualifiers(node: Node | null): string[] {
  if (node?.type === 'Identifier') return [node.name];
  return node?.type === 'TSQualifiedName' ? [...qualifiers(node.left), node.right.name] : [];
}

function indexed(heights: Heights, object: Node, index: Node): Expression {
  if (index.type === 'TSLiteralType' && index.literal.type === 'Literal') {
    const { value } = index.literal;
    const of = typeOf(heights, object);
    return typeof value === 'number' ? make.part(heights, of, value) : make.member(heights, of, String(value));
  }
  return index.type === 'TSNumberKeyword' ? make.wrap(heights, 'element', typeOf(heights, object)) : UNKNOWN;
}

function literalType(node: Node): Expression {
  if (node.type !== 'Literal') return node.type === 'TemplateLiteral' ? make.STRING : make.NUMBER;
  const { value } = node;
  if (value === null) return make.NULL;
  return { is: 'literal', type: typeof value, text: String(value).slice(0, 80) };
}

interface Signature {
  readonly typeParameters?: TSTypeParameterDeclaration | null;
  readonly params: readonly Node[];
  readonly returnType?: Node | null;
}

function callable(heights: Heights, node: Signature): Expression {
  return make.functionOf(heights, {
    parameters: typedParameters(heights, node.params),
    generics: genericsOf(heights, node.typeParameters),
    type: node.returnType ? typeOf(heights, node.returnType) : undefined,
    values: [],
    async: false,
  });
}

function typedParameters(heights: Heights, nodes: readonly Node[]): Parameter[] {
  const found: Parameter[] = [];
  for (const node of nodes) {
    const inner = node.type === 'RestElement' ? node.argument : node;
    const name = inner.type === 'Identifier' ? inner.name : '';
    if (name === 'this') continue;
    const annotation = 'typeAnnotation' in node ? node.typeAnnotation : undefined;
    const parameter: Open<Parameter> = { name };
    if (annotation && typeof annotation === 'object') parameter.type = typeOf(heights, annotation);
    if (node.type === 'RestElement') parameter.rest = true;
    if (isOptional(node)) parameter.optional = true;
    found.push(parameter);
  }
  return found;
}

export function isOptional(node: Node): boolean {
  return 'optional' in node && Boolean(node.optional);
}

function literalOf(heights: Heights, members: readonly TSSignature[]): Expression {
  const fields: (readonly [string, Expression])[] = [];
  for (const member of members) {
    switch (member.type) {
      case 'TSPropertySignature':
      case 'TSMethodSignature': {
        const { key } = member;
        const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
        if (name === undefined || member.computed) break;
        fields.push([name, memberType(heights, member)]);
        break;
      }
      case 'TSCallSignatureDeclaration':
        fields.push([CALL_MEMBER, callable(heights, member)]);
        break;
      case 'TSConstructSignatureDeclaration':
        fields.push([NEW_MEMBER, callable(heights, member)]);
        break;
      case 'TSIndexSignature':
        fields.push([INDEX_MEMBER, typeOf(heights, member.typeAnnotation)]);
        break;
      default:
    }
  }
  return make.record(heights, fields);
}

function memberType(heights: Heights, member: Extract<TSSignature, { key: unknown }>): Expression {
  if (member.type === 'TSPropertySignature') {
    return member.typeAnnotation ? typeOf(heights, member.typeAnnotation) : UNKNOWN;
  }
  if (member.kind === 'method') return callable(heights, member);
  return member.returnType ? typeOf(heights, member.returnType) : UNKNOWN;
}

export function genericsOf(heights: Heights, node: TSTypeParameterDeclaration | null | undefined): Generic[] {
  if (!node) return [];
  return node.params.map(({ name, constraint, default: preset }) => {
    const generic: Open<Generic> = { name: name.name };
    if (constraint) generic.bound = make.fit(heights, typeOf(heights, constraint));
    if (preset) generic.preset = make.fit(heights, typeOf(heights, preset));
    return generic;
  });
}
