import { describe, expect, it } from 'vitest';
import { createRuleGraph } from './rule-graph.ts';
import { plannedReader } from '../query/reader.fixture.ts';

const graph = createRuleGraph(
  plannedReader({
    root: '/code/app',
    symbols: {
      'src/load.ts#load': { lines: [3, 9] },
      'src/run.ts#run': {},
      'src/run.ts#again': {},
      'src/a.ts#save': {},
      'src/b.ts#save': {},
      'src/run.ts#run.step': { local: true },
      'src/step.ts#step': {},
      'types.ts#Run': { kind: 'interface' },
      'types.ts#Run.stop': { declared: true },
      'src/run.ts#run.stop': { local: true, kind: 'function' },
      'src/shelf.ts#Shelf': { kind: 'class' },
      'src/shelf.ts#Shelf.put': {},
      'src/shelf.ts#Shelf.unused': { kind: 'field' },
      'test/load.ts#checks': {},
      'area.h#area': { declared: true, signature: 'int area(int side);' },
      'area.c#area': { signature: 'int area(int side)' },
    },
    links: [
      { from: 'src/run.ts#run', to: 'src/load.ts#load', line: 4 },
      { from: 'src/run.ts#run', to: 'src/load.ts#load', line: 5 },
      { from: 'src/run.ts#run', to: 'src/b.ts#save', line: 6 },
      { from: 'test/load.ts#checks', to: 'src/load.ts#load', line: 1 },
      { from: 'src/run.ts#again', to: 'src/load.ts#load', line: 9, why: 'only' },
      { from: 'src/a.ts#save', to: 'src/load.ts#load', kind: 'references', line: 2 },
    ],
  }),
  { isCurrent: () => true, whenCurrent: () => undefined },
);

/** What the planned files are. */
const INDEXED = { column: 1, size: 1, mtimeMs: 1 };

describe('what rules see of a graph', () => {
  it('a symbol with its callers, each once, without guesses, and where it is only named', () => {
    expect(graph.symbols('load', 3)).toEqual({
      total: 1,
      items: [
        {
          name: 'load',
          qualified: 'load',
          kind: 'function',
          path: '/code/app/src/load.ts',
          line: 3,
          ...INDEXED,
          callers: {
            total: 2,
            roles: { production: 1, test: 1 },
            items: [
              { name: 'run', path: '/code/app/src/run.ts', line: 4, ...INDEXED },
              { name: 'checks', path: '/code/app/test/load.ts', line: 1, ...INDEXED },
            ],
          },
          use: { places: { production: 1 }, implementers: 0, unresolved: 0 },
        },
      ],
    });
  });

  const paths = (name: string) => graph.symbols(name, 3).items.map(({ path }) => path.slice('/code/app/'.length));
  it.each([
    ['several of a name, those that are called more first', 'save', ['src/b.ts', 'src/a.ts']],
    ['none of a name', 'nothing', []],
    ['one beside a local one', 'step', ['src/step.ts']],
    ['a local one that another declares', 'stop', ['types.ts', 'src/run.ts']],
    ['a C function and its declaration', 'area', ['area.c']],
    ['a field that nothing uses', 'unused', []],
    ['a member of what is named before it', 'Store.save', []],
    ['a member, however its owner is written', 'shelf.put', ['src/shelf.ts']],
    ['a member behind a variable', 'x.put', ['src/shelf.ts']],
    ['a function of a file', 'load.load', ['src/load.ts']],
    ['no function behind what is not its file', 'other.load', []],
  ])('%s', (_, name, expected) => {
    expect(paths(name)).toEqual(expected);
  });
});
