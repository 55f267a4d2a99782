import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accepts, exchange, listenUnix } from './unix-socket.ts';
import type { Listener } from './unix-socket.ts';

let dir: string;
let path: string;
const listeners: Listener[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fl-socket-'));
  path = join(dir, 'daemon.sock');
});
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
  rmSync(dir, { recursive: true });
});

async function listen(answer: (socket: Socket) => void = (socket) => void socket.end('one')): Promise<Listener> {
  const listener = await listenUnix(path, (socket) => {
    socket.on('error', () => {});
    answer(socket);
  });
  listeners.push(listener);
  return listener;
}

const ask = async (withinMs = 2_000) => {
  const bytes = await exchange(path, Buffer.from('?'), withinMs);
  return bytes && Buffer.from(bytes).toString();
};

it.each([0o755, 0o770])('is not asked in a directory of mode %o, where others may have put it', async (mode) => {
  await listen();
  chmodSync(dir, mode);
  expect([await ask(), await accepts(path)]).toEqual([undefined, false]);
  chmodSync(dir, 0o700);
  expect([await ask(), await accepts(path)]).toEqual(['one', true]);
});

describe('a listener', () => {
  it('is reachable under its name by its owner alone, and leaves nothing else behind', async () => {
    const listener = await listen();
    expect(readdirSync(dir)).toEqual(['daemon.sock']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect([listener.reachable(), await ask()]).toEqual([true, 'one']);
    listener.close();
    expect([readdirSync(dir), listener.reachable(), await ask()]).toEqual([[], false, undefined]);
  });

  it('takes the place of a socket that a killed process has left, and of whatever else has its name', async () => {
    writeFileSync(path, 'left');
    writeFileSync(join(dir, `s${process.pid}`), 'left');
    await listen();
    expect([await ask(), readdirSync(dir)]).toEqual(['one', ['daemon.sock']]);
  });

  it('knows when its path leads elsewhere, and does not take it from its successor', async () => {
    const first = await listen();
    const second = await listen((socket) => void socket.end('two'));
    expect([first.reachable(), second.reachable(), await ask()]).toEqual([false, true, 'two']);
    first.close();
    expect([existsSync(path), await ask()]).toEqual([true, 'two']);
  });

  it('knows when its path is deleted', async () => {
    const listener = await listen();
    rmSync(path);
    expect(listener.reachable()).toBe(false);
  });

  it('goes on with what is open after it is closed', async () => {
    let end = () => {};
    const listener = await new Promise<Listener>((resolve) => {
      void listen((socket) => {
        end = () => socket.end('late');
        socket.once('data', () => listeners[0]?.close());
      }).then(resolve);
    });
    const asked = ask();
    while (listener.reachable()) await new Promise(setImmediate);
    end();
    expect(await asked).toBe('late');
  });

  it('says so when it cannot listen', async () => {
    await expect(listenUnix(join(dir, 'gone', 'daemon.sock'), () => {})).rejects.toThrow(/ENOENT|EACCES/);
    mkdirSync(path);
    await expect(listen()).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  });
});

describe('an exchange', () => {
  it('brings back all that was said until the other side hangs up', async () => {
    const text = 'x'.repeat(3_000_000);
    await listen((socket) => void socket.once('data', () => socket.end(text)));
    expect(await ask()).toBe(text);
  });

  it('brings nothing when the other side says nothing, or is not in time', async () => {
    await listen((socket) => void socket.once('data', () => socket.destroy()));
    expect(await ask()).toBeUndefined();
    await listen((socket) => void socket.write('half'));
    expect(await ask(100)).toBeUndefined();
  });
});
