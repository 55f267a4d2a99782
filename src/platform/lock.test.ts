import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tryLock } from './lock.ts';

/** Takes the lock in its own process, says whether it got it, and stays: a lock that nobody refers to ends with its memory. */
const HOLDER = `
import { tryLock } from './src/platform/lock.ts';
const lock = tryLock(process.argv[2]);
console.log(lock ? 'held' : 'taken');
setInterval(() => lock?.holds(), 1000);`;

let shared: string;
let holderProgram: string;
beforeAll(async () => {
  shared = mkdtempSync(join(process.cwd(), 'node_modules/.fairlead-lock-'));
  holderProgram = join(shared, 'hold.mjs');
  const stdin = { contents: HOLDER, resolveDir: process.cwd() };
  await build({ stdin, bundle: true, format: 'esm', platform: 'node', packages: 'external', outfile: holderProgram });
});
afterAll(() => rmSync(shared, { recursive: true }));

let dir: string;
let path: string;
const holders: ChildProcess[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fl-lock-'));
  path = join(dir, 'lock');
});
afterEach(async () => {
  for (const holder of holders.splice(0)) await end(holder);
  rmSync(dir, { recursive: true });
});

async function hold(): Promise<{ holder: ChildProcess; said: string }> {
  const holder = spawn(process.execPath, [holderProgram, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  holders.push(holder);
  const [said] = (await once(holder.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return { holder, said: said.toString().trim() };
}

async function end(holder: ChildProcess): Promise<void> {
  if (holder.exitCode === null && holder.signalCode === null && holder.kill('SIGKILL')) await once(holder, 'exit');
}

describe('a lock', () => {
  it('is had by one process, and by the next once that was killed', async () => {
    const { holder, said } = await hold();
    expect(said).toBe('held');
    expect(tryLock(path)).toBeUndefined();
    expect((await hold()).said).toBe('taken');
    await end(holder);
    const lock = tryLock(path);
    expect(lock?.holds()).toBe(true);
    expect((await hold()).said).toBe('taken');
    lock?.release();
    expect((await hold()).said).toBe('held');
  });

  it('is refused within one process too, and leaves no other file', () => {
    const lock = tryLock(path);
    expect(tryLock(path)).toBeUndefined();
    expect(readdirSync(dir)).toEqual(['lock']);
    lock?.release();
    const again = tryLock(path);
    expect(again?.holds()).toBe(true);
    again?.release();
  });

  it('of several processes that try at once is had by one', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, hold));
    expect(all.map(({ said }) => said).sort()).toEqual(['held', 'taken', 'taken', 'taken', 'taken']);
  });

  it.each<[string, () => void]>([
    ['is deleted', () => rmSync(path)],
    [
      'has been replaced',
      () => {
        writeFileSync(join(dir, 'new'), '');
        renameSync(join(dir, 'new'), path);
      },
    ],
    ['is gone with its directory', () => rmSync(dir, { recursive: true })],
  ])('does not hold any more once its file %s', (_, spoil) => {
    const lock = tryLock(path);
    spoil();
    expect(lock?.holds()).toBe(false);
    mkdirSync(dir, { recursive: true });
    const next = tryLock(path);
    expect(next?.holds(), 'then another one is had').toBe(true);
    lock?.release();
    expect(next?.holds()).toBe(true);
    next?.release();
  });

  it('says what is wrong where it cannot be taken for another reason', () => {
    expect(() => tryLock(join(dir, 'gone', 'lock'))).toThrow(/unable to open/);
    writeFileSync(path, 'no database '.repeat(500));
    expect(() => tryLock(path)).toThrow(/not a database/);
  });
});
