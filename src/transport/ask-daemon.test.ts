import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STAMP } from '../platform/build.ts';
import { listenUnix } from '../platform/unix-socket.ts';
import type { Listener } from '../platform/unix-socket.ts';
import { askDaemon, askStatus } from './ask-daemon.ts';
import { encodeReply } from './frame.ts';
import type { FrameReply, Request } from './frame.ts';
import { serveConnection } from './socket-server.ts';

let dir: string;
let path: string;
let listener: Listener | undefined;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fl-ask-'));
  path = join(dir, 'daemon.sock');
});
afterEach(() => {
  listener?.close();
  listener = undefined;
  rmSync(dir, { recursive: true });
});

const answered = (stdout: string): FrameReply => ({ outcome: 'answered', exitCode: 0, stdout: Buffer.from(stdout) });

async function serve(reply: (request: Request) => FrameReply): Promise<void> {
  listener = await listenUnix(path, (socket) => serveConnection(socket, async (request) => reply(request)));
}

it('brings a question there whole, with the build of this process, and its answer back', async () => {
  let got: Request | undefined;
  await serve((request) => {
    got = request;
    return { ...answered('ü'), exitCode: 3 };
  });
  const question = {
    verb: 'hook',
    state: '/s',
    args: ['--event', 'x'],
    cwd: '/w',
    env: { A: 'b' },
    body: Buffer.from('half'),
    size: 99,
  } as const;
  const reply = await askDaemon(path, question, 2_000);
  expect([Buffer.from(reply?.stdout ?? []).toString(), reply?.exitCode]).toEqual(['ü', 3]);
  expect(got).toEqual({ ...question, stamp: STAMP });
});

it('asks for little when little is given', async () => {
  let got: Request | undefined;
  await serve((request) => {
    got = request;
    return answered('{"pid":7}');
  });
  expect(await askStatus(path, '/s')).toEqual({ pid: 7 });
  const nothing = { args: [], cwd: undefined, env: {}, size: 0, body: Buffer.alloc(0) };
  expect(got).toEqual({ verb: 'status', stamp: STAMP, state: '/s', ...nothing });
});

describe('has no answer', () => {
  const ask = (withinMs = 2_000) => askDaemon(path, { verb: 'hook', state: '/s' }, withinMs);

  it('when nobody is there, nobody listens any more, or something else has the name', async () => {
    expect(await ask()).toBeUndefined();
    writeFileSync(path, '');
    expect(await ask()).toBeUndefined();
  });

  it('when the daemon leaves it to the caller', async () => {
    await serve(() => ({ ...answered('x'), outcome: 'aside' }));
    expect(await ask()).toBeUndefined();
  });

  const whole = encodeReply(answered('a reply'));
  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['half a head', whole.subarray(0, 7)],
    ['half a reply', whole.subarray(0, -1)],
    ['more than a reply', Buffer.concat([whole, Buffer.of(0)])],
    ['something else', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('when what came is %s', async (_, bytes) => {
    listener = await listenUnix(path, (socket) => {
      socket.on('error', () => {});
      socket.on('data', () => socket.end(bytes));
    });
    expect(await ask()).toBeUndefined();
  });

  it('when it does not come in time', async () => {
    listener = await listenUnix(path, (socket) => void socket.on('error', () => {}));
    const began = performance.now();
    expect(await ask(150)).toBeUndefined();
    expect(performance.now() - began).toBeGreaterThan(140);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
