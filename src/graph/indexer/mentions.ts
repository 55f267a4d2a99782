import type { Expression, Generic, Parameter } from '../model/expression.ts';
import type { Binding, Definition, FileFacts } from '../model/facts.ts';
import { reachedBindings } from './surface.ts';

/** The names that are looked up where a file is resolved, and where another file leads into what this one offers. */
export interface Mentions {
  /** Everything that the file names. */
  readonly inside: ReadonlySet<string>;
  /** What its definitions, imports and exports name. */
  readonly outside: ReadonlySet<string>;
}

const known = new WeakMap<FileFacts, Mentions>();

export function mentionsOf(facts: FileFacts): Mentions {
  let mentions = known.get(facts);
  if (mentions === undefined) known.set(facts, (mentions = collect(facts)));
  return mentions;
}

function collect(facts: FileFacts): Mentions {
  const outside = new Set<string>();
  addOffered(facts, facts.definitions, reachedBindings(facts), outside);
  const inside = new Set(outside);
  // A method is looked up in the bases of its class: it may override one.
  for (const { name } of facts.definitions) inside.add(name);
  for (const binding of facts.bindings) addBinding(binding, inside);
  for (const { name, receiver } of facts.references) {
    inside.add(name);
    addNames(receiver, inside);
  }
  return { inside, outside };
}

/** What is named by some of a file's definitions and bindings, and by its imports and exports. */
export function addOffered(
  { imports, exports }: Pick<FileFacts, 'imports' | 'exports'>,
  definitions: readonly Definition[],
  bindings: readonly Binding[],
  into: Set<string>,
): void {
  for (const { bases, generics, parameters, type, values } of definitions) {
    for (const base of bases) addNames(base.type, into);
    addGenerics(generics, into);
    addParameters(parameters, into);
    addNames(type, into);
    addAll(values, into);
  }
  for (const binding of bindings) addBinding(binding, into);
  for (const { module, name } of imports) {
    into.add(name);
    addWords(module, into);
  }
  for (const { name, local, module, value } of exports) {
    // Under its own name it is looked up by whoever looks up that.
    if (name !== local || module !== undefined) into.add(local);
    if (module !== undefined) addWords(module, into);
    addNames(value, into);
  }
}

/** A path to a module may lead through definitions. */
function addWords(text: string, into: Set<string>): void {
  for (const word of text.split(/[^\p{L}\p{N}_$]+/u)) into.add(word);
}

function addBinding({ type, value }: Binding, into: Set<string>): void {
  addNames(type, into);
  addNames(value, into);
}

function addAll(list: readonly Expression[] | undefined, into: Set<string>): void {
  if (list !== undefined) for (const each of list) addNames(each, into);
}

function addParameters(parameters: readonly Parameter[], into: Set<string>): void {
  for (const { type, value } of parameters) {
    addNames(type, into);
    addNames(value, into);
  }
}

function addGenerics(generics: readonly Generic[] | undefined, into: Set<string>): void {
  if (generics === undefined) return;
  for (const { bound, preset } of generics) {
    addNames(bound, into);
    addNames(preset, into);
  }
}

function addNames(value: Expression | undefined, into: Set<string>): void {
  if (value === undefined) return;
  switch (value.is) {
    case 'name':
      into.add(value.name);
      break;
    case 'member':
      into.add(value.name);
      addNames(value.of, into);
      break;
    case 'element':
    case 'each':
    case 'await':
    case 'entered':
    case 'part':
    case 'parameter':
      addNames(value.of, into);
      break;
    case 'call':
    case 'new':
      addNames(value.of, into);
      addAll(value.args, into);
      addAll(value.types, into);
      break;
    case 'either':
    case 'both':
    case 'tuple':
      addAll(value.of, into);
      break;
    case 'record':
      for (const [name, field] of value.fields) {
        into.add(name);
        addNames(field, into);
      }
      break;
    case 'function':
      addParameters(value.parameters, into);
      addGenerics(value.generics, into);
      addNames(value.type, into);
      addAll(value.values, into);
      break;
    case 'expected':
      addNames(value.call, into);
      addNames(value.result, into);
      break;
    case 'apply':
      addNames(value.of, into);
      addAll(value.types, into);
      break;
    case 'as':
      addNames(value.type, into);
      break;
    case 'typeof':
      addNames(value.value, into);
      break;
    case 'literal':
      if (value.text !== undefined) addWords(value.text, into);
      break;
    case 'this':
    case 'super':
    case 'unknown':
      break;
  }
}
