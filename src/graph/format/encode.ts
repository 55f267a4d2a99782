import { createByteWriter } from './byte-writer.ts';
import {
  BASE_WAYS,
  EXPRESSIONS,
  FLAGS,
  IMPORT_KINDS,
  KINDS,
  LANGUAGES,
  maskOf,
  REFERENCE_KINDS,
  TRAITS,
  VISIBILITIES,
} from './codes.ts';
import type { Expression, Generic, Parameter } from '../model/expression.ts';
import type { Binding, Definition, Export, FileFacts, Import, Reference } from '../model/facts.ts';
import { createStringTable } from './string-table.ts';

/** Raised when the bytes of the same facts change. */
export const FACTS_FORMAT = 1;

/** Which bits of a definition's mask say that a part follows. */
export const DEFINITION_PARTS = {
  doc: 1,
  bases: 2,
  generics: 4,
  parameters: 8,
  type: 16,
  values: 32,
  traits: 64,
} as const;

export interface Surface {
  /** What stands for an offset, so that facts can be compared apart from where they stand. */
  placeOf(offset: number): number;
  /** Those that matter from outside. */
  readonly bindings: readonly Binding[];
}

const code = Object.fromEntries(EXPRESSIONS.map((word, number) => [word, number])) as Record<
  Expression['is'] | 'again',
  number
>;
const body = createByteWriter(64 << 10);
const head = createByteWriter(16 << 10);

/**
 * Facts as bytes: each string once, offsets as distances. An expression with parts that several places share is written
 * once, and is shared again after reading. With a `surface`, only what other files can see of this one is written.
 */
export function encodeFacts(facts: FileFacts, surface?: Surface): Uint8Array {
  const placeOf = surface?.placeOf;
  const strings = createStringTable();
  const written = new Map<Expression, number>();
  let lastOffset = 0;
  body.reset();

  function text(value: string): void {
    body.count(strings.numberOf(value));
  }

  function offset(value: number): void {
    const place = placeOf === undefined ? value : placeOf(value);
    body.signed(place - lastOffset);
    lastOffset = place;
  }

  function many(list: readonly Expression[]): void {
    body.count(list.length);
    for (const each of list) expression(each);
  }

  function maybe(value: Expression | undefined): void {
    if (value === undefined) body.count(code.unknown + 1);
    else expression(value);
  }

  function parameters(list: readonly Parameter[]): void {
    body.count(list.length);
    for (const { name, type, value, rest, optional } of list) {
      text(name);
      body.count((type === undefined ? 0 : 1) | (value === undefined ? 0 : 2) | flagOf(rest, 4) | flagOf(optional, 16));
      if (type !== undefined) expression(type);
      if (value !== undefined) expression(value);
    }
  }

  function generics(list: readonly Generic[]): void {
    body.count(list.length);
    for (const { name, bound, preset } of list) {
      text(name);
      maybe(bound);
      maybe(preset);
    }
  }

  function expression(value: Expression): void {
    if (!isLeaf(value)) {
      const before = written.get(value);
      if (before !== undefined) {
        body.count(code.again);
        body.count(written.size - before);
        return;
      }
      written.set(value, written.size);
    }
    body.count(code[value.is]);
    switch (value.is) {
      case 'name':
        text(value.name);
        offset(value.at);
        break;
      case 'this':
      case 'super':
        offset(value.at);
        break;
      case 'member':
        text(value.name);
        expression(value.of);
        break;
      case 'element':
      case 'each':
      case 'await':
      case 'entered':
        expression(value.of);
        break;
      case 'call':
      case 'new':
        expression(value.of);
        body.count(value.args.length * 2 + (value.types === undefined ? 0 : 1));
        for (const each of value.args) expression(each);
        if (value.types !== undefined) many(value.types);
        break;
      case 'either':
      case 'both':
      case 'tuple':
        many(value.of);
        break;
      case 'part':
      case 'parameter':
        body.count(value.n);
        expression(value.of);
        break;
      case 'record':
        body.count(value.fields.length);
        for (const [name, field] of value.fields) {
          text(name);
          expression(field);
        }
        break;
      case 'function':
        body.count(
          (value.generics === undefined ? 0 : 1) |
            (value.type === undefined ? 0 : 2) |
            (value.values === undefined ? 0 : 4) |
            flagOf(value.async, 8),
        );
        parameters(value.parameters);
        if (value.generics !== undefined) generics(value.generics);
        if (value.type !== undefined) expression(value.type);
        if (value.values !== undefined) many(value.values);
        break;
      case 'expected':
        body.count(value.n * 2 + (value.result === undefined ? 0 : 1));
        expression(value.call);
        if (value.result !== undefined) expression(value.result);
        break;
      case 'apply':
        expression(value.of);
        many(value.types);
        break;
      case 'as':
        expression(value.type);
        break;
      case 'typeof':
        expression(value.value);
        break;
      case 'literal':
        text(value.type);
        body.count(value.text === undefined ? 0 : strings.numberOf(value.text) + 1);
        break;
      case 'unknown':
        break;
    }
  }

  function definition(value: Definition, index: number): void {
    const { bases, type, values, traits } = value;
    const doc = surface === undefined ? value.doc : undefined;
    const part = DEFINITION_PARTS;
    const parts =
      (doc === undefined ? 0 : part.doc) |
      (bases.length === 0 ? 0 : part.bases) |
      (value.generics.length === 0 ? 0 : part.generics) |
      (value.parameters.length === 0 ? 0 : part.parameters) |
      (type === undefined ? 0 : part.type) |
      (values.length === 0 ? 0 : part.values) |
      (traits.length === 0 ? 0 : part.traits);
    text(value.name);
    body.count(parts);
    body.count(KINDS.indexOf(value.kind) | (value.exported ? 16 : 0) | (VISIBILITIES.indexOf(value.visibility) << 5));
    body.count(index - value.container);
    offset(value.start);
    offset(value.at);
    offset(value.end);
    if (surface === undefined) text(value.signature);
    if (doc !== undefined) text(doc);
    if (traits.length > 0) body.count(maskOf(traits, TRAITS));
    if (bases.length > 0) {
      body.count(bases.length);
      for (const base of bases) {
        body.count(BASE_WAYS.indexOf(base.how));
        offset(base.at);
        expression(base.type);
      }
    }
    if (value.generics.length > 0) generics(value.generics);
    if (value.parameters.length > 0) parameters(value.parameters);
    if (type !== undefined) expression(type);
    if (values.length > 0) many(values);
    // What follows stands inside or behind it, nearer to its start than to its end.
    lastOffset = placeOf === undefined ? value.at : placeOf(value.at);
  }

  function reference({ within, name, kind, receiver, at, args }: Reference, before: number): void {
    const isSame = within === before;
    body.count(
      REFERENCE_KINDS.indexOf(kind) |
        (isSame ? 0 : 8) |
        (receiver === undefined ? 0 : 16) |
        (args === undefined ? 0 : 32),
    );
    text(name);
    offset(at);
    if (!isSame) body.signed(within - before);
    if (args !== undefined) body.count(args);
    if (receiver !== undefined) expression(receiver);
  }

  function importOf({ local, module, name, kind, within, at }: Import): void {
    body.count(IMPORT_KINDS.indexOf(kind));
    text(local);
    text(module);
    text(name);
    body.count(within + 1);
    offset(at);
  }

  function exportOf({ name, local, module, value, at }: Export): void {
    body.count((module === undefined ? 0 : 1) | (value === undefined ? 0 : 2));
    text(name);
    text(local);
    if (module !== undefined) text(module);
    if (value !== undefined) expression(value);
    offset(at);
  }

  function binding({ name, within, from, to, at, type, value }: Binding, before: number): void {
    text(name);
    body.count((type === undefined ? 0 : 1) | (value === undefined ? 0 : 2) | (within === before ? 0 : 4));
    if (within !== before) body.signed(within - before);
    offset(to);
    offset(from);
    offset(at);
    if (type !== undefined) expression(type);
    if (value !== undefined) expression(value);
  }

  function lines(): void {
    body.count(facts.lines.length);
    let line = 0;
    for (const start of facts.lines) {
      body.count(start - line);
      line = start;
    }
  }

  text(facts.path);
  body.count(LANGUAGES.indexOf(facts.language));
  body.count(maskOf(facts.flags, FLAGS));
  body.count((facts.package === undefined ? 0 : 1) | (facts.manifest === undefined ? 0 : 2));
  if (facts.package !== undefined) text(facts.package);
  if (facts.manifest !== undefined) text(JSON.stringify(facts.manifest));
  if (surface === undefined) lines();
  body.count(facts.definitions.length);
  facts.definitions.forEach(definition);
  body.count(facts.imports.length);
  for (const each of facts.imports) importOf(each);
  body.count(facts.exports.length);
  for (const each of facts.exports) exportOf(each);
  const bindings = surface?.bindings ?? facts.bindings;
  body.count(bindings.length);
  let within = -1;
  for (const each of bindings) {
    binding(each, within);
    within = each.within;
  }
  const references = surface === undefined ? facts.references : [];
  body.count(references.length);
  within = -1;
  for (const each of references) {
    reference(each, within);
    within = each.within;
  }
  head.reset();
  strings.writeTo(head);
  head.bytes(body.finish());
  return head.finish();
}

/** Has no parts. To find out whether one was written before would cost more than to write it again. */
export function isLeaf({ is }: Pick<Expression, 'is'>): boolean {
  return is === 'name' || is === 'literal' || is === 'this' || is === 'unknown' || is === 'super';
}

/** Absent, false and true are three. */
function flagOf(value: boolean | undefined, bit: number): number {
  return value === undefined ? 0 : value ? bit | (bit << 1) : bit;
}
