import type {
  ArrowFunctionExpression,
  CallExpression,
  Function as FunctionNode,
  MemberExpression,
  NewExpression,
  Node,
  ObjectExpression,
} from 'oxc-parser';
import { UNKNOWN } from '../../model/expression.ts';
import type { Expression, Parameter } from '../../model/expression.ts';
import * as make from './make.ts';
import type { Heights } from './make.ts';
import { collectReturns } from './returns.ts';
import { genericsOf, importName, isOptional, typeOf } from './types.ts';
import type { NodeOf, Open } from './types.ts';

/** What an object, list or call has beyond these says little about its type. */
const MAX_PARTS = 24;
const MAX_VALUES = 4;

/** Turns code of one file into expressions. The same piece of code always becomes the same object. */
export interface Translator {
  readonly heights: Heights;
  readonly known: Map<Node, Expression>;
}

export type AnyFunction = ArrowFunctionExpression | FunctionNode;

export function createTranslator(): Translator {
  return { heights: new Map(), known: new Map() };
}

export function valueOf(t: Translator, node: Node): Expression {
  if (node.type === 'Identifier') return nameOf(node);
  const leaf = LEAVES[node.type] as ((t: Translator, node: Node) => Expression) | undefined;
  if (leaf) return leaf(t, node);
  let known = t.known.get(node);
  if (known === undefined) t.known.set(node, (known = translate(t, node)));
  return known;
}

function nameOf({ name, start }: { readonly name: string; readonly start: number }): Expression {
  return name === 'undefined' ? make.UNDEFINED : { is: 'name', name, at: start };
}

const through = (t: Translator, node: { readonly expression: Node }): Expression => valueOf(t, node.expression);

/** What is too little to be remembered. */
const LEAVES: Translations = {
  JSXIdentifier: (_, node) => nameOf(node),
  ThisExpression: (_, node) => ({ is: 'this', at: node.start }),
  Super: (_, node) => ({ is: 'super', at: node.start }),
  Literal: (_, node) => literalOf(node.value, 'regex' in node),
  TemplateLiteral: () => make.STRING,
  ChainExpression: through,
  TSNonNullExpression: through,
  TSSatisfiesExpression: through,
  ParenthesizedExpression: through,
  TSInstantiationExpression: through,
  ClassExpression: (_, node) => ({ is: 'name', name: node.id?.name ?? 'class', at: node.id?.start ?? node.start }),
};

type Translations = { readonly [K in Node['type']]?: (t: Translator, node: NodeOf<K>) => Expression };

const ofFunction = (t: Translator, node: AnyFunction): Expression => functionOf(t, node);
const ofCast = (t: Translator, node: NodeOf<'TSAsExpression' | 'TSTypeAssertion'>): Expression =>
  isConst(node.typeAnnotation)
    ? valueOf(t, node.expression)
    : make.as(t.heights, typeOf(t.heights, node.typeAnnotation));

const TRANSLATIONS: Translations = {
  MemberExpression: memberOf,
  JSXMemberExpression: (t, node) => make.member(t.heights, valueOf(t, node.object), node.property.name),
  CallExpression: callOf,
  NewExpression: (t, node) =>
    make.call(t.heights, 'new', valueOf(t, node.callee), argsOf(t, node.arguments), typesOf(t, node)),
  TaggedTemplateExpression: (t, node) => make.call(t.heights, 'call', valueOf(t, node.tag), [], undefined),
  AwaitExpression: (t, node) => make.wrap(t.heights, 'await', valueOf(t, node.argument)),
  TSAsExpression: ofCast,
  TSTypeAssertion: ofCast,
  ConditionalExpression: (t, node) =>
    make.several(t.heights, 'either', [valueOf(t, node.consequent), valueOf(t, node.alternate)]),
  LogicalExpression: (t, node) =>
    node.operator === '&&'
      ? valueOf(t, node.right)
      : make.several(t.heights, 'either', [valueOf(t, node.left), valueOf(t, node.right)]),
  AssignmentExpression(t, node) {
    if (node.operator === '=') return valueOf(t, node.right);
    if (node.operator !== '??=' && node.operator !== '||=') return UNKNOWN;
    return make.several(t.heights, 'either', [valueOf(t, node.left), valueOf(t, node.right)]);
  },
  SequenceExpression(t, node) {
    const last = node.expressions.at(-1);
    return last === undefined ? UNKNOWN : valueOf(t, last);
  },
  FunctionExpression: ofFunction,
  FunctionDeclaration: ofFunction,
  TSDeclareFunction: ofFunction,
  TSEmptyBodyFunctionExpression: ofFunction,
  ArrowFunctionExpression: ofFunction,
  ObjectExpression: objectOf,
  ArrayExpression: (t, node) => listOf(t, node.elements, node.start),
  ImportExpression: (t, node) => importOf(t, node.source, node.start),
  UnaryExpression: (_, node) => make.OF_OPERATOR[node.operator] ?? UNKNOWN,
  UpdateExpression: () => make.NUMBER,
  BinaryExpression: (t, node) =>
    node.operator === '+' ? sumOf(t, node.left, node.right) : (make.OF_OPERATOR[node.operator] ?? UNKNOWN),
};

function translate(t: Translator, node: Node): Expression {
  const translation = TRANSLATIONS[node.type] as ((t: Translator, node: Node) => Expression) | undefined;
  return translation ? translation(t, node) : UNKNOWN;
}

function literalOf(value: unknown, isPattern: boolean): Expression {
  if (typeof value === 'string') return make.STRING;
  if (typeof value === 'number') return make.NUMBER;
  if (typeof value === 'boolean') return make.BOOLEAN;
  if (isPattern) return make.PATTERN;
  return value === null ? make.NULL : make.BIGINT;
}

function sumOf(t: Translator, left: Node, right: Node): Expression {
  const one = valueOf(t, left);
  const other = valueOf(t, right);
  if (one === make.STRING || other === make.STRING) return make.STRING;
  return one === make.NUMBER && other === make.NUMBER ? make.NUMBER : UNKNOWN;
}

function memberOf(t: Translator, node: MemberExpression): Expression {
  const of = valueOf(t, node.object);
  const name = memberName(node);
  if (name !== undefined) return make.member(t.heights, of, name);
  const { property } = node;
  if (property.type === 'Literal' && typeof property.value === 'number') {
    return make.part(t.heights, of, property.value);
  }
  return make.wrap(t.heights, 'element', of);
}

/** As far as the code says it: `a.b`, `a['b']`, `a.#b`, `a[Symbol.iterator]`. */
export function memberName(node: MemberExpression): string | undefined {
  return node.computed ? computedName(node.property) : nameOfKey(node.property);
}

export function keyName(key: Node, computed: boolean): string | undefined {
  return computed ? computedName(key) : nameOfKey(key);
}

function nameOfKey(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

function computedName(key: Node): string | undefined {
  if (key.type === 'Literal') return typeof key.value === 'string' ? key.value : undefined;
  if (key.type === 'TemplateLiteral')
    return key.expressions.length === 0 ? (key.quasis[0]?.value.raw ?? '') : undefined;
  const isSymbol =
    key.type === 'MemberExpression' &&
    key.object.type === 'Identifier' &&
    key.object.name === 'Symbol' &&
    key.property.type === 'Identifier';
  return isSymbol && key.property.type === 'Identifier' ? `[Symbol.${key.property.name}]` : undefined;
}

function callOf(t: Translator, node: CallExpression): Expression {
  const { callee } = node;
  const first = node.arguments[0];
  if (callee.type === 'Identifier' && callee.name === 'require') {
    const module = first === undefined ? undefined : textOf(first);
    if (module !== undefined) return { is: 'name', name: importName(module), at: node.start };
  }
  const helper = objectHelper(callee);
  if (helper === 'assign') return make.several(t.heights, 'both', argsOf(t, node.arguments));
  if (first !== undefined && (helper === 'freeze' || helper === 'seal')) return valueOf(t, first);
  return make.call(t.heights, 'call', valueOf(t, callee), argsOf(t, node.arguments), typesOf(t, node));
}

/** `assign` for `Object.assign` and so on. */
export function objectHelper(callee: Node): string | undefined {
  if (callee.type !== 'MemberExpression') return undefined;
  const { object, property } = callee;
  const isObject = object.type === 'Identifier' && object.name === 'Object';
  return isObject && property.type === 'Identifier' ? property.name : undefined;
}

function argsOf(t: Translator, args: CallExpression['arguments']): Expression[] {
  const found: Expression[] = [];
  for (const arg of args) {
    // What comes after a spread has no known place.
    if (arg.type === 'SpreadElement' || found.length === MAX_PARTS) break;
    found.push(valueOf(t, arg));
  }
  return found;
}

function typesOf(t: Translator, node: CallExpression | NewExpression): Expression[] | undefined {
  return node.typeArguments?.params.map((type) => typeOf(t.heights, type));
}

function objectOf(t: Translator, node: ObjectExpression): Expression {
  const parts: Expression[] = [];
  let fields: (readonly [string, Expression])[] = [];
  let count = 0;
  for (const property of node.properties) {
    if (count++ === MAX_PARTS) break;
    if (property.type === 'SpreadElement') {
      if (fields.length > 0) parts.push(make.record(t.heights, fields));
      fields = [];
      parts.push(valueOf(t, property.argument));
      continue;
    }
    const name = keyName(property.key, property.computed);
    if (name === undefined || property.kind === 'set') continue;
    let value = valueOf(t, property.value);
    if (property.kind === 'get' && value.is === 'function') {
      value = value.type ? make.as(t.heights, value.type) : make.several(t.heights, 'either', value.values ?? []);
    }
    fields.push([name, value]);
  }
  if (fields.length > 0 || parts.length === 0) parts.push(make.record(t.heights, fields));
  return make.several(t.heights, 'both', parts);
}

function listOf(t: Translator, elements: readonly (Node | null)[], at: number): Expression {
  const found: Expression[] = [];
  let isPlain = true;
  for (const element of elements) {
    if (found.length === MAX_PARTS) break;
    if (element?.type === 'SpreadElement') {
      isPlain = false;
      found.push(make.wrap(t.heights, 'each', valueOf(t, element.argument)));
    } else found.push(element === null ? make.UNDEFINED : valueOf(t, element));
  }
  if (isPlain) return make.several(t.heights, 'tuple', found);
  const types = found.map((value) => make.typeOfValue(t.heights, value));
  return make.as(
    t.heights,
    make.apply(t.heights, make.nameAt('Array', at), [make.several(t.heights, 'either', types)]),
  );
}

/** `import('x')` promises the module, which has a name of its own among the imports. */
function importOf(t: Translator, source: Node, at: number): Expression {
  const module = textOf(source);
  if (module === undefined) return UNKNOWN;
  const type = make.typeOfValue(t.heights, { is: 'name', name: importName(module), at });
  return make.as(t.heights, make.apply(t.heights, make.nameAt('Promise', at), [type]));
}

/** The text of a literal without anything to fill in. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  return node.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0]?.value.raw : undefined;
}

function functionOf(t: Translator, node: AnyFunction): Expression {
  const parameters = parametersOf(t, node.params);
  const generics = genericsOf(t.heights, node.typeParameters);
  const type = node.returnType ? typeOf(t.heights, node.returnType.typeAnnotation) : undefined;
  const values = type ? [] : returnsOf(t, node);
  return make.functionOf(t.heights, { parameters, generics, type, values, async: node.async });
}

export function parametersOf(t: Translator, nodes: readonly Node[]): Parameter[] {
  const found: Parameter[] = [];
  for (const node of nodes) {
    if (node.type === 'Identifier' && node.name === 'this') continue;
    const inner = node.type === 'TSParameterProperty' ? node.parameter : node;
    const plain = inner.type === 'AssignmentPattern' ? inner.left : inner;
    const name = plain.type === 'RestElement' ? plain.argument : plain;
    const type = annotationOf(plain);
    const parameter: Open<Parameter> = { name: name.type === 'Identifier' ? name.name : '' };
    if (type) parameter.type = typeOf(t.heights, type);
    if (plain.type === 'RestElement') parameter.rest = true;
    if (inner.type === 'AssignmentPattern') {
      parameter.optional = true;
      if (!type) parameter.value = make.fit(t.heights, valueOf(t, inner.right));
    } else if (isOptional(plain)) parameter.optional = true;
    found.push(parameter);
  }
  return found;
}

/** What stands behind the colon of a parameter or variable. */
export function annotationOf(node: Node) {
  const has = 'typeAnnotation' in node ? node.typeAnnotation : undefined;
  return has?.type === 'TSTypeAnnotation' ? has.typeAnnotation : undefined;
}

/** Up to four different things a function gives back; nothing that only says there is none. */
export function returnsOf(t: Translator, node: AnyFunction): Expression[] {
  const { body } = node;
  if (body === null) return [];
  const found: Node[] = [];
  if (body.type === 'BlockStatement') collectReturns(body, found);
  else found.push(body);
  const values: Expression[] = [];
  const seen = new Set<string>();
  for (const argument of found) {
    const value = valueOf(t, argument);
    if (value === make.NULL || value === make.UNDEFINED) continue;
    const text = plainText(value);
    if (text !== undefined && seen.has(text)) continue;
    if (text !== undefined) seen.add(text);
    if (values.push(value) === MAX_VALUES) break;
  }
  return values;
}

/** Enough to tell that two values are the same; undefined where that would take longer. */
function plainText(value: Expression): string | undefined {
  if (value.is === 'literal') return `literal ${value.type}`;
  if (value.is === 'this' || value.is === 'unknown') return value.is;
  return value.is === 'name' ? `name ${value.name}` : undefined;
}

function isConst(type: Node): boolean {
  return type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'const';
}
