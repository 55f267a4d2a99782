import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { FORWARDED } from '../../src/adapters/forwarded.ts';
import { AT_WORK, encodeReply, encodeRequest } from '../../src/transport/frame.ts';
import { HEAD_BYTES, MAX_BODY_BYTES } from '../../src/transport/limits.ts';
import { openMeetingPlace, shortDir } from '../../src/transport/meeting-place.ts';
import { ASIDE, replyOf, serveFrames } from './frame-server.ts';
import type { FrameServer } from './frame-server.ts';
import { base, built, newWorld, put, ROOT, STAMP, start } from './start-client.ts';
import type { World } from './start-client.ts';

const MIB = 1024 * 1024;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';

let server: FrameServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Bytes that differ from place to place, so that a piece lost or moved shows. */
function bytesOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE(at ^ 0x5a5a, at);
  return bytes;
}

it('has the same list of variables as the Node client', () => {
  const source = readFileSync(join(ROOT, 'native/variables.h'), 'utf8');
  const list = /FORWARDED\[\] = \{([^}]*)\}/.exec(source)?.[1] ?? '';
  expect([...list.matchAll(/"(\w+)"/g)].map(([, name]) => name)).toEqual(FORWARDED);
});

describe.skipIf(!built.built)('a native client and a daemon', () => {
  it('sends input, words, directory and the listed variables, and nothing else of the environment', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => 'a reply');
    const env = Object.fromEntries(FORWARDED.map((name) => [name, `value of ${name}`]));
    const secrets = { ANTHROPIC_API_KEY: 'sk-secret', CLAUDE_CODE_MESSAGING_TOKEN: 'secret', CLAUDE_PID_: 'secret' };
    const args = [...world.args, '', 'ä b\n', '--within', '4000'];
    expect(await start(args, { input: '{"a":"ü"}\n', env: { ...env, ...secrets } })).toMatchObject({
      code: 0,
      out: 'a reply',
      err: '',
    });
    const body = Buffer.from('{"a":"ü"}\n');
    const expected = { verb: 'hook', stamp: STAMP, state: world.state, args, cwd: base, env, body, size: body.length };
    expect(Buffer.from(server.frames[0] ?? []).toString('latin1')).toBe(
      Buffer.from(encodeRequest(expected)).toString('latin1'),
    );
    expect(world.oneShot()).toBeUndefined();
  });

  it('leaves out variables that are not set and a directory that is gone', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => 'x');
    const gone = join(world.dir, 'gone');
    mkdirSync(gone);
    const ran = await start(world.args, {
      cwd: gone,
      around: 'rmdir "$PWD" && exec "$@"',
      env: { FAIRLEAD_DEPTH: '' },
    });
    expect(ran).toMatchObject({ code: 0, out: 'x', err: '' });
    expect(server.requests[0]).toMatchObject({ cwd: undefined, env: { FAIRLEAD_DEPTH: '' } });
  });

  const big = bytesOf(3 * MIB);
  it.each([
    ['empty', replyOf(''), '', 0],
    ['an exit code', replyOf('stop', 2), 'stop', 2],
    ['any bytes', replyOf(Buffer.from([0, 255, 10, 13])), '\u0000\u00ff\n\r', 0],
    ['bigger than any buffer', replyOf(big), big.toString('latin1'), 0],
    ['as big as the buffer', replyOf(big.subarray(0, HEAD_BYTES - 12)), big.toString('latin1', 0, HEAD_BYTES - 12), 0],
    ['one byte bigger', replyOf(big.subarray(0, HEAD_BYTES - 11)), big.toString('latin1', 0, HEAD_BYTES - 11), 0],
  ])('passes on a reply: %s', async (_name, reply, out, code) => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => reply);
    const ran = await start(world.args);
    expect(ran.out === out).toBe(true);
    expect(ran).toMatchObject({ code, err: '' });
  });

  it('waits on for a daemon that says that it is at work', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, async (_request, tell) => {
      for (let second = 1; second <= 4; second += 1) {
        await pause(1_000);
        tell(AT_WORK);
      }
      return 'copied';
    });
    expect(await start(world.args)).toMatchObject({ code: 0, out: 'copied', err: '' });
    expect(world.oneShot()).toBeUndefined();
  });

  it.each([
    [0, 0],
    [1, 1],
    [HEAD_BYTES, HEAD_BYTES],
    [2 * HEAD_BYTES, 2 * HEAD_BYTES],
    [2 * HEAD_BYTES + 1, 2 * HEAD_BYTES + 1],
    [MAX_BODY_BYTES, MAX_BODY_BYTES],
    [MAX_BODY_BYTES + 1, HEAD_BYTES],
    [64 * MIB, HEAD_BYTES],
  ])('reads %d bytes of input to the end, sends %d of them, and stays small', async (size, sent) => {
    const world = newWorld();
    let pid: number | undefined;
    let mostKib = 0;
    server = await serveFrames(world.socket, () => {
      if (isLinux) mostKib = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
      return 'read';
    });
    const input = bytesOf(size);
    const ran = await start(world.args, { input, onSpawn: (child) => (pid = child.pid) });
    expect(ran).toEqual({ code: 0, out: 'read', err: '', ms: ran.ms });
    expect(server.requests[0]?.size).toBe(size);
    expect(input.subarray(0, sent).equals(server.requests[0]?.body ?? bytesOf(1))).toBe(true);
    expect(mostKib).toBeLessThan((sent > MIB || size > MIB ? 18 : 4) * 1024);
  });

  it('ends quietly when nobody reads its output', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => replyOf(big, 2));
    expect(await start(world.args, { output: 'closed' })).toMatchObject({ code: 0, err: '' });
  });

  it('does not hang when its output is held open and not read', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => replyOf(big));
    const ran = await start([...world.args, '--within', '300'], { output: 'unread' });
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.ms).toBeGreaterThan(1200);
    expect(ran.ms).toBeLessThan(PATIENCE_MS);
  });

  it.each([
    ['input', '<&-', { out: 'hello' }],
    ['output', '>&-', { out: '' }],
    ['everything', '<&- >&- 2>&-', { out: '' }],
  ])('works when it was started with closed %s', async (_name, redirect, expected) => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => 'hello');
    expect(await start(world.args, { input: '', around: `exec "$@" ${redirect}` })).toMatchObject({
      code: 0,
      err: '',
      ...expected,
    });
    expect(server.requests).toMatchObject([{ size: 0 }]);
  });

  it('waits for a daemon that has more callers than it has accepted', async () => {
    const world = newWorld();
    const daemon = spawn(
      process.execPath,
      [
        '-e',
        `const reply = Buffer.from(process.argv[2], 'hex');
        const server = require('node:net').createServer((socket) => socket.once('data', () => socket.end(reply)));
        server.listen({ path: process.argv[1], backlog: 1 }, () => {
          require('node:fs').writeSync(1, 'listening');
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
        });`,
        world.socket,
        Buffer.from(replyOf('at last')).toString('hex'),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      await new Promise((resolve) => daemon.stdout.once('data', resolve));
      const all = await Promise.all(Array.from({ length: 8 }, () => start(world.args)));
      expect(all.map(({ out, code }) => [out, code])).toEqual(all.map(() => ['at last', 0]));
      expect(world.oneShot()).toBeUndefined();
    } finally {
      daemon.kill();
    }
  });

  it('meets the daemon in the short directory when the path of its home is long', async () => {
    const world = newWorld({ name: `${'long/'.repeat(20)}state` });
    server = await serveFrames(join(world.short, 'daemon.sock'), () => 'from afar');
    expect(await start(world.args)).toMatchObject({ code: 0, out: 'from afar', err: '' });
  });

  it.each([
    [100, false],
    [101, true],
  ])('switches places where the Node side does: %d bytes', async (bytes, isShort) => {
    const world = newWorld();
    const state = join(world.dir, 's'.repeat(bytes - `${world.dir}//run/daemon.sock`.length - 12));
    onTestFinished(() => rmSync(shortDir(state), { recursive: true, force: true }));
    const place = openMeetingPlace({ config: '', state, run: join(state, 'run') });
    expect(place.socket.startsWith(shortDir(state))).toBe(isShort);
    server = await serveFrames(place.socket, () => 'met');
    const args = world.args.map((word) => (word === world.state ? state : word));
    expect(await start(args)).toMatchObject({ code: 0, out: 'met' });
  });
});

interface NoAnswer {
  readonly name: string;
  readonly reply?: Uint8Array;
  readonly before?: (world: World) => void;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: number;
  /** Whether a request may have been sent at all. */
  readonly asked?: boolean;
}

const whole = replyOf('never to be seen');
const marked = (text: string): Uint8Array => Buffer.concat([Buffer.from(text), whole.subarray(4)]);
const withByte = (at: number, value: number): Uint8Array => Buffer.from(whole).fill(value, at, at + 1);

const NO_ANSWER: readonly NoAnswer[] = [
  { name: 'stands aside', reply: ASIDE },
  {
    name: 'stands aside with a text',
    reply: encodeReply({ outcome: 'aside', exitCode: 3, stdout: Buffer.from('no') }),
  },
  { name: 'ends at once', reply: new Uint8Array() },
  { name: 'ends within the head of its reply', reply: whole.subarray(0, 11) },
  { name: 'ends after the head of its reply', reply: whole.subarray(0, 12) },
  { name: 'ends one byte early', reply: whole.subarray(0, -1) },
  { name: 'speaks something else', reply: marked('FLR2') },
  { name: 'has an outcome of the future', reply: withByte(4, 7) },
  { name: 'claims a reply beyond measure', reply: withByte(11, 0xff) },
  { name: 'is in a directory that others can enter', before: ({ run }) => chmodSync(run, 0o755), asked: false },
  {
    name: 'is behind a link',
    before: ({ run, dir }) => {
      renameSync(run, join(dir, 'elsewhere'));
      symlinkSync(join(dir, 'elsewhere'), run);
    },
    asked: false,
  },
  { name: 'has left its socket behind', before: ({ socket }) => leaveBehind(socket), asked: false },
  { name: 'would get more words than fit', env: { CLAUDE_CODE_SESSION_ID: 'x'.repeat(100_000) }, asked: false },
  ...(isRoot
    ? [
        {
          name: 'is in a directory of another user',
          before: ({ run }: World) => chownSync(run, NOBODY, 0),
          asked: false,
        },
        {
          name: 'runs as another user',
          before: ({ run, socket, state, dir }: World) => {
            for (const path of [dir, state, run]) chownSync(path, NOBODY, NOBODY);
            chmodSync(socket, 0o777);
          },
          user: NOBODY,
          asked: false,
        },
      ]
    : []),
];

function leaveBehind(socket: string): void {
  rmSync(socket);
  writeFileSync(socket, '');
}

describe.skipIf(!built.built)('a daemon that does not answer', () => {
  it.each(NO_ANSWER)(
    '$name: the one-shot gets the event',
    async ({ reply = whole, before, env, user, asked = true }) => {
      const world = newWorld();
      server = await serveFrames(world.socket, () => reply);
      before?.(world);
      const input = bytesOf(5 * MIB);
      const ran = await start(world.args, { input, ...(env ? { env } : {}), ...(user === undefined ? {} : { user }) });
      expect(ran).toEqual({ code: 0, out: 'one-shot', err: '', ms: ran.ms });
      expect(server.requests.length).toBe(asked ? 1 : 0);
      const { words = [], input: fed } = world.oneShot() ?? {};
      expect(words.slice(0, -1)).toEqual([
        '/the/launcher',
        'hook',
        '--direct',
        '--watched',
        '--start',
        ...world.args,
        '--within',
      ]);
      expect(fed?.equals(input)).toBe(true);
      expect(world.turnedAway()).toBe('');
    },
  );

  it('hands on all of stdin when there is none, having read it before it took a slot', async () => {
    const world = newWorld({ script: "#!/bin/sh\ncat\nprintf '\\0'\n" });
    put(join(world.dir, 'payload'), '{"whole":1}');
    const ran = await start(world.args, { around: `(cat '${world.dir}/payload'; sleep 0.3; echo) | "$@"` });
    expect(ran.out).toBe('{"whole":1}\n');
  });

  it('tells the one-shot how big an input was that it did not keep', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => ASIDE);
    const input = bytesOf(64 * MIB);
    expect(await start(world.args, { input })).toMatchObject({ code: 0, out: 'one-shot' });
    expect(world.oneShot()?.words.slice(-2)).toEqual(['--size', String(64 * MIB)]);
    expect(world.oneShot()?.input.equals(input.subarray(0, HEAD_BYTES))).toBe(true);
  });

  it('waits three seconds for a daemon that hangs, and leaves the one-shot the rest', async () => {
    const world = newWorld();
    server = await serveFrames(world.socket, () => undefined);
    const ran = await start([...world.args, '--within', '9000']);
    expect(ran).toMatchObject({ code: 0, out: 'one-shot', err: '' });
    const { words = [] } = world.oneShot() ?? {};
    expect(words.filter((word) => word === '--within')).toHaveLength(1);
    expect(Number(words.at(-1))).toBeGreaterThan(2000);
    expect(Number(words.at(-1))).toBeLessThanOrEqual(6000);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['an entry without a home', []],
    ['a home that is no path', ['--state', 'relative/dir']],
  ])('leaves %s to Node', async (_name, more) => {
    const world = newWorld();
    const args = ['--agent', 'claude-code', ...world.args.slice(world.args.indexOf('--node')), ...more];
    expect(await start(args, { input: 'by hand' })).toMatchObject({ code: 0, out: 'one-shot', err: '' });
    expect(world.oneShot()?.words).toEqual(['/the/launcher', 'hook', ...args]);
    expect(world.oneShot()?.input.toString()).toBe('by hand');
  });
});
