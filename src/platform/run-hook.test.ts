import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from './processes.ts';
import { runHook } from './run-hook.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-hook-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Long past what any of them takes by itself. */
const LONG_MS = 120_000;
const sh = (script: string, more: { limitMs?: number; signal?: AbortSignal; input?: Uint8Array } = {}) =>
  runHook(['/bin/sh', '-c', script], {
    ...{ cwd: dir, env: { PATH: process.env['PATH'], WORD: 'given' }, input: Buffer.from('event\n') },
    ...{ limitMs: LONG_MS, signal: new AbortController().signal },
    ...more,
  });

async function isGone(file: string): Promise<boolean> {
  const pid = Number(readFileSync(join(dir, file), 'utf8'));
  for (let tries = 0; tries < 3_000 && isAlive(pid); tries += 1) await sleep(20);
  return !isAlive(pid);
}

it('gives the event, the directory and the environment, and takes both outputs and the code', async () => {
  const { ms, ...end } = await sh('cat; pwd; echo "$WORD" >&2; exit 3');
  expect(end).toEqual({ code: 3, stdout: `event\n${dir}\n`, stderr: 'given\n' });
  expect(ms).toBeGreaterThan(0);
});

it('ends it with all that it started when its time is up', async () => {
  expect(await sh('sleep 100 & echo $! > pid; echo begun; wait', { limitMs: 1_000 })).toMatchObject({
    failure: 'time',
  });
  expect(await isGone('pid')).toBe(true);
});

it('ends it when nobody waits any more', async () => {
  const controller = new AbortController();
  const running = sh('echo $$ > pid; exec sleep 100', { signal: controller.signal });
  while (readFileIfAny(join(dir, 'pid')) === '') await sleep(20);
  controller.abort();
  expect(await running).toMatchObject({ failure: 'stopped' });
  expect(await isGone('pid')).toBe(true);
});

function readFileIfAny(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

it('does not wait long for what it left behind with its output open', async () => {
  const end = await sh('sleep 300 & echo $! > pid; echo done');
  expect(end).toMatchObject({ code: 0, stdout: 'done\n' });
  expect(end.ms).toBeLessThan(LONG_MS);
  process.kill(Number(readFileSync(join(dir, 'pid'), 'utf8')), 'SIGKILL');
});

it('says when it cannot be started', async () => {
  const setting = {
    cwd: dir,
    env: {},
    input: new Uint8Array(),
    limitMs: LONG_MS,
    signal: new AbortController().signal,
  };
  expect(await runHook(['/nowhere/at-all'], setting)).toMatchObject({ failure: 'start' });
});

it('takes a long event that nobody reads for a failure, as the client does', async () => {
  const input = Buffer.alloc(4 << 20, 'x');
  const ends = await Promise.all(Array.from({ length: 16 }, () => sh('exit 0', { input })));
  expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 1));
});

it('leaves an event to a program that its hook left behind', async () => {
  const script = 'exec 3<&0; { sleep 0.2; cat <&3; } >/dev/null 2>&1 & exit 0';
  expect(await sh(script, { input: Buffer.alloc(1 << 20, 'x') })).toMatchObject({ code: 0 });
});
