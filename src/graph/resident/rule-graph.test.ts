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
      'area.h#area': { declared: true, signature: 'int area(int side);' },
      'area.c#area': { signature: 'int area(int side)' },
    },
    links: [
      { from: 'src/run.ts#run', to: 'src/load.ts#load', line: 4 },
      { from: 'src/run.ts#run', to: 'src/load.ts#load', line: 5 },
      { from: 'src/run.ts#again', to: 'src/load.ts#load', line: 9, why: 'only' },
      { from: 'src/a.ts#save', to: 'src/load.ts#load', kind: 'references', line: 2 },
    ],
  }),
  { isCurrent: () => true, whenCurrent: () => undefined },
);

/** What the planned files are. */
const INDEXED = { column: 1, size: 1, mtimeMs: 1 };

describe('what rules see of a graph', () => {
  it('a symbol with its callers, each once, without guesses and mere mentions', () => {
    expect(graph.symbol('load')).toEqual({
      name: 'load',
      path: '/code/app/src/load.ts',
      line: 3,
      ...INDEXED,
      callers: [{ name: 'run', path: '/code/app/src/run.ts', line: 4, ...INDEXED }],
    });
  });

  it.each([
    ['several of a name', 'save', undefined],
    ['none of a name', 'nothing', undefined],
    ['one beside a local one', 'step', '/code/app/src/step.ts'],
    ['a C function and its declaration', 'area', '/code/app/area.c'],
  ])('%s', (_, name, path) => {
    expect(graph.symbol(name)?.path).toBe(path);
  });
});
