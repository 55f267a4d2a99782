import { createByteReader, DamagedBytes } from './byte-reader.ts';
import type { ByteReader } from './byte-reader.ts';
import {
  BASE_WAYS,
  EXPRESSIONS,
  FLAGS,
  IMPORT_KINDS,
  KINDS,
  LANGUAGES,
  REFERENCE_KINDS,
  TRAITS,
  VISIBILITIES,
  wordsOf,
} from './codes.ts';
import { DEFINITION_PARTS, isLeaf } from './encode.ts';
import { UNKNOWN } from '../model/expression.ts';
import type { Expression, Generic, Parameter } from '../model/expression.ts';
import type { Base, Binding, Definition, Export, FileFacts, Import, Reference } from '../model/facts.ts';
import { readStrings } from './string-table.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const NONE: readonly never[] = [];

/** Reads what `encodeFacts` wrote; throws `DamagedBytes` for what it cannot have written. */
export function decodeFacts(bytes: Uint8Array): FileFacts {
  const from = createByteReader(bytes);
  const strings = readStrings(from);
  const read: Expression[] = [];
  let lastOffset = 0;

  const text = (): string => at(strings, from.count());
  const offset = (): number => (lastOffset += from.signed());

  function many(): Expression[] {
    const list: Expression[] = [];
    for (let left = from.count(); left > 0; left -= 1) list.push(expression());
    return list;
  }

  function parameters(): Parameter[] {
    const list: Parameter[] = [];
    for (let left = from.count(); left > 0; left -= 1) {
      const parameter: Mutable<Parameter> = { name: text() };
      const parts = from.count();
      if (parts & 1) parameter.type = expression();
      if (parts & 2) parameter.value = expression();
      if (parts & 4) parameter.rest = (parts & 8) !== 0;
      if (parts & 16) parameter.optional = (parts & 32) !== 0;
      list.push(parameter);
    }
    return list;
  }

  function generics(): Generic[] {
    const list: Generic[] = [];
    for (let left = from.count(); left > 0; left -= 1) {
      const generic: Mutable<Generic> = { name: text() };
      const bound = maybe();
      const preset = maybe();
      if (bound !== undefined) generic.bound = bound;
      if (preset !== undefined) generic.preset = preset;
      list.push(generic);
    }
    return list;
  }

  function maybe(): Expression | undefined {
    const code = from.count();
    return code === EXPRESSIONS.length ? undefined : expressionOf(code);
  }

  function expression(): Expression {
    return expressionOf(from.count());
  }

  function expressionOf(code: number): Expression {
    const is = at(EXPRESSIONS, code);
    if (is === 'again') return at(read, read.length - from.count());
    if (is === 'unknown') return UNKNOWN;
    if (isLeaf({ is })) return make(is);
    // Numbers are given in the order of beginnings, and parts of an expression begin after it.
    const number = read.push(UNKNOWN) - 1;
    const made = make(is);
    read[number] = made;
    return made;
  }

  function make(is: Exclude<Expression['is'], 'unknown'>): Expression {
    switch (is) {
      case 'name':
        return { is, name: text(), at: offset() };
      case 'this':
      case 'super':
        return { is, at: offset() };
      case 'member': {
        const name = text();
        return { is, of: expression(), name };
      }
      case 'element':
      case 'each':
      case 'await':
      case 'entered':
        return { is, of: expression() };
      case 'call':
      case 'new': {
        const of = expression();
        const count = from.count();
        const args: Expression[] = [];
        for (let left = count >> 1; left > 0; left -= 1) args.push(expression());
        return count & 1 ? { is, of, args, types: many() } : { is, of, args };
      }
      case 'either':
      case 'both':
      case 'tuple':
        return { is, of: many() };
      case 'part':
      case 'parameter': {
        const n = from.count();
        return { is, of: expression(), n };
      }
      case 'record': {
        const fields: [string, Expression][] = [];
        for (let left = from.count(); left > 0; left -= 1) fields.push([text(), expression()]);
        return { is, fields };
      }
      case 'function': {
        const parts = from.count();
        const made: Mutable<Extract<Expression, { is: 'function' }>> = { is, parameters: parameters() };
        if (parts & 1) made.generics = generics();
        if (parts & 2) made.type = expression();
        if (parts & 4) made.values = many();
        if (parts & 8) made.async = (parts & 16) !== 0;
        return made;
      }
      case 'expected': {
        const count = from.count();
        const call = expression();
        return count & 1 ? { is, call, n: count >> 1, result: expression() } : { is, call, n: count >> 1 };
      }
      case 'apply':
        return { is, of: expression(), types: many() };
      case 'as':
        return { is, type: expression() };
      case 'typeof':
        return { is, value: expression() };
      case 'literal': {
        const type = text();
        const number = from.count();
        return number === 0 ? { is, type } : { is, type, text: at(strings, number - 1) };
      }
    }
  }

  function definition(index: number): Definition {
    const part = DEFINITION_PARTS;
    const name = text();
    const parts = from.count();
    const bits = from.count();
    const container = index - from.count();
    const start = offset();
    const nameAt = offset();
    const end = offset();
    const made: Mutable<Definition> = {
      name,
      kind: at(KINDS, bits & 15),
      container,
      start,
      end,
      at: nameAt,
      signature: text(),
      exported: (bits & 16) !== 0,
      visibility: at(VISIBILITIES, bits >> 5),
      traits: NONE,
      bases: NONE,
      generics: NONE,
      parameters: NONE,
      values: NONE,
    };
    if (parts & part.doc) made.doc = text();
    if (parts & part.traits) made.traits = wordsOf(from.count(), TRAITS);
    if (parts & part.bases) made.bases = bases();
    if (parts & part.generics) made.generics = generics();
    if (parts & part.parameters) made.parameters = parameters();
    if (parts & part.type) made.type = expression();
    if (parts & part.values) made.values = many();
    lastOffset = nameAt;
    return made;
  }

  function bases(): Base[] {
    const list: Base[] = [];
    for (let left = from.count(); left > 0; left -= 1) {
      const how = at(BASE_WAYS, from.count());
      const place = offset();
      list.push({ how, type: expression(), at: place });
    }
    return list;
  }

  function reference(before: number): Reference {
    const bits = from.count();
    const name = text();
    const place = offset();
    const within = bits & 8 ? before + from.signed() : before;
    const made: Mutable<Reference> = { within, name, kind: at(REFERENCE_KINDS, bits & 7), at: place };
    if (bits & 32) made.args = from.count();
    if (bits & 16) made.receiver = expression();
    return made;
  }

  function importOf(): Import {
    const kind = at(IMPORT_KINDS, from.count());
    return { local: text(), module: text(), name: text(), kind, within: from.count() - 1, at: offset() };
  }

  function exportOf(): Export {
    const parts = from.count();
    const name = text();
    const local = text();
    const module = parts & 1 ? text() : undefined;
    const value = parts & 2 ? expression() : undefined;
    const made: Mutable<Export> = { name, local, at: offset() };
    if (module !== undefined) made.module = module;
    if (value !== undefined) made.value = value;
    return made;
  }

  function binding(before: number): Binding {
    const name = text();
    const parts = from.count();
    const within = parts & 4 ? before + from.signed() : before;
    const to = offset();
    const start = offset();
    const made: Mutable<Binding> = { name, within, from: start, to, at: offset() };
    if (parts & 1) made.type = expression();
    if (parts & 2) made.value = expression();
    return made;
  }

  const path = text();
  const language = at(LANGUAGES, from.count());
  const flags = wordsOf(from.count(), FLAGS);
  const parts = from.count();
  const packageName = parts & 1 ? text() : undefined;
  const manifest = parts & 2 ? (JSON.parse(text()) as Record<string, unknown>) : undefined;
  const lines = linesOf(from);
  const definitions: Definition[] = [];
  const total = from.count();
  for (let index = 0; index < total; index += 1) definitions.push(definition(index));
  const imports: Import[] = [];
  for (let left = from.count(); left > 0; left -= 1) imports.push(importOf());
  const exports: Export[] = [];
  for (let left = from.count(); left > 0; left -= 1) exports.push(exportOf());
  const bindings: Binding[] = [];
  for (let left = from.count(), within = -1; left > 0; left -= 1) {
    const made = binding(within);
    within = made.within;
    bindings.push(made);
  }
  const references: Reference[] = [];
  for (let left = from.count(), within = -1; left > 0; left -= 1) {
    const made = reference(within);
    within = made.within;
    references.push(made);
  }
  const facts: Mutable<FileFacts> = {
    path,
    language,
    flags,
    lines,
    definitions,
    references,
    imports,
    exports,
    bindings,
  };
  if (packageName !== undefined) facts.package = packageName;
  if (manifest !== undefined) facts.manifest = manifest;
  return facts;
}

function linesOf(from: ByteReader): number[] {
  const lines: number[] = [];
  let start = 0;
  for (let left = from.count(); left > 0; left -= 1) lines.push((start += from.count()));
  return lines;
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new DamagedBytes(`the data names entry ${index} of ${list.length}`);
  return found;
}
