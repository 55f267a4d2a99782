import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { readOutput } from './read-output.ts';

const setting = { env: { WORD: 'ours' }, limitMs: 20_000, maxBytes: 1_000 };
const node = (script: string, more: Partial<typeof setting> = {}) =>
  readOutput(process.execPath, ['-e', script, '$(id)'], { ...setting, ...more });

it('tells what a program prints, run with the given environment and without a shell', async () => {
  await expect(
    node('console.log(process.argv[1], process.env.WORD, process.env.HOME); console.error(1)'),
  ).resolves.toBe('$(id) ours undefined\n');
});

it.each([
  ['fails', node.bind(undefined, 'console.log(1); process.exit(3)')],
  ['prints too much', node.bind(undefined, 'console.log("x".repeat(2000)); setInterval(() => {}, 1000)')],
  ['is late', node.bind(undefined, 'console.log(1); setInterval(() => {}, 1000)', { limitMs: 50 })],
  ['is not there', () => readOutput('/no/such/program', [], setting)],
])('a program that %s has said nothing', async (_, run) => {
  await expect(run()).resolves.toBeUndefined();
});

it('does not keep a process alive', async () => {
  const repository = fileURLToPath(new URL('../..', import.meta.url));
  mkdirSync(join(repository, '.build'), { recursive: true });
  const dir = mkdtempSync(join(repository, '.build', 'output-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const entry = join(dir, 'main.mjs');
  const ours = fileURLToPath(new URL('read-output.ts', import.meta.url));
  await build({ entryPoints: [ours], outfile: join(dir, 'out.mjs'), bundle: true, format: 'esm', platform: 'node' });
  writeFileSync(
    entry,
    `import { readOutput } from './out.mjs';
     void readOutput('sleep', ['5'], { env: { PATH: process.env.PATH }, limitMs: 60000, maxBytes: 10 }).then(() => console.log('late'));
     process.on('exit', () => console.log('ended'));`,
  );
  const { stdout, status } = spawnSync(process.execPath, [entry], { encoding: 'utf8' });
  expect({ stdout, status }).toEqual({ stdout: 'ended\n', status: 0 });
});
