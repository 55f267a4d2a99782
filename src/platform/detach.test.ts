import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

/** Leaves its caller, tells how it is then, does something that needs Node's own descriptors, and stays. */
const PROGRAM = `
import { leaveCaller } from './src/platform/detach.ts';
import { writeFileSync, statSync } from 'node:fs';
import { createServer, connect } from 'node:net';
const dir = process.argv[2];
leaveCaller();
writeFileSync(dir + '/made', '');
createServer((socket) => socket.end('served')).listen(dir + '/socket', () => {
  connect(dir + '/socket').on('data', (said) => {
    const about = { cwd: process.cwd(), mode: statSync(dir + '/made').mode & 0o777, said: said.toString() };
    process.stdout.write(JSON.stringify(about) + '\\n');
  });
});
setInterval(() => {}, 1000);`;

/** Node keeps the first few descriptors from its children by itself; those after a gap go down to them. */
const between = Array.from({ length: 37 }, () => 'ignore' as const);

let dir: string;
beforeAll(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fl-detach-')));
  const stdin = { contents: PROGRAM, resolveDir: process.cwd() };
  await build({ stdin, bundle: true, format: 'esm', platform: 'node', outfile: join(dir, 'program.mjs') });
});
afterAll(() => rmSync(dir, { recursive: true }));

let child: ChildProcess | undefined;
afterEach(() => void child?.kill('SIGKILL'));

it.skipIf(process.platform !== 'linux')(
  'lets go of directory, rights and pipes of its caller, and works on',
  async () => {
    const own = join(dir, 'own');
    mkdirSync(own);
    child = spawn(process.execPath, [join(dir, 'program.mjs'), own], {
      cwd: own,
      stdio: ['ignore', 'pipe', 'inherit', ...between, 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] },
    });
    const pipes = child.stdio.slice(-2) as NodeJS.ReadableStream[];
    const ended = Promise.all(pipes.map((pipe) => once(pipe.resume(), 'end')));
    const [said] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    expect(JSON.parse(said.toString())).toEqual({ cwd: '/', mode: 0o600, said: 'served' });
    await ended;
    expect(child.exitCode, 'it lives while its caller’s pipes have ended').toBeNull();
  },
);
