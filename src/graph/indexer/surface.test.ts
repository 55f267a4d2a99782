import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFacts, encodeFacts } from '../format/facts-codec.ts';
import { anyFacts } from '../format/facts.fixture.ts';
import type { Binding, Definition, FileFacts } from '../model/facts.ts';
import { isSameSurface } from './surface.ts';

const SAVE: Definition = {
  name: 'save',
  kind: 'function',
  container: -1,
  start: 10,
  end: 90,
  at: 19,
  signature: 'function save()',
  exported: true,
  visibility: 'public',
  doc: 'Keeps it.',
  traits: [],
  bases: [],
  generics: [],
  parameters: [],
  values: [{ is: 'name', name: 'made', at: 80 }],
};
const MADE: Binding = {
  name: 'made',
  within: 0,
  from: 20,
  to: 90,
  at: 30,
  value: { is: 'name', name: 'Store', at: 40 },
};
const FILE: FileFacts = {
  path: 'a.ts',
  language: 'typescript',
  flags: [],
  lines: [0, 9],
  definitions: [SAVE, { ...SAVE, name: 'load', start: 100, at: 109, end: 120, values: [] }],
  references: [{ within: 0, name: 'log', kind: 'call', at: 50 }],
  imports: [{ local: 'Store', module: './store.ts', name: 'Store', kind: 'value', within: -1, at: 2 }],
  exports: [],
  bindings: [MADE, { name: 'other', within: 0, from: 20, to: 90, at: 60, value: { is: 'name', name: 'x', at: 66 } }],
};

const withSave = (more: Partial<Definition>): FileFacts => ({
  ...FILE,
  definitions: FILE.definitions.with(0, { ...SAVE, ...more }),
});

describe('the surface of a file', () => {
  it.each<[string, FileFacts]>([
    ['its calls', { ...FILE, references: [] }],
    ['doc and signature', withSave({ doc: 'Else.', signature: 'function save ()' })],
    ['where its lines begin', { ...FILE, lines: [0, 4, 9] }],
    ['a local name that no result depends on', { ...FILE, bindings: [MADE] }],
    ['how long a body is', { ...withSave({ end: 95 }), bindings: FILE.bindings.map((each) => ({ ...each, to: 95 })) }],
  ])('is not changed by %s', (_, changed) => expect(isSameSurface(changed, FILE)).toBe(true));

  it.each<[string, FileFacts]>([
    ['the name of a definition', withSave({ name: 'keep' })],
    ['a definition more', { ...FILE, definitions: [...FILE.definitions, { ...SAVE, name: 'x' }] }],
    ['the order of definitions', { ...FILE, definitions: FILE.definitions.toReversed() }],
    ['what is returned', withSave({ values: [{ is: 'name', name: 'other', at: 80 }] })],
    [
      'what the returned name is set to',
      { ...FILE, bindings: [{ ...MADE, value: { is: 'name', name: 'Shop', at: 40 } }] },
    ],
    ['where the returned name means something', { ...FILE, bindings: [{ ...MADE, to: 70 }] }],
    ['an import', { ...FILE, imports: [] }],
    ['a flag', { ...FILE, flags: ['damaged'] }],
    ['a name that moves behind what uses it', withSave({ start: 10, at: 85 })],
  ])('is changed by %s', (_, changed) => expect(isSameSurface(changed, FILE)).toBe(false));

  it('is the same wherever in the file all of it stands, and after storing', () =>
    fc.assert(
      fc.property(anyFacts, fc.nat(50), (facts, by) => {
        expect(isSameSurface(moved(facts, by), facts)).toBe(true);
        expect(isSameSurface(decodeFacts(encodeFacts(facts)), facts)).toBe(true);
      }),
    ));
});

/** The same facts with so many characters before them. */
function moved(facts: FileFacts, by: number): FileFacts {
  const places = new Set(['at', 'from', 'to', 'start', 'end']);
  return JSON.parse(JSON.stringify(facts), (key, value: unknown) =>
    places.has(key) && typeof value === 'number' ? value + by : value,
  ) as FileFacts;
}
