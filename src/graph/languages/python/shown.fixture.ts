import type { Expression } from '../../expression.ts';
import { keysOf } from '../../facts.ts';
import type { Extracted } from '../language.ts';

/** Line and column, both from 1. */
export function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
/** An expression as somebody would write it. */
export function show(e: Expression | undefined): string {
  if (e === undefined) return '-';
  switch (e.is) {
    case 'name':
      return e.name;
    case 'member':
      return `${show(e.of)}.${e.name}`;
    case 'call':
      return `${show(e.of)}(${e.args.map(show).join(', ')})`;
    case 'apply':
      return `${show(e.of)}[${e.types.map(show).join(', ')}]`;
    case 'either':
      return e.of.map(show).join(' | ');
    case 'tuple':
      return `(${e.of.map(show).join(', ')})`;
    case 'literal':
      return `<${e.type}>`;
    case 'part':
      return `part ${e.n} of ${show(e.of)}`;
    case 'each':
    case 'await':
    case 'entered':
    case 'element':
      return `${e.is} ${show(e.of)}`;
    case 'as':
      return `as ${show(e.type)}`;
    case 'typeof':
      return `typeof ${show(e.value)}`;
    case 'function':
      return `(${e.parameters.map(({ name, type }) => name || show(type)).join(', ')}) => ${show(e.type ?? e.values?.[0])}`;
    case 'parameter':
      return `parameter ${e.n} of ${show(e.of)}`;
    case 'expected':
      return `argument ${e.n} of ${show(e.call)}`;
    default:
      return e.is;
  }
}
export const callsOf = (found: Extracted): string[] =>
  found.references.filter(({ kind }) => kind === 'call').map(({ name, receiver }) => `${show(receiver)} ${name}`);
/** What a local name is, by its binding; nearest last. */
export const bindingsOf = (found: Extracted, name: string): string[] =>
  found.bindings
    .filter((binding) => binding.name === name)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .map(({ type, value }) => (type ? `: ${show(type)}` : show(value)));
export const definition = (found: Extracted, key: string) => found.definitions[keysOf(found).indexOf(key)];
