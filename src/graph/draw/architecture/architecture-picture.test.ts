import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { faultsOf, readPicture } from '../picture.fixture.ts';
import { COLOURS } from '../theme.ts';
import { architectureModel } from './architecture-model.ts';
import { drawArchitecture } from './architecture-picture.ts';
import { CARD_HEIGHT } from './grid.ts';
import { importGraph } from './import-graph.fixture.ts';
import { STYLES } from './layer-style.ts';
import { meaningOf } from './architecture-picture.ts';

const ABOUT = { root: 'project', digest: '0123456789abcdef', state: 'stable' } as const;
type Imports = Record<string, string[]>;

function draw(plan: Imports): string {
  return drawArchitecture(architectureModel(importGraph(plan)), ABOUT);
}

/** What no picture may have, beyond what holds for all pictures. */
function faultsIn(svg: string): string[] {
  const { width, height, shapes } = readPicture(svg);
  const faults = faultsOf(svg);
  if (width !== 1400 || height < 520 || height > 1000) faults.push(`${width} x ${height}`);
  if (!svg.includes('data-part="legend"')) faults.push('no legend');
  const cards = shapes.filter((shape) => shape.fill === COLOURS.card && shape.height === CARD_HEIGHT - 1);
  for (const line of shapes.filter(({ is }) => is === 'line'))
    for (const card of cards)
      if (
        line.points.some(
          ([x, y]) => x > card.x + 1 && x < card.x + card.width - 1 && y > card.y + 1 && y < card.y + card.height - 1,
        )
      )
        faults.push(`a line over the card at ${card.x},${card.y}`);
  return faults;
}

/** Always the same numbers below `most`. */
function numbers(): (most: number) => number {
  let state = 7;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}

function project(count: number, directories: number, each: number, isTangled: boolean): Imports {
  const next = numbers();
  const paths = Array.from({ length: count }, (_, n) => `packages/part-${n % directories}/module-${n}.ts`);
  return Object.fromEntries(
    paths.map((path, n) => [
      path,
      Array.from({ length: n === 0 ? 0 : each }, () => {
        const to = next(n);
        // Only from higher parts to lower ones, unless it is tangled.
        return paths[isTangled ? to : to - (to % directories) + Math.min(to % directories, n % directories)] as string;
      }).filter((target) => target !== path),
    ]),
  );
}

describe('nothing overlaps, is clipped or too small, and there is a legend', () => {
  const flat = (count: number): Imports =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`m${n}.ts`, n > 0 && n % 3 > 0 ? [`m${n - 1}.ts`] : []]),
    );
  const drawn: readonly (readonly [string, Imports])[] = [
    ['no module', {}],
    ['1 module', { 'main.ts': [] }],
    ['3 modules', { 'a.ts': ['b.ts'], 'b.ts': ['c.ts'], 'c.ts': [] }],
    ['400 modules in layers', project(400, 24, 2, false)],
    ['400 modules, tangled', project(400, 24, 2, true)],
    ['5,000 modules in layers', project(5_000, 60, 3, false)],
    ['5,000 modules, tangled', project(5_000, 60, 3, true)],
    ['5,000 modules of one directory', flat(5_000)],
    [
      'long names, and letters that mean something in XML',
      {
        [`${'deep/'.repeat(30)}<a> & "b".ts`]: [],
        [`${'x'.repeat(300)}/${'y'.repeat(300)}.ts`]: [`${'deep/'.repeat(30)}<a> & "b".ts`],
      },
    ],
  ];
  it.each(drawn)('%s', (_, plan) => {
    expect(faultsIn(draw(plan))).toEqual([]);
  });
});

it('has no fault whoever imports whom', () => {
  const edge = fc.record({ from: fc.nat(27), to: fc.nat(27), times: fc.constantFrom(1, 2, 30, 999, 12_345) });
  const plan = fc.record({ districts: fc.integer({ min: 1, max: 28 }), edges: fc.array(edge, { maxLength: 60 }) });
  fc.assert(
    fc.property(plan, ({ districts, edges }) => {
      const model = architectureModel(
        importGraph(
          Object.fromEntries(
            Array.from({ length: districts }, (_, n) => [
              `district-${n}/x.ts`,
              edges
                .filter(({ from, to }) => from % districts === n && to % districts !== n)
                .map(({ to }) => `district-${to % districts}/x.ts`),
            ]),
          ),
        ),
      );
      // Heavy edges without thousands of modules.
      const heavy = model.edges.map((own, n) => ({ ...own, imports: edges[n]?.times ?? 1 }));
      const sorted = heavy.toSorted((a, b) => b.imports - a.imports);
      expect(faultsIn(drawArchitecture({ ...model, edges: sorted }, ABOUT))).toEqual([]);
    }),
    cases(60),
  );
});

it('tells the lines that have no room between six full rows', () => {
  const cards = (layer: string) => Array.from({ length: 8 }, (_, n) => `${layer}${n}/x.ts`);
  const [above, middle, below] = [cards('a'), cards('b'), cards('c')];
  const next = numbers();
  const any = (some: readonly string[]) => some[next(some.length)] as string;
  const plan: Imports = Object.fromEntries(below.map((path) => [path, []]));
  for (const path of middle) plan[path] = [any(below), any(below), any(below)];
  for (const path of above) plan[path] = [...middle];
  const model = architectureModel(importGraph(plan));
  expect(model.layers.map((layer) => layer.cards.length)).toEqual([8, 8, 8]);
  const svg = drawArchitecture(model, ABOUT);
  expect(faultsIn(svg)).toEqual([]);
  const { texts, tooltips } = readPicture(svg);
  const drawn = tooltips.filter((text) => text.includes('→')).length;
  const total = model.edges.reduce((sum, { imports }) => sum + imports, 0) + model.moreImports;
  expect(texts.find((text) => text.includes('more imports'))).toMatch(new RegExp(`^${total - drawn} more imports`));
});

describe('what it says', () => {
  const plan = project(400, 24, 2, true);
  const picture = readPicture(draw(plan));

  it('names layers, what had no room, and what is not drawn', () => {
    expect(picture.texts).toEqual(expect.arrayContaining(['Entry', 'Core', 'Foundation']));
    expect(picture.texts.some((text) => /^\+\d+ districts$/.test(text))).toBe(true);
    expect(picture.texts.some((text) => /^\d+ more imports/.test(text))).toBe(true);
  });

  it('explains layers, width, dot and cycles', () => {
    const all = picture.texts.join('\n');
    for (const word of ['Entry: imported by none', 'Foundation: imports none', 'wider', 'dot:', 'import cycle'])
      expect(all).toContain(word);
  });

  it('has title, description and full names as tooltips', () => {
    expect(picture.title).toBe('Architecture of project');
    expect(picture.desc).toContain('400 modules in 24 districts');
    const long = `${'long-directory-name/'.repeat(6)}end`;
    const { texts, tooltips } = readPicture(draw({ [`${long}/a.ts`]: [], 'b.ts': [], 'c.ts': [] }));
    expect(texts.join('\n')).not.toContain(long);
    expect(tooltips.join('\n')).toContain(`${long}/a.ts`);
  });

  it('writes the number of imports from two on', () => {
    const texts = (count: number): readonly string[] =>
      readPicture(
        draw({
          'a/x.ts': Array.from({ length: count }, (_, n) => `b/y${n}.ts`),
          'b/y0.ts': [],
          'b/y1.ts': [],
          'c/z.ts': [],
          'd/z.ts': [],
        }),
      ).texts;
    expect(texts(2)).toContain('2');
    expect(texts(1)).not.toContain('1');
  });
});

it('has the same bytes for the same graph, and others when one import is added', () => {
  const plan = project(60, 6, 2, false);
  const other = Object.fromEntries(Object.entries(plan).toReversed());
  expect(draw(other)).toBe(draw(plan));
  const [first, last] = [Object.keys(plan)[0] as string, Object.keys(plan).at(-1) as string];
  expect(draw({ ...plan, [first]: [last] })).not.toBe(draw(plan));
});

describe('what is no part of the product', () => {
  const PRODUCT = { 'src/app/main.ts': ['src/core/store.ts'], 'src/core/store.ts': [] };
  const boxesOf = (svg: string) =>
    readPicture(svg).shapes.filter(({ is, fill, width }) => is === 'rect' && fill === 'none' && width > 1000);

  it('is one box without a colour, which says how much it is', () => {
    const svg = draw({
      ...PRODUCT,
      'test/main.test.ts': ['src/app/main.ts'],
      'test/store.test.ts': ['src/core/store.ts'],
      'examples/first.ts': ['src/app/main.ts'],
    });
    expect(svg).toContain('Beside the product: 2 test modules, 1 module of docs and samples');
    expect(boxesOf(svg)).toHaveLength(1);
    expect(faultsIn(svg)).toEqual([]);
  });

  it('is not drawn where there is none', () => {
    const svg = draw(PRODUCT);
    expect(svg).not.toContain('Beside the product');
    expect(boxesOf(svg)).toEqual([]);
  });
});

it.each([
  ['each in its place', { 'src/app/main.ts': ['src/core/store.ts'], 'src/core/store.ts': [] }],
  ['in a circle', { 'src/app/main.ts': ['src/core/store.ts'], 'src/core/store.ts': ['src/app/main.ts'] }],
])('a band and the legend say the same of its districts: %s', (_, plan) => {
  const model = architectureModel(importGraph(plan));
  const { texts } = readPicture(drawArchitecture(model, ABOUT));
  for (const { name, cards } of model.layers) {
    const meaning = meaningOf(model, name);
    expect(texts).toContain(`${STYLES[name].title}: ${meaning}`);
    if (cards.length > 0) expect(texts).toContain(meaning);
    else expect(meaning).toMatch(/: none$/);
  }
});
