import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import type { Project } from '../indexer/project.fixture.ts';
import { serveProject } from '../indexer/served-project.fixture.ts';
import type { Served } from '../indexer/served-project.fixture.ts';
import { faultsOf, readPicture } from './picture.fixture.ts';

const TREE = {
  'package.json': '{}',
  'src/store.ts':
    'export function save(item: string): void {\n  log(item);\n}\nexport function log(text: string): void {}\n',
  'src/cart.ts':
    "import { save } from './store.ts';\nexport function checkout(): void {\n  save('a');\n  save('b');\n}\n",
  'src/cart.test.ts': "import { checkout } from './cart.ts';\nfunction testCheckout(): void {\n  checkout();\n}\n",
};
const SAVE = 'src/store.ts#save';

let project: Project;
let served: Served;
beforeEach(async () => {
  project = openProject(TREE);
  served = serveProject(project.state, project.root);
  await served.ask({ do: 'index' });
});
afterEach(async () => {
  await served.close();
  project.close();
});

const read = (path: string | undefined): Buffer => readFileSync(path ?? '');
const names = (): string[] => {
  const { pictures } = JSON.parse(read(join(project.location.artifacts, 'index.json')).toString()) as {
    pictures: { name: string }[];
  };
  return pictures.map(({ name }) => name).sort();
};

test('after an index and a card there are pictures with the signature of PNG, listed by name', async () => {
  const whole = await served.draw({ what: 'architecture', origin: 'auto' });
  const impact = await served.draw({ what: 'impact', symbol: SAVE, origin: 'auto' });
  expect(readdirSync(project.location.artifacts)).toEqual([
    'architecture.png',
    'architecture.svg',
    expect.stringMatching(/^impact_save_[\da-f]{8}\.png$/),
    expect.stringMatching(/^impact_save_[\da-f]{8}\.svg$/),
    'index.json',
  ]);
  expect(names()).toEqual(['architecture', basename(impact.png ?? '', '.png')]);
  for (const { svg, png } of [whole, impact]) {
    const { width, height } = readPicture(read(svg).toString());
    const bytes = read(png);
    expect([...bytes.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, height]);
    expect(width).toBeLessThanOrEqual(1400);
    expect(faultsOf(read(svg).toString())).toEqual([]);
  }
});

test('the same graph has the same bytes and is not written again; after an import it is, under the same name', async () => {
  const draw = () => served.draw({ what: 'impact', symbol: SAVE, origin: 'auto' });
  const first = await draw();
  const [svg, png, file] = [read(first.svg), read(first.png), statSync(first.svg ?? '').ino];
  expect(await draw()).toEqual(first);
  expect(statSync(first.svg ?? '').ino).toBe(file);
  expect(served.rendered).toBe(1);

  const other = serveProject(project.state, project.root);
  await other.ask({ do: 'index', force: true });
  rmSync(project.location.artifacts, { recursive: true });
  await other.draw({ what: 'impact', symbol: SAVE, origin: 'auto' });
  await other.close();
  expect([read(first.svg), read(first.png)]).toEqual([svg, png]);

  project.write('src/more.ts', "import { save } from './store.ts';\nexport const more = (): void => save('c');\n");
  await served.ask({ do: 'refresh', paths: [join(project.root, 'src/more.ts')] });
  expect(await draw()).toEqual(first);
  expect(read(first.svg)).not.toEqual(svg);
  expect(readPicture(read(first.svg).toString()).texts).toContain('more');
});

test('of 30 callers 8 are shown and the rest counted; a side without any says so', async () => {
  for (let i = 0; i < 29; i += 1) {
    const own = `import { log } from './store.ts';\nexport function user${i}(): void {\n  log('${i}');\n}\n`;
    project.write(`src/user${i}.ts`, own);
  }
  await served.ask({ do: 'index' });
  const { svg } = await served.draw({ what: 'impact', symbol: 'src/store.ts#log', origin: 'explicit' });
  const text = read(svg).toString();
  const { texts } = readPicture(text);
  // `save` of the same file calls it too, and comes after those of other files.
  expect(texts.filter((each) => /^user\d+$/.test(each))).toHaveLength(8);
  expect(texts).toContain('+22 more');
  expect(texts).toContain('30 from 30 files');
  expect(texts.filter((each) => each === 'none found')).toHaveLength(2);
  expect(texts).toContain('0 unresolved in its file');
  expect(text.match(/data-part="callers"/g)).toHaveLength(8);
  expect(text.match(/data-part="callees"/g)).toBeNull();
  expect(faultsOf(text)).toEqual([]);
});

test('without a renderer there are the SVG and the evidence, and one warning', async () => {
  const broken = serveProject(project.state, project.root, {
    renderPng: () => Promise.reject(new Error('resvg.wasm is missing')),
  });
  const found = await broken.draw({ what: 'impact', symbol: SAVE, origin: 'auto' });
  expect(found).toEqual({
    evidence: 'E1',
    svg: expect.stringMatching(/\.svg$/) as string,
    warning: 'there is no PNG, only the SVG: resvg.wasm is missing',
  });
  expect(existsSync((found.svg ?? '').replace(/svg$/, 'png'))).toBe(false);
  await broken.close();
  const mended = await served.draw({ what: 'impact', symbol: SAVE, origin: 'auto' });
  expect([mended.png, mended.warning]).toEqual([found.svg?.replace(/svg$/, 'png'), undefined]);
});
