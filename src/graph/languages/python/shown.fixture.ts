import { keysOf } from '../../model/facts.ts';
import type { Extracted } from '../language.ts';
import { show } from '../shown.fixture.ts';

export const callsOf = (found: Extracted): string[] =>
  found.references.filter(({ kind }) => kind === 'call').map(({ name, receiver }) => `${show(receiver)} ${name}`);
/** What a local name is, by its binding; nearest last. */
export const bindingsOf = (found: Extracted, name: string): string[] =>
  found.bindings
    .filter((binding) => binding.name === name)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
    .map(({ type, value }) => (type ? `: ${show(type)}` : show(value)));
export const definition = (found: Extracted, key: string) => found.definitions[keysOf(found).indexOf(key)];
