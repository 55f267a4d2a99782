import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import type { Canvas } from '../canvas/canvas.ts';
import { digestNow } from '../draw/drawings.ts';
import { takeLease } from '../store/lease.ts';
import { openProject } from './project.fixture.ts';
import type { Project } from './project.fixture.ts';
import { serveProject } from './served-project.fixture.ts';
import type { Served } from './served-project.fixture.ts';

const F = 'src/a.ts#f';
const G = 'src/a.ts#g';
const PNG = async (): Promise<Uint8Array> => new Uint8Array([1]);

let project: Project;
let served: Served;
beforeEach(async () => {
  project = openProject({
    'src/a.ts': 'export function f(): void {}\nexport function g(): void {\n  f();\n}\n',
    'src/b.ts': "import { g } from './a.ts';\nexport const h = (): void => g();\n",
  });
  served = serveProject(project.state, project.root, { renderPng: PNG });
});
afterEach(async () => {
  await served.close();
  project.close();
});

const canvas = (): Canvas => JSON.parse(readFileSync(project.location.canvas, 'utf8')) as Canvas;

it.each(['architecture', 'impact'] as const)('a picture of a part says so: %s', async (what) => {
  const draw = async (): Promise<string> => {
    const { svg = '' } = await served.draw({ what, ...(what === 'impact' && { symbol: F }), origin: 'explicit' });
    return readFileSync(svg, 'utf8');
  };
  await served.ask({ do: 'index', walk: { maxFiles: 1 } });
  expect(await draw()).toContain(' · partial<');
  await served.ask({ do: 'index' });
  expect(await draw()).toContain(' · stable<');
});

describe('order', () => {
  it('lets everything else go first that waits', async () => {
    await served.ask({ do: 'index' });
    const all = [
      served.draw({ what: 'architecture', origin: 'auto' }),
      served.draw({ what: 'impact', symbol: F, origin: 'auto' }),
      served.ask({ do: 'refresh', paths: [join(project.root, 'src/a.ts')] }),
      served.ask({ do: 'sweep' }),
    ];
    await Promise.all(all);
    expect(served.order).toEqual(['index', 'refresh', 'sweep', 'architecture', 'impact']);
  });

  it('lets those go first that come while the picture is drawn', async () => {
    await served.ask({ do: 'index' });
    let asked: Promise<unknown> | undefined;
    const slow = serveProject(project.state, project.root, {
      files: new Proxy(nodeFiles, {
        get(files, name: keyof typeof nodeFiles) {
          // The graph has been opened by then, and is being drawn.
          if (name === 'readText' && !asked) asked = slow.ask({ do: 'refresh', paths: [] });
          return files[name];
        },
      }),
      renderPng: PNG,
    });
    await slow.draw({ what: 'impact', symbol: F, origin: 'auto' });
    await asked;
    await slow.close();
    expect(slow.order).toEqual(['refresh', 'impact']);
  });

  it('draws once what is asked for twice, for the one who wants more', async () => {
    await served.ask({ do: 'index' });
    const found = await Promise.all([
      served.draw({ what: 'impact', symbol: F, origin: 'auto', isTextOnly: true }),
      served.draw({ what: 'impact', symbol: F, origin: 'explicit' }),
      served.draw({ what: 'impact', symbol: G, origin: 'auto' }),
    ]);
    expect(served.rendered).toBe(2);
    expect(found.map(({ evidence }) => evidence)).toEqual(['E1', 'E1', 'E2']);
    expect(found[0]).toEqual(found[1]);
    expect(canvas().focus).toBe(F);
  });
});

describe('what cannot be drawn', () => {
  it.each([
    ['without an index', false, F, /there is no index of /],
    ['a symbol that is not there', true, 'src/a.ts#gone', /the index has no symbol src\/a\.ts#gone/],
  ])('%s', async (_, isIndexed, symbol, message) => {
    if (isIndexed) await served.ask({ do: 'index' });
    await expect(served.draw({ what: 'impact', symbol, origin: 'auto' })).rejects.toThrow(message);
    expect(nodeFiles.exists(project.location.canvas)).toBe(false);
  });

  it('waits for who writes there, and then says so', async () => {
    await served.ask({ do: 'index' });
    const lease = takeLease(nodeFiles, project.location, { pid: process.pid, since: Date.now() });
    const late = served.draw({ what: 'impact', symbol: F, origin: 'auto', waitMs: 120 });
    await expect(late).rejects.toThrow('the index is being written by');
    lease?.release();
    expect((await served.draw({ what: 'impact', symbol: F, origin: 'auto' })).evidence).toBe('E1');
  });

  it('keeps the evidence where pictures cannot be written', async () => {
    await served.ask({ do: 'index' });
    mkdirSync(project.location.artifacts);
    const full = serveProject(project.state, project.root, {
      files: {
        ...nodeFiles,
        writeDerived() {
          throw new Error('ENOSPC: no space left on device');
        },
      },
      renderPng: PNG,
    });
    expect(await full.draw({ what: 'impact', symbol: F, origin: 'auto' })).toEqual({
      evidence: 'E1',
      warning: 'the picture could not be written: ENOSPC: no space left on device',
    });
    await full.close();
    expect(canvas().evidence[0]).not.toHaveProperty('picture');
  });
});

it('keeps evidence without a picture where only that is wanted', async () => {
  await served.ask({ do: 'index' });
  expect(await served.draw({ what: 'impact', symbol: G, origin: 'auto', isTextOnly: true })).toEqual({
    evidence: 'E1',
  });
  expect(canvas().evidence).toMatchObject([{ symbol: G, name: 'g', counts: { callers: 1, callees: 1 } }]);
  expect(nodeFiles.exists(project.location.artifacts)).toBe(false);
});

it('says when the canvas was damaged', async () => {
  await served.ask({ do: 'index' });
  writeFileSync(project.location.canvas, 'no JSON');
  const { warning } = await served.draw({ what: 'impact', symbol: F, origin: 'auto' });
  expect(warning).toMatch(/^the canvas was damaged and is kept as .*canvas\.json\.damaged-\d+$/);
});

it('says that letters are missing from the PNG', async () => {
  project.write('src/保存.ts', "import { g } from './a.ts';\nexport const 保存 = (): void => g();\n");
  await served.ask({ do: 'index' });
  const { warning } = await served.draw({ what: 'impact', symbol: G, origin: 'auto' });
  expect(warning).toContain('the SVG has them');
});

it('gives each its own number when several processes draw at once', async () => {
  await served.ask({ do: 'index' });
  const others = [1, 2, 3].map(() => serveProject(project.state, project.root, { renderPng: PNG }));
  const symbols = [F, G, 'src/b.ts#h'];
  const found = await Promise.all(
    others.flatMap((other) => symbols.map((symbol) => other.draw({ what: 'impact', symbol, origin: 'auto' }))),
  );
  for (const other of others) await other.close();
  expect(new Set(found.map(({ evidence }) => evidence))).toEqual(new Set(['E1', 'E2', 'E3']));
  expect(canvas().evidence.map(({ id }) => id)).toEqual(['E1', 'E2', 'E3']);
});

it('tells by the digest that the code has changed since', async () => {
  await served.ask({ do: 'index' });
  await served.draw({ what: 'impact', symbol: F, origin: 'auto' });
  await served.draw({ what: 'architecture', origin: 'auto' });
  const evidence = canvas().evidence;
  const isOutdated = () => evidence.map((each) => digestNow(project.graph(), each) !== each.digest);
  expect(isOutdated()).toEqual([false, false]);
  project.write('src/a.ts', 'export function f(): void {}\nexport function g(): void {}\n');
  await served.ask({ do: 'refresh', paths: [join(project.root, 'src/a.ts')] });
  expect(isOutdated()).toEqual([true, false]);
  project.remove('src/a.ts');
  await served.ask({ do: 'index' });
  expect(evidence.map((each) => digestNow(project.graph(), each) === undefined)).toEqual([true, false]);
});
