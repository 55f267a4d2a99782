import { sha256 } from '../../platform/hash.ts';
import { encodeFacts } from '../format/facts-codec.ts';
import type { Expression, Generic, Parameter } from '../model/expression.ts';
import type { Binding, FileFacts } from '../model/facts.ts';

/**
 * Whether resolving another file sees the same of both: their definitions, imports and exports, and the order in which
 * their places lie, but not the places themselves. Of the names inside functions only those count that decide what a
 * definition is or returns.
 */
export function isSameSurface(before: FileFacts, after: FileFacts): boolean {
  const [was, now] = [placeless(before), placeless(after)];
  if (Buffer.compare(was.bytes, now.bytes) !== 0) return false;
  return areEqual(was.offsets, now.offsets) || areEqual(inRanks(was.offsets), inRanks(now.offsets));
}

function placeless(facts: FileFacts): { readonly bytes: Uint8Array; readonly offsets: readonly number[] } {
  const offsets: number[] = [];
  const bindings = reachedBindings(facts);
  return { bytes: encodeFacts(facts, { bindings, mapOffset: (offset) => (offsets.push(offset), 0) }), offsets };
}

function inRanks(offsets: readonly number[]): number[] {
  const ranks = ranksOf(offsets);
  return offsets.map((offset) => ranks.get(offset) as number);
}

function areEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Of facts with only these bindings, apart from where in the file they stand. */
export function digestOf(facts: FileFacts, bindings: readonly Binding[]): string {
  const offsets: number[] = [];
  encodeFacts(facts, { bindings, mapOffset: (offset) => (offsets.push(offset), 0) });
  const ranks = ranksOf(offsets);
  const bytes = encodeFacts(facts, { bindings, mapOffset: (offset) => ranks.get(offset) as number });
  return sha256(bytes).slice(0, 32);
}

function ranksOf(offsets: readonly number[]): Map<number, number> {
  const ranks = new Map<number, number>();
  for (const offset of Float64Array.from(offsets).sort()) if (!ranks.has(offset)) ranks.set(offset, ranks.size);
  return ranks;
}

/** Those that a name leads to which decides what a definition is, and those that such ones lead to. */
export function reachedBindings({ definitions, exports, bindings }: FileFacts): readonly Binding[] {
  if (bindings.length === 0) return bindings;
  const byName = new Map<string, Binding[]>();
  for (const binding of bindings) {
    const same = byName.get(binding.name);
    if (same === undefined) byName.set(binding.name, [binding]);
    else same.push(binding);
  }
  const reached = new Set<Binding>();
  const seen = new Set<Expression>();

  function reach(name: string, at: number): void {
    for (const binding of byName.get(name) ?? []) {
      if (at < binding.from || at >= binding.to || reached.has(binding)) continue;
      reached.add(binding);
      mention(binding.type);
      mention(binding.value);
    }
  }

  function mentionAll(list: readonly Expression[] | undefined): void {
    if (list !== undefined) for (const each of list) mention(each);
  }

  function mentionParameters(parameters: readonly Parameter[]): void {
    for (const { type, value } of parameters) {
      mention(type);
      mention(value);
    }
  }

  function mentionGenerics(generics: readonly Generic[] | undefined): void {
    if (generics === undefined) return;
    for (const { bound, preset } of generics) {
      mention(bound);
      mention(preset);
    }
  }

  function mention(value: Expression | undefined): void {
    if (value === undefined || value.is === 'unknown' || value.is === 'literal' || seen.has(value)) return;
    seen.add(value);
    switch (value.is) {
      case 'name':
        return reach(value.name, value.at);
      case 'this':
        return reach('this', value.at);
      case 'super':
        return reach('super', value.at);
      case 'member':
      case 'element':
      case 'each':
      case 'await':
      case 'entered':
      case 'part':
      case 'parameter':
        return mention(value.of);
      case 'call':
      case 'new':
        mention(value.of);
        mentionAll(value.args);
        return mentionAll(value.types);
      case 'either':
      case 'both':
      case 'tuple':
        return mentionAll(value.of);
      case 'record':
        for (const [, field] of value.fields) mention(field);
        return;
      case 'function':
        mentionParameters(value.parameters);
        mentionGenerics(value.generics);
        mention(value.type);
        return mentionAll(value.values);
      case 'expected':
        mention(value.call);
        return mention(value.result);
      case 'apply':
        mention(value.of);
        return mentionAll(value.types);
      case 'as':
        return mention(value.type);
      case 'typeof':
        return mention(value.value);
    }
  }

  for (const { bases, generics, parameters, type, values } of definitions) {
    for (const base of bases) mention(base.type);
    mentionGenerics(generics);
    mentionParameters(parameters);
    mention(type);
    mentionAll(values);
  }
  for (const { local, value, at } of exports) {
    reach(local, at);
    mention(value);
  }
  return bindings.filter((binding) => reached.has(binding));
}
