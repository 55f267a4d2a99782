import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UsageError } from '../command.ts';
import { plantShop } from '../graph/indexed-project.fixture.ts';
import type { ShopProject } from '../graph/indexed-project.fixture.ts';
import { draw } from './graph-draw.ts';

let shop: ShopProject;
beforeAll(async () => {
  shop = plantShop();
  await shop.graph('index');
});
afterAll(() => shop.remove());

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

it.each<[string[], RegExp]>([
  [['impct', 'main'], /draw takes one symbol, or architecture or impact first; did you mean "impact"/],
  [['impact'], /impact of which symbol/],
  [['architecture', 'main'], /leave out the symbol/],
  [['impact', 'main', '--pick', 'worst'], /--pick knows best alone/],
])('%j', async (words, message) => {
  const failed = shop.world().run(draw, ...words);
  await expect(failed).rejects.toBeInstanceOf(UsageError);
  await expect(failed).rejects.toThrow(message);
});

it.each([
  [['Store.save'], 'impact'],
  [[], 'architecture'],
])('draw %j draws the %s', async (words, what) => {
  expect(await shop.json('draw', ...words)).toMatchObject({ what });
});

it('prints where the pictures are', async () => {
  const { code, out, err } = await shop.graph('draw', 'architecture');
  const paths = out.trimEnd().split('\n');
  expect([code, err, paths.map((path) => basename(path))]).toEqual([0, '', ['architecture.svg', 'architecture.png']]);
  expect(readFileSync(paths[1] ?? '').subarray(0, 8)).toEqual(SIGNATURE);
});

it('copies them under the same names, and shows what was written since', async () => {
  const out = join(shop.root, 'docs/pictures');
  const first = await shop.graph('draw', 'impact', 'Store.save', '--out', 'docs/pictures');
  expect(first.out).toMatch(/docs\/pictures\/impact_Store\.save_[\da-f]{8}\.svg\n.*\.png\n$/);
  const [png = '', svg = ''] = readdirSync(out);
  expect(readFileSync(join(out, svg), 'utf8')).not.toContain('restore');
  writeFileSync(
    join(shop.root, 'src/restore.ts'),
    "import { Store } from './store.ts';\nexport function restore(): void {\n  new Store().save('b');\n}\n",
  );
  const again = await shop.graph('draw', 'impact', 'Store.save', '--out', 'docs/pictures');
  expect(again.out).toBe(first.out);
  expect(readdirSync(out)).toEqual([png, svg]);
  expect(readFileSync(join(out, svg), 'utf8')).toContain('>restore</text>');
});

it('copies them where the settings say, inside of the project alone', async () => {
  const set = (out: string) =>
    shop.putUser('config.yaml', `packs: { autocontext: { enabled: true, pictures: { out: ${out} } } }\n`);
  set('docs/set');
  const { out } = await shop.graph('draw', 'architecture');
  expect(out).toBe(
    `${join(shop.root, 'docs/set/architecture.svg')}\n${join(shop.root, 'docs/set/architecture.png')}\n`,
  );
  set('../elsewhere');
  expect((await shop.graph('draw', 'architecture')).err).toContain('inside of the project');
  set("''");
});

it('says it in JSON', async () => {
  const said = await shop.json('draw', 'impact', 'main.ts:2');
  expect(said).toMatchObject({ what: 'impact', root: shop.root, evidence: expect.stringMatching(/^E\d+$/) as string });
  expect(Object.keys(said)).toEqual(['schema', 'root', 'what', 'evidence', 'svg', 'png']);
});

it('names similar symbols, or those to choose from', async () => {
  const missing = await shop.graph('draw', 'impact', 'Stor');
  expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('Store')]);
  writeFileSync(join(shop.root, 'src/other.ts'), 'export function parse_config(): void {}\n');
  const several = await shop.graph('draw', 'impact', 'parse_config');
  expect([several.code, several.out]).toEqual([1, expect.stringContaining('tool.py')]);
  expect((await shop.graph('draw', 'impact', 'parse_config', '--pick', 'best')).code).toBe(0);
});

it('says that there is nothing to draw, or no way to write it', async () => {
  const bare = join(shop.root, '../bare');
  mkdirSync(bare);
  const none = await shop.graph('draw', 'architecture', '--root', bare);
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('has no code graph')]);
  writeFileSync(join(shop.root, 'file'), '');
  const closed = await shop.graph('draw', 'architecture', '--out', 'file/below');
  expect([closed.code, closed.err]).toEqual([1, expect.stringMatching(/cannot write to .*file\/below/)]);
});
