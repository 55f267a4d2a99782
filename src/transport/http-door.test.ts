import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recorded } from '../../test/fixtures/claude-code.ts';
import { findFreePort } from '../cli/install/free-port.ts';
import { openEngine } from '../assembly/open-engine.ts';
import type { OpenedEngine } from '../assembly/open-engine.ts';
import { nodeFiles } from '../platform/files.ts';
import { pathsOf } from '../platform/paths.ts';
import { createBatching } from './batching.ts';
import { createDaemon } from './daemon.ts';
import type { Daemon } from './daemon.ts';
import { createHttpDoor } from './http-door.ts';
import type { HttpDoor } from './http-door.ts';

const NOW = 1_800_000_000_000;
const [ONE, TWO] = ['1'.repeat(64), '2'.repeat(64)];

let dir: string;
let run: string;
let engine: OpenedEngine;
let daemon: Daemon;
let door: HttpDoor;
let failures: string[];
let squatter: Server | undefined;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-door-')));
  const paths = pathsOf(join(dir, 'home'));
  run = paths.run;
  mkdirSync(run, { recursive: true, mode: 0o700 });
  engine = openEngine({ paths, userHome: dir, resident: true });
  const world = { isAlive: () => true, memoryBytes: () => 0, onStop() {} };
  daemon = createDaemon({
    batching: createBatching(Date.now),
    engine,
    stamp: '1.0.0+1.aa',
    pid: 1,
    userHome: dir,
    ...world,
  });
  failures = [];
  door = createHttpDoor(nodeFiles, run, daemon, (what, error) => void failures.push(`${what}: ${String(error)}`));
});
afterEach(async () => {
  void door.close();
  await new Promise((resolve) => (squatter ? squatter.close(resolve) : resolve(undefined)));
  squatter = undefined;
  engine.close();
  rmSync(dir, { recursive: true });
});

function settle(port: number, token: string): void {
  writeFileSync(join(run, 'port'), `${port}\n`);
  writeFileSync(join(run, 'token'), `${token}\n`);
}

async function ask(port: number, token: string): Promise<number | string> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await fetch(`http://127.0.0.1:${port}/hook/claude-code`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    await body?.cancel();
    return status;
  } catch {
    return 'nobody';
  }
}

async function squat(port: number): Promise<void> {
  squatter = createServer();
  await new Promise<void>((resolve) => squatter?.listen({ port, host: '127.0.0.1' }, resolve));
}

it('stays shut until an installation has asked for it', async () => {
  const port = await findFreePort();
  await door.look(NOW);
  expect(daemon.status().http).toBeUndefined();
  writeFileSync(join(run, 'port'), `${port}\n`);
  await door.look(NOW);
  expect(await ask(port, ONE), 'a port without a token').toBe('nobody');
  settle(port, ONE);
  await door.look(NOW);
  expect([await ask(port, ONE), await ask(port, TWO), daemon.status().http]).toEqual([200, 403, { port }]);
});

it('follows a change of token and of port, and shuts when they are gone', async () => {
  const [port, other] = [await findFreePort(), await findFreePort()];
  settle(port, ONE);
  await door.look(NOW);
  expect(await ask(port, ONE)).toBe(200);
  settle(port, TWO);
  await door.look(NOW);
  expect([await ask(port, ONE), await ask(port, TWO)], 'also on a connection from before').toEqual([403, 200]);
  settle(other, TWO);
  await door.look(NOW);
  expect([await ask(port, TWO), await ask(other, TWO)]).toEqual(['nobody', 200]);
  rmSync(join(run, 'token'));
  await door.look(NOW);
  expect([await ask(other, TWO), daemon.status().http]).toEqual(['nobody', undefined]);
  expect(failures).toEqual([]);
});

it('opens one port however often it looks at once', async () => {
  const [port, other] = [await findFreePort(), await findFreePort()];
  settle(port, ONE);
  const first = door.look(NOW);
  settle(other, ONE);
  await Promise.all([first, door.look(NOW), door.look(NOW)]);
  await door.look(NOW);
  expect([await ask(port, ONE), await ask(other, ONE)]).toEqual(['nobody', 200]);
});

it('tells that its port is taken, at the next prompt too, and opens once it is free', async () => {
  const port = await findFreePort();
  await squat(port);
  settle(port, ONE);
  await door.look(NOW);
  const problem = daemon.status().http?.problem;
  expect(problem).toMatch(
    /^port \d+ cannot be used \(.*EADDRINUSE.*\); whoever has it gets .* the token .* run `fairlead init` wherever HTTP is used and delete port and token in \/.*$/,
  );
  expect(failures).toEqual([expect.stringContaining('listening for HTTP')]);

  const prompt = async (session: string, id: string) => {
    const payload = { ...recorded('UserPromptSubmit/plain.json'), session_id: session, prompt_id: id, cwd: dir };
    const body = Buffer.from(JSON.stringify(payload));
    return (await daemon.answerHttp({ agent: 'claude-code', body, size: body.length })).stdout;
  };
  const told = await prompt('s1', 'p1');
  expect(JSON.parse(told)).toMatchObject({ systemMessage: expect.stringContaining(`[fairlead] ${problem}.`) });
  expect(await prompt('s1', 'p2'), 'once per session').toBe('');

  await door.look(NOW + 14_999);
  await door.look(NOW + 15_000);
  expect(failures, 'the same trouble is recorded once').toHaveLength(1);
  await new Promise((resolve) => squatter?.close(resolve));
  squatter = undefined;
  await door.look(NOW + 29_999);
  expect(await ask(port, ONE), 'not yet').toBe('nobody');
  await door.look(NOW + 30_000);
  expect([await ask(port, ONE), daemon.status().http]).toEqual([200, { port }]);
  expect(await prompt('s2', 'p3')).toBe('');
});
