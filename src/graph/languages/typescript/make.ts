import { MAX_DEPTH, UNKNOWN } from '../../model/expression.ts';
import type { Expression, Generic, Parameter } from '../../model/expression.ts';

/** How deep each expression is nested that is deeper than one. */
export type Heights = Map<Expression, number>;

export const STRING: Expression = { is: 'literal', type: 'string' };
export const NUMBER: Expression = { is: 'literal', type: 'number' };
export const BOOLEAN: Expression = { is: 'literal', type: 'boolean' };
export const BIGINT: Expression = { is: 'literal', type: 'bigint' };
export const PATTERN: Expression = { is: 'literal', type: 'RegExp' };
export const NULL: Expression = { is: 'literal', type: 'null' };
export const UNDEFINED: Expression = { is: 'literal', type: 'undefined' };

/** What operators give whatever they are applied to. */
export const OF_OPERATOR: Readonly<Partial<Record<string, Expression>>> = {
  '!': BOOLEAN,
  delete: BOOLEAN,
  typeof: STRING,
  void: UNDEFINED,
  '~': NUMBER,
  '==': BOOLEAN,
  '!=': BOOLEAN,
  '===': BOOLEAN,
  '!==': BOOLEAN,
  '<': BOOLEAN,
  '<=': BOOLEAN,
  '>': BOOLEAN,
  '>=': BOOLEAN,
  in: BOOLEAN,
  instanceof: BOOLEAN,
  '-': NUMBER,
  '*': NUMBER,
  '/': NUMBER,
  '%': NUMBER,
  '**': NUMBER,
  '<<': NUMBER,
  '>>': NUMBER,
  '>>>': NUMBER,
  '|': NUMBER,
  '&': NUMBER,
  '^': NUMBER,
};

function heightOf(heights: Heights, expression: Expression): number {
  return heights.get(expression) ?? 1;
}

function highest(heights: Heights, expressions: readonly Expression[]): number {
  let height = 0;
  for (const expression of expressions) height = Math.max(height, heightOf(heights, expression));
  return height;
}

function keep(heights: Heights, expression: Expression, below: number): Expression {
  heights.set(expression, below + 1);
  return expression;
}

/** What may stand inside another expression. */
export function fit(heights: Heights, expression: Expression): Expression {
  return heightOf(heights, expression) < MAX_DEPTH ? expression : UNKNOWN;
}

function fitAll(heights: Heights, expressions: readonly Expression[]): readonly Expression[] {
  for (const expression of expressions) {
    if (heightOf(heights, expression) >= MAX_DEPTH) return expressions.map((one) => fit(heights, one));
  }
  return expressions;
}

export function nameAt(name: string, at: number): Expression {
  return { is: 'name', name, at };
}

export function member(heights: Heights, of: Expression, name: string): Expression {
  const inner = fit(heights, of);
  return inner === UNKNOWN ? UNKNOWN : keep(heights, { is: 'member', of: inner, name }, heightOf(heights, inner));
}

export function part(heights: Heights, of: Expression, n: number): Expression {
  const inner = fit(heights, of);
  if (inner === UNKNOWN || !Number.isInteger(n) || n < 0) return UNKNOWN;
  return keep(heights, { is: 'part', of: inner, n }, heightOf(heights, inner));
}

export function wrap(heights: Heights, is: 'element' | 'each' | 'await', of: Expression): Expression {
  const inner = fit(heights, of);
  return inner === UNKNOWN ? UNKNOWN : keep(heights, { is, of: inner }, heightOf(heights, inner));
}

export function call(
  heights: Heights,
  is: 'call' | 'new',
  of: Expression,
  args: readonly Expression[],
  types: readonly Expression[] | undefined,
): Expression {
  const inner = fit(heights, of);
  if (inner === UNKNOWN) return UNKNOWN;
  const fitting = fitAll(heights, args);
  const below = Math.max(heightOf(heights, inner), highest(heights, fitting), types ? highest(heights, types) : 0);
  return keep(heights, types ? { is, of: inner, args: fitting, types } : { is, of: inner, args: fitting }, below);
}

export function several(heights: Heights, is: 'either' | 'both' | 'tuple', of: readonly Expression[]): Expression {
  const known = is === 'tuple' ? fitAll(heights, of) : fitAll(heights, of).filter((one) => one !== UNKNOWN);
  const only = known[0];
  if (is !== 'tuple' && known.length < 2) return only ?? UNKNOWN;
  return keep(heights, { is, of: known }, highest(heights, known));
}

export function record(heights: Heights, fields: readonly (readonly [string, Expression])[]): Expression {
  let below = 0;
  const fitting = fields.map(([name, value]) => {
    const inner = fit(heights, value);
    below = Math.max(below, heightOf(heights, inner));
    return [name, inner] as const;
  });
  return keep(heights, { is: 'record', fields: fitting }, below);
}

export function as(heights: Heights, type: Expression): Expression {
  const inner = fit(heights, type);
  return inner === UNKNOWN ? UNKNOWN : keep(heights, { is: 'as', type: inner }, heightOf(heights, inner));
}

export function typeOfValue(heights: Heights, value: Expression): Expression {
  const inner = fit(heights, value);
  return inner === UNKNOWN ? UNKNOWN : keep(heights, { is: 'typeof', value: inner }, heightOf(heights, inner));
}

export function apply(heights: Heights, of: Expression, types: readonly Expression[]): Expression {
  const inner = fit(heights, of);
  const fitting = fitAll(heights, types);
  return keep(
    heights,
    { is: 'apply', of: inner, types: fitting },
    Math.max(heightOf(heights, inner), highest(heights, fitting)),
  );
}

/** What the place of an argument expects. */
export function expected(heights: Heights, ofCall: Expression, n: number, wanted: Expression | undefined): Expression {
  const inner = fit(heights, ofCall);
  if (inner === UNKNOWN) return UNKNOWN;
  const result = wanted === undefined ? UNKNOWN : fit(heights, wanted);
  if (result === UNKNOWN) return keep(heights, { is: 'expected', call: inner, n }, heightOf(heights, inner));
  const below = Math.max(heightOf(heights, inner), heightOf(heights, result));
  return keep(heights, { is: 'expected', call: inner, n, result }, below);
}

export function parameter(heights: Heights, of: Expression, n: number): Expression {
  const inner = fit(heights, of);
  return inner === UNKNOWN ? UNKNOWN : keep(heights, { is: 'parameter', of: inner, n }, heightOf(heights, inner));
}

type FunctionExpression = Extract<Expression, { is: 'function' }>;

export function functionOf(
  heights: Heights,
  parts: {
    parameters: readonly Parameter[];
    generics: readonly Generic[];
    type: Expression | undefined;
    values: readonly Expression[];
    async: boolean;
  },
): Expression {
  const { parameters, generics } = parts;
  const type = parts.type && fit(heights, parts.type);
  const values = fitAll(heights, parts.values);
  let below = Math.max(type ? heightOf(heights, type) : 0, highest(heights, values));
  for (const one of parameters) {
    if (one.type) below = Math.max(below, heightOf(heights, one.type));
    if (one.value) below = Math.max(below, heightOf(heights, one.value));
  }
  for (const { bound, preset } of generics) {
    if (bound) below = Math.max(below, heightOf(heights, bound));
    if (preset) below = Math.max(below, heightOf(heights, preset));
  }
  // Types of parameters cannot be left out one by one without a copy; as a whole they can.
  if (below >= MAX_DEPTH) return UNKNOWN;
  const made: { -readonly [K in keyof FunctionExpression]: FunctionExpression[K] } = { is: 'function', parameters };
  if (generics.length > 0) made.generics = generics;
  if (type) made.type = type;
  if (values.length > 0) made.values = values;
  if (parts.async) made.async = true;
  return keep(heights, made, below);
}
