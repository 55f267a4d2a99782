import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
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
  readonly longest: number;
  readonly took: number;
}

async function keepTree(files: number, ms: number): Promise<Told> {
  mkdirSync(join(home, 'tree'));
  for (let at = 0; at < files; at += 1) writeFileSync(join(home, 'tree', `f${at}`), `${at}\n`);
  const { stdout } = await run(process.execPath, [join(built, 'keeper.js'), join(home, 'state'), home, String(ms)]);
  return JSON.parse(stdout) as Told;
}

it('copies in a thread of its own, and ends with its process', async () => {
  const { first, second, longest, took } = await keepTree(2_000, 60_000);
  expect(first).toMatchObject({ kept: { number: 1, files: 2_000 } });
  expect(second).toMatchObject({ kept: { number: 2, files: 2_000 } });
  expect(longest).toBeLessThan(took / 2);
});

it('is late by the clock', async () => {
  expect(await keepTree(20_000, 20)).toMatchObject({ first: { unkept: expect.stringContaining('longer') } });
});
