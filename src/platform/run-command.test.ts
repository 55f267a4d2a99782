import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAlive } from './processes.ts';
import { runCommand } from './run-command.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-command-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function run(argv: readonly string[], more: { limitMs?: number; signal?: AbortSignal } = {}) {
  const env = { PATH: process.env['PATH'], WORD: 'from us' };
  return runCommand(argv, { cwd: dir, env, limitMs: 5_000, signal: new AbortController().signal, ...more });
}
const write = (script: string): string[] => [process.execPath, '-e', `require('fs').writeFileSync('out', ${script})`];

test('runs where it should, with the given environment and arguments, and without a shell', async () => {
  await expect(
    run([...write('JSON.stringify([process.cwd(), process.env.WORD, process.argv[1]])'), '$(id); *']),
  ).resolves.toBe(undefined);
  expect(JSON.parse(readFileSync(join(dir, 'out'), 'utf8'))).toEqual([dir, 'from us', '$(id); *']);
});

test.each([
  ['its exit code', [process.execPath, '-e', 'process.exit(3)'], 'exit code 3'],
  ['the signal that ended it', [process.execPath, '-e', 'process.kill(process.pid, "SIGTERM")'], 'ended by SIGTERM'],
  ['that there is no such program', ['/nowhere/at-all'], 'spawn /nowhere/at-all ENOENT'],
])('says %s', async (_, argv, problem) => {
  await expect(run(argv)).resolves.toBe(problem);
});

const PARENT = `
const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
require('fs').writeFileSync('pids', process.pid + ' ' + child.pid);
setInterval(() => {}, 1000);`;

async function gone(): Promise<boolean[]> {
  const pids = readFileSync(join(dir, 'pids'), 'utf8').split(' ').map(Number);
  for (let tries = 0; tries < 500 && pids.some(isAlive); tries += 1)
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  return pids.map((pid) => !isAlive(pid));
}

test('at its limit it is ended with all that it started', async () => {
  await expect(run([process.execPath, '-e', PARENT], { limitMs: 1_500 })).resolves.toBe(
    'it did not end within 1500 ms',
  );
  expect(await gone()).toEqual([true, true]);
});

test('it can be stopped before', async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 1_000);
  await expect(run([process.execPath, '-e', PARENT], { limitMs: 20_000, signal: stopping.signal })).resolves.toBe(
    'it was stopped',
  );
  expect(await gone()).toEqual([true, true]);
});
