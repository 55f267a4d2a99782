import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenUnix } from '../platform/unix-socket.ts';
import type { Listener } from '../platform/unix-socket.ts';
import { decodeReply, encodeRequest } from './frame.ts';
import type { FrameReply, Request } from './frame.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { serveConnection } from './socket-server.ts';

let dir: string;
let path: string;
let listener: Listener;
let got: Request[];
let reply: (request: Request) => Promise<FrameReply>;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'fl-server-'));
  path = join(dir, 'daemon.sock');
  got = [];
  reply = async ({ body }) => ({ outcome: 'answered', exitCode: 0, stdout: body });
  listener = await listenUnix(path, (socket) =>
    serveConnection(socket, (request) => {
      got.push(request);
      return reply(request);
    }),
  );
});
afterEach(() => {
  listener.close();
  rmSync(dir, { recursive: true });
});

function requestWith(body: Uint8Array | string): Uint8Array {
  const bytes = Buffer.from(body);
  const about = { verb: 'hook', stamp: 's', state: '/s', args: ['a'], cwd: '/w', env: {} };
  return encodeRequest({ ...about, size: bytes.length, body: bytes });
}

/** Writes the parts one after the other and resolves to all that comes back before the other side hangs up. */
function talk(...parts: readonly Uint8Array[]): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(path);
    socket.setNoDelay();
    socket.on('error', () => {});
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    const next = (at: number) => {
      const part = parts[at];
      if (part !== undefined) socket.write(part, () => setImmediate(next, at + 1));
    };
    socket.on('connect', () => next(0));
  });
}

const said = (bytes: Uint8Array) => Buffer.from(decodeReply(bytes)?.stdout ?? []).toString();
const isWell = async () => said(await talk(requestWith('well'))) === 'well';

it('answers a request that comes byte by byte', async () => {
  const frame = requestWith('ü and more');
  expect(said(await talk(...Array.from(frame, (byte) => Uint8Array.of(byte))))).toBe('ü and more');
  expect(got).toHaveLength(1);
});

it.each([1, 11, 12, 13, 40])('answers a request that is split after %i bytes', async (at) => {
  const frame = requestWith('split');
  expect(said(await talk(frame.subarray(0, at), frame.subarray(at)))).toBe('split');
});

it('answers one request per connection, and what follows is nobody else’s body', async () => {
  expect(said(await talk(Buffer.concat([requestWith('first'), requestWith('second')])))).toBe('first');
  expect(got).toHaveLength(1);
  expect(said(await talk(requestWith('first'), requestWith('second')))).toBe('first');
  expect(got).toHaveLength(2);
});

it('answers a body as big as may be, byte for byte', async () => {
  const body = Buffer.alloc(MAX_BODY_BYTES, 'abcdefg');
  const back = decodeReply(await talk(requestWith(body)));
  expect(body.equals(back?.stdout ?? Buffer.alloc(0))).toBe(true);
});

describe('hangs up, and goes on, at', () => {
  const over = requestWith('');
  new DataView(over.buffer).setUint32(8, MAX_BODY_BYTES + 1, true);
  const cases: readonly [string, Uint8Array][] = [
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['another version', Buffer.concat([Buffer.from('FLQ2'), requestWith('x').subarray(4)])],
    ['noise', Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7_919) % 251))],
    ['a body over the limit', over],
  ];

  it.each(cases)('%s', async (_, bytes) => {
    expect(await talk(bytes)).toHaveLength(0);
    expect(got).toEqual([]);
    expect(await isWell()).toBe(true);
  });

  it('a failure of the engine', async () => {
    reply = async () => {
      throw new Error('engine');
    };
    expect(await talk(requestWith('x'))).toHaveLength(0);
    reply = () => {
      throw new Error('at once');
    };
    expect(await talk(requestWith('x'))).toHaveLength(0);
    reply = async ({ body }) => ({ outcome: 'answered', exitCode: 0, stdout: body });
    expect(await isWell()).toBe(true);
  });

  it('callers that leave before, in the middle, or instead of listening', async () => {
    const frame = requestWith('x'.repeat(500_000));
    for (const part of [frame.subarray(0, 0), frame.subarray(0, 5), frame.subarray(0, 100), frame]) {
      await new Promise<void>((resolve) => {
        const socket = connect(path, () => socket.write(part, () => socket.destroy()));
        socket.on('close', () => resolve());
      });
    }
    expect(await isWell()).toBe(true);
  });
});

it('answers others while one takes long', async () => {
  let release = () => {};
  reply = ({ body }) =>
    new Promise((resolve) => {
      const answer = () => resolve({ outcome: 'answered', exitCode: 0, stdout: body });
      if (body.length === 4) release = answer;
      else answer();
    });
  const slow = talk(requestWith('slow'));
  expect(said(await talk(requestWith('quick')))).toBe('quick');
  release();
  expect(said(await slow)).toBe('slow');
});
