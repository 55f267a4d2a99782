import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive, spawnDetached } from './processes.ts';
import { pause } from './timers.ts';

let dir: string;
let log: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fl-processes-')));
  log = join(dir, 'log');
});
afterEach(() => rmSync(dir, { recursive: true }));

async function written(path: string, end = '\n'): Promise<string> {
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text.endsWith(end)) return text;
    await pause(10);
  }
}

const run = (script: string, ...args: readonly string[]) =>
  spawnDetached('/bin/sh', ['-c', script, 'sh', ...args], { env: { PATH: '/usr/bin:/bin', ONLY: 'this' }, log });

describe('a process', () => {
  it('is alive until it has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    expect([isAlive(process.pid), isAlive(pid)]).toEqual([true, true]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(pid)).toBe(false);
  });

  it('that may not be signalled is alive', () => {
    expect(isAlive(1)).toBe(true);
  });
});

describe('a detached program', () => {
  it('has its own session, its own environment and a log for its owner', async () => {
    run('ps -o sid= -p $$ | tr -d " "; echo $$; echo "$ONLY:$1" >&2; pwd; echo end', 'word');
    const [sid, pid, word, cwd] = (await written(log, 'end\n')).split('\n');
    expect(sid).toBe(pid);
    expect([word, cwd]).toEqual(['this:word', '/']);
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it('gets nothing of the environment around it', async () => {
    process.env['FAIRLEAD_TEST_SECRET'] = 'secret';
    try {
      run('env; echo end');
    } finally {
      delete process.env['FAIRLEAD_TEST_SECRET'];
    }
    expect(await written(log, 'end\n')).not.toContain('secret');
  });

  it('starts a new log each time', async () => {
    writeFileSync(log, 'from the time before');
    run('echo end');
    expect(await written(log, 'end\n')).toBe('end\n');
  });

  it('writes through no link', () => {
    const target = join(dir, 'target');
    writeFileSync(target, 'kept');
    symlinkSync(target, log);
    expect(() => run('echo x')).toThrow('ELOOP');
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  it('that does not exist ends nobody', async () => {
    spawnDetached('/no/such/program', [], { env: {}, log });
    await pause(50);
    expect(readFileSync(log, 'utf8')).toBe('');
  });

  it('outlives who started it, and holds none of its pipes', async () => {
    const [bundle, mark, go] = ['processes.mjs', 'mark', 'go'].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ];
    const entry = join(import.meta.dirname, 'processes.ts');
    await build({ entryPoints: [entry], format: 'esm', platform: 'node', outfile: bundle });
    const wait = 'n=0; until [ -e "$1" ] || [ $n = 9000 ]; do sleep 0.05; n=$((n+1)); done; echo done > "$2"';
    const args = JSON.stringify(['-c', wait, 'sh', go, mark]);
    const options = JSON.stringify({ env: { PATH: '/bin:/usr/bin' }, log });
    const starter = join(dir, 'starter.mjs');
    writeFileSync(
      starter,
      `import { spawnDetached } from './processes.mjs'; spawnDetached('/bin/sh', ${args}, ${options});`,
    );
    const child = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.resume();
    child.stderr.resume();
    const [code] = (await once(child, 'close')) as [number];
    expect([code, existsSync(mark)], 'its pipes end before the program does').toEqual([0, false]);
    writeFileSync(go, '');
    expect(await written(mark)).toBe('done\n');
  });
});
