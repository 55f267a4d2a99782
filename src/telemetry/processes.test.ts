import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { samplesIn } from './histogram.ts';
import { readTelemetry } from './read.ts';
import { openMemory } from '../ledger/open.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const TIMES = 200;

it('processes that count at once add up exactly', async () => {
  // Inside the repository, so that the process finds the packages that are not bundled.
  mkdirSync(join(REPOSITORY, '.build'), { recursive: true });
  const built = mkdtempSync(join(REPOSITORY, '.build', 'telemetry-'));
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-telemetry-'));
  onTestFinished(() => {
    for (const path of [built, folder]) rmSync(path, { recursive: true, force: true });
  });
  const outfile = join(built, 'adding-process.mjs');
  const entryPoints = [fileURLToPath(new URL('adding-process.fixture.ts', import.meta.url))];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external' });

  const path = join(folder, 'state.db');
  const processes = ['resident', 'one-shot', 'one-shot'].map((kind) =>
    spawn(process.execPath, [outfile, path, kind, String(TIMES)], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')));
  const ended = processes.map((each) => once(each, 'exit'));
  for (const { stdin } of processes) stdin.write('go\n');
  expect((await Promise.all(ended)).map(([code]) => code as number)).toEqual([0, 0, 0]);

  const memory = openMemory({
    path,
    busyMs: 500,
    resident: false,
    now: Date.now,
    random: Math.random,
    onFailure: (what) => expect.unreachable(what),
  });
  const { counts, times } = readTelemetry(memory.store, {
    pack: 'test',
    root: '/project',
    since: 0,
    now: 1_800_000_000_000,
  });
  memory.close();
  expect(counts).toEqual({ calls: 3 * TIMES });
  expect(samplesIn(times['span'] ?? [])).toBe(3 * TIMES);
});
