import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { keep } from '../../src/undo/keep.ts';
import { prune } from '../../src/undo/prune.ts';
import { compare, restore } from '../../src/undo/restore.ts';
import { storeIn, worldOf } from '../../src/undo/serve-copies.ts';
import { countOf, startShare } from '../cases.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let built: string;
let home: string;
beforeAll(async () => {
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  built = mkdtempSync(join(ROOT, '.build', 'undo-'));
  await build({
    ...{
      absWorkingDir: ROOT,
      entryPoints: ['test/process/undo-worker.ts'],
      outdir: built,
      bundle: true,
      splitting: true,
    },
    ...{ format: 'esm', platform: 'node', target: 'node20', packages: 'external', logLevel: 'error' },
  });
});
afterAll(() => removeTree(built));
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-undo-kill-')));
});
afterEach(() => removeTree(home));

const FILES = 60;
const plant = () => {
  for (let at = 0; at < FILES; at += 1) {
    const path = join(home, 'project/tree', `${at % 7}`, `f${at}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${at}\n`.repeat(1 + (at % 5) * 2_000));
  }
};
const files = () =>
  new Map(
    readdirSync(join(home, 'project'), { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );

/** Starts a worker and kills it at a random moment. */
function killed(what: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [
      join(built, 'undo-worker.js'),
      join(home, 'state'),
      join(home, 'project'),
      what,
    ]);
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), Math.random() * 60));
    child.on('close', () => resolve());
  });
}

const open = () => {
  const world = worldOf({ state: join(home, 'state'), userHome: home, env: {} });
  return { world, store: storeIn(join(home, 'state'), world) };
};

it.each(['keep', 'prune'])('a kill while it copies (%s) leaves whole copies or none', async (what) => {
  plant();
  const before = files();
  const isOver = startShare();
  for (let time = 0; time < countOf(100) && !isOver(time); time += 1) {
    await killed(what);
    const { store, world } = open();
    for (const { number, entries } of store.list())
      for (const entry of entries)
        if (entry.kind === 'file') expect(world.entries.hash(store.contentOf(number, entry.sha))).toBe(entry.sha);
    expect(files()).toEqual(before);
    prune(store, { days: 1, megabytes: 1, copies: 3 }, Date.now());
  }
});

it('a kill while it puts back leaves each file as it was or as the copy has it, and a second time brings all', async () => {
  plant();
  const before = files();
  const { store, world } = open();
  const path = join(home, 'project/tree');
  await keep(store, world, {
    effects: [{ kind: 'delete', target: 'tree', path, scope: 'inside', recursive: true, seen: 'rm -r tree', road: [] }],
    about: { at: Date.now(), session: 's', root: join(home, 'project'), agent: 'test', command: 'rm -r tree' },
    budget: { ms: 60_000, bytes: 1 << 30 },
    excluded: [],
  });
  const isOver = startShare();
  for (let time = 0; time < countOf(100) && !isOver(time); time += 1) {
    rmSync(path, { recursive: true, force: true });
    const mine = join(path, '0/f0');
    mkdirSync(dirname(mine), { recursive: true });
    writeFileSync(mine, 'mine');
    await killed('undo');
    for (const [name, text] of files())
      if (!name.endsWith('.fairlead-undo')) expect([before.get(name), 'mine']).toContain(text);
    // What was replaced is in a copy, or still there.
    const isThere = files().get(mine) === 'mine';
    const saved = store.list().some(({ undoes, bytes }) => undoes === 1 && bytes === 4);
    expect(isThere || saved).toBe(true);
    const copy = store.read(1);
    if (copy) await restore(copy, store, world, await compare(copy, world));
    expect(files()).toEqual(before);
  }
});
