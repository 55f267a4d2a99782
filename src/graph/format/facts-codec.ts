import { UNKNOWN } from '../model/expression.ts';
import type { Expression, Generic, Parameter } from '../model/expression.ts';
import type { Base, Binding, Definition, Export, FileFacts, Import, Manifest, Reference } from '../model/facts.ts';
import * as codec from './codec.ts';
import { count, follows, followsFilled, list, maybeFlag, offset, text } from './codec.ts';
import type { Bits, Codec } from './codec.ts';
import * as codes from './codes.ts';
import { record } from './record.ts';

export interface Surface {
  /** What stands for an offset, so that facts can be compared apart from where they stand. */
  mapOffset(offset: number): number;
  /** Those that matter from outside. */
  readonly bindings: readonly Binding[];
}

/** With a `surface`, only what other files can see of this one is written. */
export function encodeFacts(facts: FileFacts, surface?: Surface): Uint8Array {
  begin(surface !== undefined);
  if (surface === undefined) return codec.toBytes(FACTS, facts);
  const { lost: _, ...seen } = facts;
  return codec.toBytes(FACTS, { ...seen, bindings: surface.bindings, references: [] }, surface.mapOffset);
}

/** Reads what `encodeFacts` wrote; throws `DamagedBytes` for what it cannot have written. */
export function decodeFacts(bytes: Uint8Array): FileFacts {
  begin(false);
  return codec.fromBytes(FACTS, bytes);
}

/** Of the facts that are written or read at present. */
let isSurface = false;
let index = 0;
let before = -1;
/** An expression with parts that several places share is written once, and is shared again after reading. */
let written = new Map<Expression, number>();
let read: Expression[] = [];

function begin(surface: boolean): void {
  isSurface = surface;
  index = 0;
  written = new Map();
  read = [];
}

const AGAIN = codes.EXPRESSIONS.indexOf('again');
const ABSENT = codes.EXPRESSIONS.length;
const CODE = Object.fromEntries(codes.EXPRESSIONS.map((word, code) => [word, code])) as Record<
  Expression['is'],
  number
>;

const expression: Codec<Expression> = {
  write(value) {
    const { is } = value;
    if (!isLeaf(is)) {
      const known = written.get(value);
      if (known !== undefined) {
        count.write(AGAIN);
        return count.write(written.size - known);
      }
      written.set(value, written.size);
    }
    const code = CODE[is];
    count.write(code);
    return BY_CODE[code]?.write(value);
  },
  read: () => readExpression(count.read(0)),
};

const maybe: Codec<Expression | undefined> = {
  write: (value) => (value === undefined ? count.write(ABSENT) : expression.write(value)),
  read() {
    const code = count.read(0);
    return code === ABSENT ? undefined : readExpression(code);
  },
  isOptional: true,
};

function readExpression(code: number): Expression {
  const is = codec.entryOf(codes.EXPRESSIONS, code);
  if (is === 'again') return codec.entryOf(read, read.length - count.read(0));
  if (is === 'unknown') return UNKNOWN;
  const { read: readParts } = EXPRESSION[is];
  if (isLeaf(is)) return readParts(0);
  // Numbers are given in the order of beginnings, and parts of an expression begin after it.
  const number = read.push(UNKNOWN) - 1;
  return (read[number] = readParts(0));
}

/** Has no parts. To find out whether one was written before would cost more than to write it again. */
function isLeaf(is: Expression['is']): boolean {
  return is === 'name' || is === 'literal' || is === 'this' || is === 'unknown' || is === 'super';
}

/** Not of the surface. */
const inside = <T>({ write, read: readOne }: Codec<T>): Codec<T> => ({
  write: (value) => isSurface || write(value),
  read: readOne,
});
const followsInside: Bits<never> = { width: 1, pack: (value: unknown) => (isSurface || value === undefined ? 0 : 1) };

/** Which definition a reference or binding stands in, where that is another than the one before stands in. */
const followsOther: Bits<number> = { width: 1, pack: (value) => (value === before ? 0 : 1), absent: () => before };
const fromBefore: Codec<number> = {
  write: (value) => codec.signed.write(value - before),
  read: () => before + codec.signed.read(0),
};
/** The list that this is the item of begins with -1. */
function inTurn<T extends { readonly within: number }>(item: Codec<T>): Codec<readonly T[]> {
  const all = list<T>({
    write(value) {
      item.write(value);
      before = value.within;
    },
    read() {
      const made = item.read(0);
      before = made.within;
      return made;
    },
  });
  return {
    write(value) {
      before = -1;
      all.write(value);
    },
    read() {
      before = -1;
      return all.read(0);
    },
  };
}

const lines: Codec<readonly number[]> = {
  write(value) {
    count.write(value.length);
    let line = 0;
    for (const start of value) {
      count.write(start - line);
      line = start;
    }
  },
  read() {
    const made: number[] = [];
    let start = 0;
    for (let left = count.read(0); left > 0; left -= 1) made.push((start += count.read(0)));
    return made;
  },
};
const json: Codec<Manifest> = {
  write: (value) => text.write(JSON.stringify(value)),
  read: () => JSON.parse(text.read(0)) as Manifest,
};
const container: Codec<number> = {
  write: (value) => count.write(index - value),
  read: () => index - count.read(0),
};
const fromMinusOne: Codec<number> = { write: (value) => count.write(value + 1), read: () => count.read(0) - 1 };
const pair: Codec<readonly [string, Expression]> = {
  write([name, value]) {
    text.write(name);
    expression.write(value);
  },
  read: () => [text.read(0), expression.read(0)],
};
const expressions = list(expression);

const PARAMETER = record<Parameter>(
  {},
  { fields: { name: text } },
  { number: { type: follows, value: follows, rest: maybeFlag, optional: maybeFlag } },
  { fields: { type: expression, value: expression } },
);
const GENERIC = record<Generic>({}, { fields: { name: text, bound: maybe, preset: maybe } });
const BASE = record<Base>({}, { fields: { how: codec.oneOf(codes.BASE_WAYS), at: offset, type: expression } });

type Of<Is extends Expression['is']> = Extract<Expression, { is: Is }>;
const standing = (is: 'this' | 'super') => record<Of<typeof is>>({ is }, { fields: { at: offset } });
const ofOne = (is: 'element' | 'each' | 'await' | 'entered') =>
  record<Of<typeof is>>({ is }, { fields: { of: expression } });
const ofMany = (is: 'either' | 'both' | 'tuple') => record<Of<typeof is>>({ is }, { fields: { of: expressions } });
const nthOf = (is: 'part' | 'parameter') => record<Of<typeof is>>({ is }, { fields: { n: count, of: expression } });
const called = (is: 'call' | 'new') =>
  record<Of<typeof is>>(
    { is },
    { fields: { of: expression } },
    { number: { types: follows, args: codec.length } },
    { fields: { args: codec.items(expression, 1), types: expressions } },
  );

const EXPRESSION: Readonly<Record<Expression['is'], Codec<Expression>>> = {
  name: record<Of<'name'>>({ is: 'name' }, { fields: { name: text, at: offset } }),
  this: standing('this'),
  super: standing('super'),
  member: record<Of<'member'>>({ is: 'member' }, { fields: { name: text, of: expression } }),
  element: ofOne('element'),
  each: ofOne('each'),
  call: called('call'),
  new: called('new'),
  await: ofOne('await'),
  entered: ofOne('entered'),
  either: ofMany('either'),
  both: ofMany('both'),
  tuple: ofMany('tuple'),
  part: nthOf('part'),
  record: record<Of<'record'>>({ is: 'record' }, { fields: { fields: list(pair) } }),
  function: record<Of<'function'>>(
    { is: 'function' },
    { number: { generics: follows, type: follows, values: follows, async: maybeFlag } },
    { fields: { parameters: list(PARAMETER), generics: list(GENERIC), type: expression, values: expressions } },
  ),
  expected: record<Of<'expected'>>(
    { is: 'expected' },
    { number: { result: follows, n: codec.rest } },
    { fields: { call: expression, result: expression } },
  ),
  parameter: nthOf('parameter'),
  apply: record<Of<'apply'>>({ is: 'apply' }, { fields: { of: expression, types: expressions } }),
  as: record<Of<'as'>>({ is: 'as' }, { fields: { type: expression } }),
  typeof: record<Of<'typeof'>>({ is: 'typeof' }, { fields: { value: expression } }),
  literal: record<Of<'literal'>>({ is: 'literal' }, { fields: { type: text, text: codec.maybeText } }),
  unknown: record<Of<'unknown'>>({ is: 'unknown' }),
};
const BY_CODE = codes.EXPRESSIONS.map((is) => (is === 'again' ? undefined : EXPRESSION[is]));

const DEFINITION = record<Definition>(
  {},
  { fields: { name: text } },
  {
    number: {
      doc: followsInside,
      bases: followsFilled,
      generics: followsFilled,
      parameters: followsFilled,
      type: follows,
      values: followsFilled,
      traits: followsFilled,
    },
  },
  {
    number: {
      kind: codec.wordIn(codes.KINDS, 4),
      exported: codec.flag,
      visibility: codec.wordIn(codes.VISIBILITIES),
    },
  },
  {
    fields: {
      container,
      start: offset,
      at: offset,
      end: offset,
      signature: inside(text),
      doc: text,
      traits: codec.someOf(codes.TRAITS),
      bases: list(BASE),
      generics: list(GENERIC),
      parameters: list(PARAMETER),
      type: expression,
      values: expressions,
    },
  },
);
/** What follows one stands inside or behind it, nearer to its start than to its end. */
const definitions = list<Definition>({
  write(value) {
    DEFINITION.write(value);
    codec.countFrom(value.at, 'written');
    index += 1;
  },
  read() {
    const made = DEFINITION.read(0);
    codec.countFrom(made.at, 'read');
    index += 1;
    return made;
  },
});

const IMPORT = record<Import>(
  {},
  {
    fields: {
      kind: codec.oneOf(codes.IMPORT_KINDS),
      local: text,
      module: text,
      name: text,
      within: fromMinusOne,
      at: offset,
    },
  },
);
const EXPORT = record<Export>(
  {},
  { number: { module: follows, value: follows } },
  { fields: { name: text, local: text, module: text, value: expression, at: offset } },
);
const BINDING = record<Binding>(
  {},
  { fields: { name: text } },
  { number: { type: follows, value: follows, within: followsOther } },
  { fields: { within: fromBefore, to: offset, from: offset, at: offset, type: expression, value: expression } },
);
const REFERENCE = record<Reference>(
  {},
  {
    number: {
      kind: codec.wordIn(codes.REFERENCE_KINDS, 3),
      within: followsOther,
      receiver: follows,
      args: follows,
      given: follows,
    },
  },
  {
    fields: {
      name: text,
      at: offset,
      within: fromBefore,
      args: count,
      receiver: expression,
      given: expressions,
    },
  },
);

const FACTS = record<FileFacts>(
  {},
  { fields: { path: text, language: codec.oneOf(codes.LANGUAGES), flags: codec.someOf(codes.FLAGS) } },
  { number: { package: follows, manifest: follows, lost: follows } },
  {
    fields: {
      package: text,
      manifest: json,
      lost: list(text),
      lines: inside(lines),
      definitions,
      imports: list(IMPORT),
      exports: list(EXPORT),
      bindings: inTurn(BINDING),
      references: inTurn(REFERENCE),
    },
  },
);
