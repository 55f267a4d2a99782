import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { TEST_LIMIT_MS } from '../patience.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
let built: string;
let home: string;
beforeAll(async () => {
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  built = mkdtempSync(join(ROOT, '.build', 'thread-'));
  await build({
    ...{ absWorkingDir: ROOT, outdir: built, bundle: true, splitting: true, format: 'esm', platform: 'node' },
    entryPoints: { keeper: 'test/process/keeper-worker.ts', copier: 'src/copier.ts' },
    ...{ target: 'node20', packages: 'external', logLevel: 'error' },
  });
});
afterAll(() => removeTree(built));
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-undo-thread-')));
});
afterEach(() => removeTree(home));

interface Told {
  readonly first: unknown;
  readonly second: unknown;
  readonly turns: number;
}

async function keepTree(files: number, ms: number, isThread: boolean): Promise<Told> {
  mkdirSync(join(home, 'tree'));
  for (let at = 0; at < files; at += 1) writeFileSync(join(home, 'tree', `f${at}`), `${at}\n`);
  const args = [join(home, 'state'), home, String(ms), ...(isThread ? [join(built, 'copier.js')] : [])];
  const { stdout } = await run(process.execPath, [join(built, 'keeper.js'), ...args]);
  return JSON.parse(stdout) as Told;
}

/** A thread that copies so many files by itself looks up a few times meanwhile; one that waits goes round all the time. */
const FILES = 2_000;

it('copies in a thread of its own, and ends with its process', async () => {
  const { first, second, turns } = await keepTree(FILES, TEST_LIMIT_MS, true);
  expect(first).toMatchObject({ kept: { number: 1, files: FILES } });
  expect(second).toMatchObject({ kept: { number: 2, files: FILES } });
  expect(turns).toBeGreaterThan(FILES);
});

it('without a program for one it copies in the thread that asks', async () => {
  const { second, turns } = await keepTree(FILES, TEST_LIMIT_MS, false);
  expect(second).toMatchObject({ kept: { number: 2, files: FILES } });
  expect(turns).toBeLessThan(FILES);
});

it('is late by the clock', async () => {
  expect(await keepTree(5_000, 20, true)).toMatchObject({ first: { unkept: expect.stringContaining('longer') } });
});
