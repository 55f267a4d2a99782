import { describe, expect, it } from 'vitest';
import { architectureDigest, architectureModel } from './architecture-model.ts';
import type { ArchitectureModel } from './architecture-model.ts';
import { importGraph } from './import-graph.fixture.ts';
import type { PlannedModule } from './import-graph.fixture.ts';

type Plan = Readonly<Record<string, PlannedModule | readonly string[]>>;

function namesOf({ layers }: ArchitectureModel): Record<string, string[]> {
  return Object.fromEntries(layers.map(({ name, cards }) => [name, cards.map((card) => card.name)]));
}

function edgesOf({ layers, edges }: ArchitectureModel): string[] {
  const cards = new Map(layers.flatMap((layer) => layer.cards).map(({ id, name }) => [id, name]));
  return edges.map(
    ({ from, to, imports, isCycle }) => `${cards.get(from)} -> ${cards.get(to)} ${imports}${isCycle ? ' cycle' : ''}`,
  );
}

/** `count` modules in a directory, each importing what is named. */
function many(directory: string, count: number, imports: readonly string[] = []): Plan {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`${directory}/m${n}.ts`, imports]));
}

describe('districts and layers', () => {
  const cases: readonly (readonly [
    title: string,
    plan: Plan,
    entry: string[],
    core: string[],
    foundation: string[],
  ])[] = [
    ['nothing', {}, [], [], []],
    ['one module', { 'main.py': [] }, ['main.py'], [], []],
    [
      'three modules of one directory stand for themselves',
      { 'src/main.ts': ['src/app.ts'], 'src/app.ts': ['src/store.ts'], 'src/store.ts': [] },
      ['src/main.ts'],
      ['src/app.ts'],
      ['src/store.ts'],
    ],
    ['no imports at all', { 'a.sh': [], 'b.sh': [], 'lib/c.sh': [] }, ['a.sh', 'b.sh', 'lib/c.sh'], [], []],
    [
      'what all have in common is divided',
      {
        ...many('src/app', 6, ['src/core/m0.ts']),
        ...many('src/core', 6, ['src/text/m0.ts']),
        ...many('src/text', 6),
        ...many('src/shell', 6, ['src/core/m1.ts']),
      },
      ['src/app', 'src/shell'],
      ['src/core'],
      ['src/text'],
    ],
    [
      'packages of a monorepo are whole and have the name of their directory',
      {
        ...many('packages/web/src', 9, ['packages/api/src/m0.ts']),
        ...many('packages/api/src/deep', 9, ['packages/base/src/m1.ts']),
        ...many('packages/api/src', 9),
        ...many('packages/base/src', 9),
        ...many('tools/lint', 3),
        ...Object.fromEntries(
          ['web', 'api', 'base'].map((name) => [
            `packages/${name}/package.json`,
            { language: 'manifest' as const, kinds: [] },
          ]),
        ),
      },
      ['packages/web', 'tools/lint'],
      ['packages/api'],
      ['packages/base'],
    ],
    [
      'a circle that nothing leads out of is below, one that all lead into and out of between',
      {
        'a/x.ts': ['b/x.ts'],
        'b/x.ts': ['c/x.ts', 'd/x.ts'],
        'c/x.ts': ['b/x.ts'],
        'd/x.ts': ['e/x.ts'],
        'e/x.ts': ['d/x.ts'],
      },
      ['a/x.ts'],
      ['b/x.ts', 'c/x.ts'],
      ['d/x.ts', 'e/x.ts'],
    ],
    ['a circle alone is neither above nor below', { 'a.ts': ['b.ts'], 'b.ts': ['a.ts'] }, [], ['a.ts', 'b.ts'], []],
    [
      'a single import back does not lift what all others build on',
      {
        ...many('app', 12, ['base/m0.ts', 'store/m0.ts']),
        ...many('store', 12, ['base/m0.ts', 'text/m0.ts']),
        ...many('base', 12),
        ...many('text', 2),
        'base/back.ts': ['store/m3.ts'],
        ...many('cli', 2, ['app/m0.ts']),
      },
      ['cli'],
      ['app', 'store'],
      ['base', 'text'],
    ],
  ];
  it.each(cases)('%s', (_, plan, entry, core, foundation) => {
    expect(namesOf(architectureModel(importGraph(plan)))).toEqual({ entry, core, foundation });
  });

  it('divides one flat directory by who imports whom', () => {
    const plan = { ...many('lib', 0) } as Record<string, string[]>;
    for (const part of ['parse', 'store', 'paint'])
      for (let n = 0; n < 8; n += 1)
        plan[`lib/${part}${n}.ts`] = n === 0 ? [] : [`lib/${part}0.ts`, `lib/${part}${n - 1}.ts`];
    (plan['lib/paint7.ts'] as string[]).push('lib/store0.ts');
    const model = architectureModel(importGraph(plan));
    expect(
      model.layers.flatMap(({ cards }) => cards.map(({ name, modules }) => `${name} ${modules}`)).toSorted(),
    ).toEqual(['lib/paint* 8', 'lib/parse* 8', 'lib/store* 8']);
    expect(edgesOf(model)).toEqual(['lib/paint* -> lib/store* 1']);
  });

  it('leaves a flat directory in one piece when nothing divides it', () => {
    const plan = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`m${n}.ts`, []]));
    expect(namesOf(architectureModel(importGraph(plan)))['entry']).toEqual(['./*']);
  });
});

describe('cards', () => {
  const model = architectureModel(
    importGraph({
      'app/main.ts': ['base/a.ts', 'base/b.ts'],
      'app/more.ts': ['base/a.ts'],
      'base/a.ts': { kinds: ['class', 'method', 'function', 'field'] },
      'base/b.ts': { imports: ['base/a.ts'], kinds: ['interface', 'constant'] },
      'base/c.generated.ts': { imports: ['base/b.ts'], flags: ['generated'] },
      'tool/x.ts': ['base/b.ts'],
      'tool/y.ts': [],
      'web/x.ts': ['base/a.ts'],
      'web/y.ts': [],
    }),
  );
  const base = model.layers[2]?.cards[0];

  it('counts what is in a district and what leads in and out', () => {
    expect(base).toEqual({
      id: 'foundation 0',
      name: 'base',
      districts: 1,
      modules: 3,
      classes: 2,
      functions: 3,
      importsIn: 5,
      importsOut: 0,
      top: ['base/a.ts', 'base/b.ts'],
      centrality: 0.5,
      depth: 1,
    });
    expect(model.typeWord).toBe('types');
  });

  it('weighs imports between districts', () => {
    expect(edgesOf(model)).toEqual(['app -> base 3', 'tool -> base 1', 'web -> base 1']);
  });
});

it('takes a Go import of a directory as one, and names directories', () => {
  const go = (path: string, imports: readonly string[] = []) => [path, { language: 'go', imports }] as const;
  const model = architectureModel(
    importGraph(
      Object.fromEntries([
        go('cmd/a.go', ['pkg/store/x.go', 'pkg/store/y.go', 'pkg/text/z.go']),
        go('cmd/b.go'),
        go('pkg/store/x.go', ['pkg/text/z.go']),
        go('pkg/store/y.go'),
        go('pkg/text/z.go'),
        go('web/a.go', ['pkg/store/x.go', 'pkg/store/y.go']),
        go('web/b.go'),
        go('api/a.go'),
        go('api/b.go'),
      ]),
    ),
  );
  expect(edgesOf(model)).toContain('web -> pkg/store 1');
});

it('goes by what symbols use where a language imports nothing', () => {
  const java = { language: 'java' as const };
  const model = architectureModel(
    importGraph({ 'A.java': { ...java, uses: ['B.java'] }, 'B.java': { ...java, uses: ['C.java'] }, 'C.java': java }),
  );
  expect(namesOf(model)).toEqual({ entry: ['A.java'], core: ['B.java'], foundation: ['C.java'] });
});

describe('what is left out', () => {
  it('tests, docs and samples, what is named as their support unless the product needs it, foreign code and what was not read', () => {
    const model = architectureModel(
      importGraph({
        'src/a.ts': ['src/mocks/used.ts'],
        'src/a.test.ts': { flags: ['test'], imports: ['src/world.fixture.ts', 'src/a.ts'] },
        'src/world.fixture.ts': ['src/a.ts'],
        'src/mocks/used.ts': [],
        'docs/snippet.ts': ['src/a.ts'],
        'examples/app.ts': ['src/a.ts'],
        'src/vendor.js': { flags: ['vendored'] },
        'src/big.js': { flags: ['minified'], kinds: [] },
        'package.json': { language: 'manifest', kinds: [] },
      }),
    );
    expect(namesOf(model)).toEqual({ entry: ['src/a.ts'], core: [], foundation: ['src/mocks/used.ts'] });
    expect(model.leftOut).toEqual({ tests: 2, samples: 2, vendored: 1, unread: 1 });
  });

  it('nothing, where there is nothing but tests', () => {
    const model = architectureModel(importGraph({ 'a.test.ts': { flags: ['test'] } }));
    expect([model.modules, model.leftOut.tests]).toEqual([1, 0]);
  });
});

describe('what has no room', () => {
  const plan = { ...many('base', 2), ...many('alone', 2) };
  for (let n = 0; n < 15; n += 1)
    Object.assign(plan, many(`app${String(n).padStart(2, '0')}`, n + 2, ['base/m0.ts', 'base/m1.ts']));
  const model = architectureModel(importGraph(plan));

  it('is one card with a count; the most central eight are shown', () => {
    const entry = model.layers[0]?.cards ?? [];
    expect(entry.map(({ name }) => name)).toEqual([
      ...['07', '08', '09', '10', '11', '12', '13', '14'].map((n) => `app${n}`),
      '+8 districts',
    ]);
    expect(entry.at(-1)).toMatchObject({ districts: 8, modules: 2 + 2 + 3 + 4 + 5 + 6 + 7 + 8, importsIn: 0 });
  });

  it('is a number of imports', () => {
    expect([model.edges.length, model.moreImports]).toEqual([8, 2 * (2 + 3 + 4 + 5 + 6 + 7 + 8)]);
  });

  it('keeps the twenty heaviest lines', () => {
    const dense: Record<string, string[]> = {};
    for (let n = 0; n < 8; n += 1) dense[`d${n}/x.ts`] = Array.from({ length: n }, (_, other) => `d${other}/x.ts`);
    const { edges, moreImports } = architectureModel(importGraph(dense));
    expect([edges.length, moreImports]).toEqual([20, 8]);
  });
});

it('marks circles that can be followed', () => {
  const model = architectureModel(
    importGraph({ 'a/x.ts': ['b/x.ts'], 'b/x.ts': ['c/x.ts'], 'c/x.ts': ['a/x.ts'], 'd/x.ts': ['a/x.ts'] }),
  );
  expect(edgesOf(model)).toEqual([
    'a/x.ts -> b/x.ts 1 cycle',
    'b/x.ts -> c/x.ts 1 cycle',
    'c/x.ts -> a/x.ts 1 cycle',
    'd/x.ts -> a/x.ts 1',
  ]);
  expect([model.cycles, model.inCycles]).toEqual([1, 3]);
});

it('is the same in whatever order files are listed, and has another digest when one import is added', () => {
  const plan: Plan = { ...many('app', 5, ['base/m0.ts']), ...many('base', 5), ...many('cli', 5, ['app/m1.ts']) };
  const one = architectureModel(importGraph(plan));
  const other = architectureModel(importGraph(Object.fromEntries(Object.entries(plan).toReversed())));
  expect(other).toEqual(one);
  const more = architectureModel(importGraph({ ...plan, 'cli/m0.ts': ['base/m0.ts'] }));
  expect(architectureDigest(other)).toBe(architectureDigest(one));
  expect(architectureDigest(more)).not.toBe(architectureDigest(one));
});
