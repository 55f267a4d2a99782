import fc from 'fast-check';
import { BASE_WAYS, FLAGS, IMPORT_KINDS, KINDS, LANGUAGES, REFERENCE_KINDS, TRAITS, VISIBILITIES } from './codes.ts';
import { UNKNOWN } from '../model/expression.ts';
import type { Expression, Generic, Parameter } from '../model/expression.ts';
import type { Base, Binding, Definition, Export, FileFacts, Import, Reference } from '../model/facts.ts';

const word = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('save', 'load', 'Store', 'x', 'get', 'übung', '') },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.constantFrom('cut \ud83d', '\ufeffmark') },
);
const offset = fc.nat(2_000);
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;
const optional = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: (keyof T)[]) =>
  fc.record(model, { requiredKeys: required, noNullPrototype: true }) as unknown as fc.Arbitrary<T>;
const subset = <T>(of: readonly T[]): fc.Arbitrary<T[]> =>
  fc.subarray([...of]).map((words) => of.filter((each) => words.includes(each)));

const { expression, parameter, generic } = fc.letrec<{
  expression: Expression;
  parameter: Parameter;
  generic: Generic;
}>((tie) => {
  const inner = tie('expression');
  const list = fc.array(inner, { maxLength: 3 });
  const one = <K extends Expression['is']>(is: K) => fc.constant(is);
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'expression' },
      record({ is: one('name'), name: word, at: offset }),
      fc.constant(UNKNOWN),
      record({ is: fc.constantFrom('this' as const, 'super' as const), at: offset }),
      optional<Extract<Expression, { is: 'literal' }>>({ is: one('literal'), type: word, text: word }, ['is', 'type']),
      record({ is: one('member'), of: inner, name: word }),
      record({
        is: fc.constantFrom('element' as const, 'each' as const, 'await' as const, 'entered' as const),
        of: inner,
      }),
      optional<Extract<Expression, { is: 'call' }>>({ is: one('call'), of: inner, args: list, types: list }, [
        'is',
        'of',
        'args',
      ]),
      optional<Extract<Expression, { is: 'new' }>>({ is: one('new'), of: inner, args: list, types: list }, [
        'is',
        'of',
        'args',
      ]),
      record({ is: fc.constantFrom('either' as const, 'both' as const, 'tuple' as const), of: list }),
      record({ is: fc.constantFrom('part' as const, 'parameter' as const), of: inner, n: fc.nat(300) }),
      record({ is: one('record'), fields: fc.array(fc.tuple(word, inner), { maxLength: 3 }) }),
      optional<Extract<Expression, { is: 'function' }>>(
        {
          is: one('function'),
          parameters: fc.array(tie('parameter'), { maxLength: 2 }),
          generics: fc.array(tie('generic'), { maxLength: 2 }),
          type: inner,
          values: list,
          async: fc.boolean(),
        },
        ['is', 'parameters'],
      ),
      optional<Extract<Expression, { is: 'expected' }>>(
        { is: one('expected'), call: inner, n: fc.nat(9), result: inner },
        ['is', 'call', 'n'],
      ),
      record({ is: one('apply'), of: inner, types: list }),
      record({ is: one('as'), type: inner }),
      record({ is: one('typeof'), value: inner }),
    ),
    parameter: optional<Parameter>(
      { name: word, type: inner, value: inner, rest: fc.boolean(), optional: fc.boolean() },
      ['name'],
    ),
    generic: optional<Generic>({ name: word, bound: inner, preset: inner }, ['name']),
  };
});

const few = <T>(each: fc.Arbitrary<T>) => fc.array(each, { maxLength: 3 });
const definition = optional<Definition>(
  {
    name: word,
    kind: fc.constantFrom(...KINDS),
    container: fc.integer({ min: -1, max: 40 }),
    start: offset,
    end: offset,
    at: offset,
    signature: word,
    exported: fc.boolean(),
    visibility: fc.constantFrom(...VISIBILITIES),
    doc: word,
    traits: subset(TRAITS),
    bases: few(record<Base>({ how: fc.constantFrom(...BASE_WAYS), type: expression, at: offset })),
    generics: few(generic),
    parameters: few(parameter),
    type: expression,
    values: few(expression),
  },
  [
    'name',
    'kind',
    'container',
    'start',
    'end',
    'at',
    'signature',
    'exported',
    'visibility',
    'traits',
    'bases',
    'generics',
    'parameters',
    'values',
  ],
);
const reference = optional<Reference>(
  {
    within: fc.integer({ min: -1, max: 40 }),
    name: word,
    kind: fc.constantFrom(...REFERENCE_KINDS),
    receiver: expression,
    at: offset,
    args: fc.nat(20),
    given: fc.array(expression, { maxLength: 3 }),
  },
  ['within', 'name', 'kind', 'at'],
);
const importOf = record<Import>({
  local: word,
  module: word,
  name: word,
  kind: fc.constantFrom(...IMPORT_KINDS),
  within: fc.integer({ min: -1, max: 40 }),
  at: offset,
});
const exportOf = optional<Export>({ name: word, local: word, module: word, value: expression, at: offset }, [
  'name',
  'local',
  'at',
]);
const binding = optional<Binding>(
  {
    name: word,
    within: fc.integer({ min: -1, max: 40 }),
    from: offset,
    to: offset,
    at: offset,
    type: expression,
    value: expression,
  },
  ['name', 'within', 'from', 'to', 'at'],
);

/** Facts of a file that nobody wrote: every part of them, in every combination. */
export const anyFacts: fc.Arbitrary<FileFacts> = optional<FileFacts>(
  {
    path: fc.constantFrom('a.ts', 'src/b.py', 'src/x/ü.go'),
    language: fc.constantFrom(...LANGUAGES),
    flags: subset(FLAGS),
    lines: fc.array(fc.nat(90), { maxLength: 9 }).map((lengths) => {
      let at = 0;
      return [0, ...lengths.map((length) => (at += length + 1))];
    }),
    definitions: fc.array(definition, { maxLength: 6 }).map(inOrder),
    references: fc.array(reference, { maxLength: 6 }),
    imports: few(importOf),
    exports: few(exportOf),
    bindings: fc.array(binding, { maxLength: 5 }),
    package: word,
    lost: fc.array(word, { minLength: 1, maxLength: 3 }),
    manifest: fc.constantFrom<Record<string, unknown>>({}, { name: 'x', exports: { '.': ['./a.js', null] } }),
  },
  ['path', 'language', 'flags', 'lines', 'definitions', 'references', 'imports', 'exports', 'bindings'],
);

/** A container stands before what it contains. */
function inOrder(definitions: Definition[]): Definition[] {
  return definitions.map((each, index) => ({ ...each, container: Math.min(each.container, index - 1) }));
}
