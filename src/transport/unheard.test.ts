import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { recorded } from '../../test/fixtures/claude-code.ts';
import { findFreePort } from '../cli/install/free-port.ts';
import { contextWorld, NOW } from '../packs/context/context.fixture.ts';
import { listenHttp } from '../platform/http-listener.ts';
import { pause } from '../platform/timers.ts';
import { exchange, listenUnix } from '../platform/unix-socket.ts';
import { askDaemon } from './ask-daemon.ts';
import { createBatching } from './batching.ts';
import { createDaemon } from './daemon.ts';
import { decodeReply, encodeRequest } from './frame.ts';
import { serveHttp } from './http-server.ts';
import { serveConnection } from './socket-server.ts';

const TOKEN = '0123456789abcdef'.repeat(4);
const STAMP = '1.0.0+1.aa';
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A daemon whose first answer waits until the test lets git answer; it then gives the session its context, once. */
async function slowDaemon() {
  let release = (): void => {};
  const asked = { count: 0 };
  const history = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  const git = () => {
    asked.count += 1;
    return history;
  };
  const world = contextWorld({ only: ['context-load-gate'], sources: { git } });
  const at = { GIT_AUTHOR_DATE: new Date(NOW).toISOString(), GIT_COMMITTER_DATE: new Date(NOW).toISOString() };
  const run = (...args: string[]) => execFileSync('git', args, { cwd: world.root, env: { ...process.env, ...at } });
  run('init', '-q');
  run('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'One');
  const daemon = createDaemon({
    batching: createBatching(Date.now),
    engine: world.engine,
    stamp: STAMP,
    pid: 1,
    userHome: world.home,
    isAlive: () => true,
    memoryBytes: () => 0,
    onStop: () => expect.fail('nobody stops it'),
  });
  let calls = 0;
  const body = () =>
    Buffer.from(
      JSON.stringify({
        ...recorded('PreToolUse/bash.json'),
        session_id: 'session-1',
        tool_use_id: `call ${(calls += 1)}`,
        cwd: world.root,
      }),
    );
  const isLoaded = () => 'session-1' in world.cells('context.loaded');
  return { world, daemon, body, isLoaded, asked, release };
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !holds(); tries += 1) await pause(5);
  expect(holds()).toBe(true);
}

async function overSocket() {
  const slow = await slowDaemon();
  const { world, daemon, body } = slow;
  const path = join(world.paths.state, 's');
  const listener = await listenUnix(path, (socket) => serveConnection(socket, daemon.reply));
  closing.push(() => listener.close());
  const frame = () => {
    const bytes = body();
    const args = ['--agent', 'claude-code', '--event', 'PreToolUse'];
    const about = { verb: 'hook', stamp: STAMP, state: world.paths.state, args, cwd: world.root, env: {} } as const;
    return encodeRequest({ ...about, size: bytes.length, body: bytes });
  };
  const ask = async () => {
    const bytes = await exchange(path, frame(), 5_000);
    return Buffer.from((bytes && decodeReply(bytes)?.stdout) ?? []).toString();
  };
  return { ...slow, path, frame, ask };
}

it('a caller that left before its answer is told again', async () => {
  const { path, frame, ask, asked, release, isLoaded } = await overSocket();
  const socket = connect(path, () => socket.write(frame()));
  await until(() => asked.count > 0);
  socket.destroy();
  await pause(20);
  release();
  await pause(50);
  expect(isLoaded()).toBe(false);
  expect(await ask()).toContain('CONSTITUTION');
  expect(isLoaded()).toBe(true);
  expect(await ask()).toBe('');
});

it('a caller that leaves with the answer unread is told again', async () => {
  const { path, frame, ask, asked, release, isLoaded } = await overSocket();
  const socket = connect(path, () => socket.write(frame()));
  socket.pause();
  await until(() => asked.count > 0);
  release();
  await until(isLoaded);
  await pause(20);
  socket.destroy();
  await until(() => !isLoaded());
  expect(await ask()).toContain('CONSTITUTION');
});

it('a caller that was answered is not', async () => {
  const { ask, release, isLoaded } = await overSocket();
  release();
  expect(await ask()).toContain('CONSTITUTION');
  await pause(50);
  expect(isLoaded()).toBe(true);
  expect(await ask()).toBe('');
});

it('a request that was aborted is answered again, and one that was not is not', async () => {
  const { daemon, body, asked, release, isLoaded } = await slowDaemon();
  const port = await findFreePort();
  const listener = await listenHttp(port, serveHttp({ port, token: TOKEN }, daemon.answerHttp, daemon.refusedHttp));
  closing.push(() => void listener.close());
  const post = () =>
    request({
      ...{ port, host: '127.0.0.1', method: 'POST', path: '/hook/claude-code', agent: false },
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  const ask = () =>
    new Promise<string>((resolve, reject) => {
      const sent = post().on('error', reject);
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve(text));
      });
      sent.end(body());
    });
  const left = post().on('error', () => {});
  left.end(body());
  await until(() => asked.count > 0);
  left.destroy();
  await pause(20);
  release();
  await pause(50);
  expect(isLoaded()).toBe(false);
  expect(await ask()).toContain('CONSTITUTION');
  await pause(20);
  expect(isLoaded()).toBe(true);
  expect(await ask()).toBe('{}');
});

it('who waits hears that the engine is at work, and waits on', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'fairlead-work-'));
  closing.push(() => rmSync(dir, { recursive: true }));
  const path = join(dir, 's');
  const late = async () => {
    await pause(2_500);
    return { outcome: 'answered', exitCode: 0, stdout: Buffer.from('late') } as const;
  };
  const listener = await listenUnix(path, (socket) => serveConnection(socket, late));
  closing.push(() => listener.close());
  const question = { verb: 'hook', state: '/nowhere' } as const;
  expect(await askDaemon(path, question, 1_800)).toMatchObject({ stdout: Buffer.from('late') });
});
