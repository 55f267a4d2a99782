import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plantShop } from '../graph/indexed-project.fixture.ts';
import type { ShopProject } from '../graph/indexed-project.fixture.ts';
import { fakeWorld } from '../world.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { createGraphViews } from './graph-views.ts';

let shop: ShopProject;
let world: FakeWorld;
beforeAll(async () => {
  shop = plantShop();
  await shop.graph('index');
  world = fakeWorld({ home: shop.home, cwd: shop.root });
});
afterAll(async () => {
  world.close();
  await shop.remove();
});

const views = () => createGraphViews(world);

it('names the projects that have a graph, the one at hand first', () => {
  const { here, roots, isIndexing } = views().roots();
  expect([here, isIndexing]).toEqual([shop.root, false]);
  expect(roots).toMatchObject([{ root: shop.root, files: 5 }]);
});

it('finds symbols, and what is around one', () => {
  const { total, symbols } = views().search(shop.root, 'save') ?? {};
  expect(total).toBe(1);
  const around = views().around(shop.root, symbols?.[0]?.key);
  expect(around?.nodes.map(({ name, column }) => `${column} ${name}`).toSorted()).toEqual(
    ['-1 main', '-2 testMain', '0 Store.save', '1 Store.flush'].toSorted(),
  );
  expect(around).toMatchObject({ isStale: false, tests: { total: 1 } });
  expect(views().around(shop.root, 'src/store.ts')?.symbol.kind).toBe('module');
});

it('knows the parts of a project', () => {
  const { layers, modules } = views().architecture(shop.root) ?? {};
  expect(modules).toBe(3);
  expect(layers?.flatMap(({ cards }) => cards.map(({ name }) => name)).toSorted()).toEqual([
    'src/main.ts',
    'src/store.ts',
    'tool.py',
  ]);
});

it('reads nothing of a directory that has no graph, nor one that lies under the name of another', () => {
  expect(views().search('/etc', 'a')).toBeUndefined();
  expect(views().around(undefined, 'a')).toBeUndefined();
  const dir = join(world.paths.state, 'workspaces');
  cpSync(dir, join(world.paths.state, 'copied'), { recursive: true });
  renameSync(join(world.paths.state, 'copied'), join(dir, 'other'));
  mkdirSync(join(dir, 'broken'));
  writeFileSync(join(dir, 'broken', 'init.json'), '{');
  expect(views().roots().roots.length).toBe(1);
});

it('says so when a file changed since', () => {
  shop.putProject('src/main.ts', 'export function main(): void {}\n');
  expect(views().around(shop.root, 'src/store.ts#Store.save')?.isStale).toBe(true);
});
