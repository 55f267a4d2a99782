import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KINDS, WHYS, EDGE_KINDS } from '../format/codes.ts';
import type { Definition, FileFacts, Trait } from '../model/facts.ts';
import { keysOf } from '../model/facts.ts';
import type { Edge, FileLinks } from '../model/links.ts';
import { digestOf } from '../indexer/derive.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import type { GraphFile } from './pack.ts';
import { readAll } from './read-all.fixture.ts';
import { createReader } from './reader.ts';
import { encodeRecord, openRecord } from './record.ts';
import { openDeltaBytes, openSnapshotBytes, writeDelta, writeSnapshot } from './snapshot.ts';

const ROOT = '/code/app';
const PATHS = ['a.ts', 'b#c.ts', 'lib/a.ts', 'lib/ä.py', 'zz.go'];

interface Made {
  readonly facts: FileFacts;
  readonly links: FileLinks;
}

const definition = fc.record({
  name: fc.constantFrom('save', 'load', 'Store', 'get', 'a.b', 'ü'),
  kind: fc.constantFrom(...KINDS),
  container: fc.integer({ min: -1, max: 3 }),
  start: fc.nat(60),
  length: fc.nat(30),
  exported: fc.boolean(),
  traits: fc.subarray<Trait>(['local', 'declared', 'static']),
  doc: fc.option(fc.constantFrom('Says it.', 'Tut es – wirklich.'), { nil: undefined }),
});
const edge = fc.record({
  source: fc.integer({ min: -1, max: 3 }),
  kind: fc.constantFrom(...EDGE_KINDS),
  path: fc.constantFrom(...PATHS),
  target: fc.integer({ min: -1, max: 3 }),
  at: fc.nat(90),
  why: fc.constantFrom(...WHYS),
});
const DEFINITIONS = 4;
const made = fc
  .record({
    path: fc.constantFrom(...PATHS),
    isTest: fc.boolean(),
    definitions: fc.array(definition, { minLength: DEFINITIONS, maxLength: DEFINITIONS + 2 }),
    edges: fc.array(edge, { maxLength: 8 }),
    possible: fc.array(edge, { maxLength: 4 }),
    unresolved: fc.uniqueArray(fc.tuple(fc.constantFrom('save', 'nowhere', 'lost'), fc.integer({ min: 1, max: 9 })), {
      selector: ([name]) => name,
    }),
    outside: fc.nat(300),
  })
  .map(({ path, isTest, definitions, unresolved, outside, edges, possible }): Made => {
    const list = definitions.map((each, index): Definition => ({
      name: each.name,
      kind: each.kind,
      container: Math.min(each.container, index - 1),
      start: each.start,
      end: each.start + each.length,
      at: each.start + Math.min(2, each.length),
      signature: `${each.kind} ${each.name}`,
      exported: each.exported,
      visibility: 'public',
      traits: each.traits,
      bases: [],
      generics: [],
      parameters: [],
      values: [],
      ...(each.doc === undefined ? {} : { doc: each.doc }),
    }));
    const facts: FileFacts = {
      path,
      language: path.endsWith('.py') ? 'python' : 'typescript',
      flags: isTest ? ['test'] : [],
      lines: [0, 7, 8, 40, 90],
      definitions: list,
      references: [],
      imports: [],
      exports: [],
      bindings: [],
    };
    return { facts, links: { edges, possible, unresolved, outside, asked: [`file:${path}`, 'name:save'] } };
  });
const files = fc.uniqueArray(made, { selector: ({ facts }) => facts.path, maxLength: PATHS.length });

/** Only edges to files that are there. */
function within({ facts, links }: Made, there: ReadonlySet<string>): Made {
  const some = (edges: readonly Edge[]) => edges.filter(({ path }) => there.has(path));
  return { facts, links: { ...links, edges: some(links.edges), possible: some(links.possible) } };
}

function graphFile({ facts, links }: Made): GraphFile {
  const record = encodeRecord(facts, links);
  const { path, language, flags } = facts;
  return {
    path,
    language,
    flags,
    size: 90,
    mtimeMs: 1.5,
    symbols: facts.definitions.length,
    edges: links.edges.length,
    possible: links.possible.length,
    unresolved: links.unresolved.reduce((sum, [, count]) => sum + count, 0),
    outside: links.outside,
    record,
    digest: digestOf(path, record),
    facts: 'f'.repeat(32),
  };
}

const sorted = (all: readonly Made[]): GraphFile[] => all.map(graphFile).sort((a, b) => (a.path < b.path ? -1 : 1));

function openWhole(all: readonly Made[]): GraphReader {
  return createReader(openSnapshotBytes(writeSnapshot(ROOT, 'x', sorted(all))) as never, undefined);
}

describe('a graph', () => {
  it('with changes laid over it answers as one made of all files does', () =>
    fc.assert(
      fc.property(files, files, fc.uniqueArray(fc.constantFrom(...PATHS)), (now, other, kept) => {
        // What stays leads only to files that were there before and still are.
        const both = new Set(
          now.map(({ facts }) => facts.path).filter((path) => other.some(({ facts }) => facts.path === path)),
        );
        const staying = now.filter(({ facts }) => kept.includes(facts.path)).map((each) => within(each, both));
        const isStaying = ({ facts }: Made) => staying.some((each) => each.facts.path === facts.path);
        const after = new Set(now.map(({ facts }) => facts.path));
        const changed = now.filter((each) => !isStaying(each)).map((each) => within(each, after));
        const before = [...other.filter((each) => !isStaying(each)), ...staying];
        const there = new Set(before.map(({ facts }) => facts.path));
        const base = openSnapshotBytes(writeSnapshot(ROOT, 'x', sorted(before.map((each) => within(each, there)))));
        const removed = [...there].filter((path) => !after.has(path)).sort();
        const delta = openDeltaBytes(writeDelta(ROOT, base?.check ?? '', sorted(changed), removed));
        expect(readAll(createReader(base as never, delta))).toEqual(readAll(openWhole([...staying, ...changed])));
      }),
    ));

  it('has of every file what it was made of', () =>
    fc.assert(
      fc.property(files, (all) => {
        const there = new Set(all.map(({ facts }) => facts.path));
        const given = all.map((each) => within(each, there));
        const graph = openWhole(given);
        for (const { facts, links } of given) {
          const ids = graph.symbolsOf(facts.path);
          const entry = graph.file(facts.path);
          const keys = keysOf(facts);
          expect(ids.map((id) => graph.symbol(id).key)).toEqual(keys.map((key) => `${facts.path}#${key}`));
          expect(ids.map((id) => graph.symbol(id).name)).toEqual(facts.definitions.map(({ name }) => name));
          expect(ids.map((id) => graph.symbol(id).doc)).toEqual(facts.definitions.map(({ doc }) => doc));
          const out = [entry?.module ?? -1, ...ids].flatMap((id) => graph.outgoing(id));
          expect(out.map(({ kind, why }) => `${kind} ${why}`).sort()).toEqual(
            links.edges
              .filter(({ source }) => source < ids.length)
              .map(({ kind, why }) => `${kind} ${why}`)
              .sort(),
          );
          expect(openRecord(graphFile({ facts, links }).record).asked()).toEqual(links.asked);
        }
      }),
    ));

  it('shows places as lines and columns from 1 on', () => {
    const facts = { path: 'a.ts', lines: [0, 10, 20], definitions: [] } as never as FileFacts;
    const one = {
      ...graphFile({
        facts: {
          ...facts,
          language: 'typescript',
          flags: [],
          definitions: [
            {
              name: 'f',
              kind: 'function',
              container: -1,
              start: 10,
              at: 19,
              end: 20,
              signature: '',
              exported: true,
              visibility: 'special',
              traits: [],
              bases: [],
              generics: [],
              parameters: [],
              values: [],
            },
          ],
        },
        links: {
          edges: [{ source: 0, kind: 'calls', path: 'a.ts', target: 0, at: 22, why: 'scope' }],
          possible: [],
          unresolved: [],
          outside: 0,
          asked: [],
        },
      }),
    };
    const graph = createReader(openSnapshotBytes(writeSnapshot(ROOT, 'x', [one])) as never, undefined);
    expect(graph.symbol(1)).toMatchObject({
      firstLine: 2,
      lastLine: 2,
      line: 2,
      column: 10,
      container: 0,
      visibility: 'special',
    });
    expect(graph.incoming(1)).toEqual([{ symbol: 1, kind: 'calls', path: 'a.ts', line: 3, column: 3, why: 'scope' }]);
    expect(graph.symbol(0)).toMatchObject({ kind: 'module', key: 'a.ts', firstLine: 1, lastLine: 3 });
  });

  it.each([
    ['cut off', (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1)],
    [
      'of which one bit is wrong',
      (bytes: Uint8Array) => bytes.map((byte, at) => (at === bytes.length - 40 ? byte ^ 4 : byte)),
    ],
    ['of nothing', () => new Uint8Array()],
    ['of something else', () => new TextEncoder().encode('x'.repeat(500))],
  ])('%s is no graph', (_, spoil) => {
    const bytes = writeSnapshot(ROOT, 'x', []);
    expect(openSnapshotBytes(bytes)).toBeDefined();
    expect(openSnapshotBytes(spoil(bytes))).toBeUndefined();
  });

  it('can lie anywhere in what was read', () => {
    const bytes = writeSnapshot(ROOT, 'x', []);
    const larger = new Uint8Array(bytes.length + 3);
    larger.set(bytes, 3);
    expect(openSnapshotBytes(larger.subarray(3))?.root).toBe(ROOT);
  });
});
