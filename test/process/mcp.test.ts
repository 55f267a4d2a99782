import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { plantShop } from '../../src/cli/graph/indexed-project.fixture.ts';
import type { ShopProject } from '../../src/cli/graph/indexed-project.fixture.ts';
import { CLI, startServer } from '../../src/mcp/server-process.fixture.ts';
import type { ServerProcess, ServerSetting } from '../../src/mcp/server-process.fixture.ts';
import { pause } from '../../src/platform/timers.ts';
import { processesOf } from './proc.ts';

let shop: ShopProject;
let servers: ServerProcess[];

beforeEach(() => {
  shop = plantShop();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await shop.remove();
});

async function start(setting: Partial<ServerSetting> = {}): Promise<ServerProcess> {
  const server = await startServer({ home: shop.home, cwd: shop.root, ...setting });
  servers.push(server);
  return server;
}

function plantMany(count: number): void {
  for (let at = 0; at < count; at += 1)
    shop.putProject(`many/f${at}.py`, `def f${at}():\n    return f${at}()\n`.repeat(20));
}

/** Each line is one message of the protocol. */
function expectProtocol({ lines }: ServerProcess): void {
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
}

it('prints how long it takes to be there', async () => {
  const began = performance.now();
  const server = await start();
  expect((await server.request('tools/list'))['result']).toBeDefined();
  process.stdout.write(`mcp: ${Math.round(performance.now() - began)} ms from start to the first list of tools\n`);
});

it('while the command line indexes, answers go on, the next one is new, and stdout holds the protocol alone', async () => {
  const server = await start();
  await server.call('graph', { action: 'index' });
  plantMany(300);
  shop.putProject('broken.py', 'def broken(:\n  ((((\n');
  const { ran } = shop.begin(['index', '--wait', '60']);
  const asked: Promise<unknown>[] = [];
  for (let at = 0; at < 10; at += 1) asked.push(server.call('graph', { action: 'callers', symbol: 'main', wait_s: 1 }));
  expect(await Promise.all(asked)).toEqual(
    asked.map(() => ({
      text: expect.stringMatching(/^main {2}function[^]*\n(stable|partial|stale: \d+ files?)$/),
      isError: false,
    })),
  );
  expect((await ran).code).toBe(0);
  const { text } = await server.call('graph', { action: 'search', query: 'f299' });
  expect(text).toMatch(/f299 {2}function[^]*\nstable$/);
  shop.putProject('tool.py', 'def renamed():\n    pass\n');
  expect((await shop.graph('index', '--wait', '60')).code).toBe(0);
  expect((await server.call('graph', { action: 'search', query: 'renamed' })).text).toContain('tool.py:1');
  expect((await server.call('graph', { action: 'search', query: 'parse_config' })).text).toContain('no symbol fits');
  expectProtocol(server);
});

it('whatever else prints, it does not print to stdout', async () => {
  const noise = join(shop.home, 'noise.mjs');
  // What prints before the verb takes over stdout is nobody's but Node's.
  writeFileSync(
    noise,
    `const { write } = process.stdout;
    setInterval(() => {
      if (process.stdout.write === write) return;
      console.log('console noise');
      process.stdout.write('stream noise\\n');
      process.emitWarning('warned noise');
    }, 20).unref();`,
  );
  const server = await start({ nodeArgs: ['--import', noise] });
  await server.call('graph', { action: 'index' });
  await server.call('graph', { action: 'files' });
  const noises = ['console noise', 'stream noise', 'warned noise'];
  expect(await until('all of it is heard', () => noises.every((words) => server.said.err.includes(words)))).toBe(true);
  expectProtocol(server);
});

it('lines that are no messages are passed over', async () => {
  const server = await start();
  for (const line of [
    'garbage',
    '{',
    '[]',
    '{"jsonrpc":"2.0"}',
    '{"id":1}',
    '\u0000',
    '',
    'null',
    '{"jsonrpc":"1.0","id":9,"method":"x"}',
  ])
    server.write(`${line}\n`);
  expect((await server.request('tools/list'))['result']).toBeDefined();
  expect((await server.request('no/such'))['error']).toMatchObject({ code: -32_601 });
  expect((await server.call('graph', { action: 'status' })).text).toContain('pending');
  expectProtocol(server);
});

it('two servers and the command line share one index', async () => {
  plantMany(100);
  const [one, two] = await Promise.all([start(), start()]);
  const asked = { action: 'callers', symbol: 'main', wait_s: 60 };
  const told = await Promise.all([one.call('graph', asked), two.call('graph', asked), one.call('graph', asked)]);
  for (const { text } of told)
    expect(text).toMatch(/1 caller in tests; 1 call\n {2}testMain {2}src\/main\.test\.ts:3[^]*\nstable$/);
  shop.putProject('src/more.ts', "import { main } from './main.ts';\nexport function more(): void {\n  main();\n}\n");
  const [first, second] = await Promise.all([one.call('graph', asked), two.call('graph', asked)]);
  expect(first.text).toContain('1 caller in production, 1 in tests');
  expect(second.text).toContain('1 caller in production, 1 in tests');
  expect((await shop.graph('callers', 'main')).out).toContain('1 caller in production, 1 in tests');
});

it('a wait of nothing says that it is being indexed, and the next call finds it', async () => {
  plantMany(200);
  const server = await start();
  const told = await server.call('graph', { action: 'callers', symbol: 'main', wait_s: 0 });
  expect(told).toEqual({
    text: expect.stringMatching(/^partial: .* is being indexed.* The same call again/),
    isError: false,
  });
  expect((await server.call('graph', { action: 'callers', symbol: 'main', wait_s: 60 })).text).toMatch(
    /1 caller[^]*\nstable$/,
  );
});

it('ends when its input does, also while it works, and leaves no process behind', async () => {
  plantMany(300);
  const server = await start();
  const answer = server.call('graph', { action: 'index' }).catch(() => 'left');
  await pause(150);
  expect(await server.close()).toBe(0);
  await answer;
  await until('no process is left', () => processesOf(shop.home).length === 0);
});

it('ends in order after a line beyond all limits, and says why', async () => {
  const server = await start();
  const ended = once(server.child, 'close');
  server.write(`${'x'.repeat(11 << 20)}\n`);
  expect(await ended).toEqual([0, null]);
  expect(server.said.err).toMatch(/maximum size/);
  expect(server.said.err).not.toContain('await');
});

it('ends when who started it is gone, though its input is held open by another', async () => {
  // The shell in between ends when told to; the server is left with an input that this process holds open.
  const [input, output, go, home] = ['input', 'output', 'go', 'left'].map((name) => join(shop.home, name)) as [
    string,
    string,
    string,
    string,
  ];
  execFileSync('mkfifo', [input]);
  const held = openSync(input, 'r+');
  const script = '"$0" "$1" mcp --home "$2" <"$3" >"$4" 2>&1 & while [ ! -e "$5" ]; do sleep 0.1; done';
  const words = ['-c', script, process.execPath, CLI, home, input, output, go];
  const between = spawn('sh', words, { cwd: shop.root, stdio: 'ignore' });
  writeSync(held, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
  const left = () => processesOf(home).filter(({ args }) => args[2] === 'mcp');
  const answered = () => existsSync(output) && readFileSync(output, 'utf8').includes('"id":1');
  await until('it answers', answered);
  expect(left()).toHaveLength(1);
  const ended = once(between, 'exit');
  writeFileSync(go, '');
  await ended;
  await until('it has ended', () => left().length === 0);
  closeSync(held);
});

it('takes the home that its entry names, whatever the environment says', async () => {
  const other = join(shop.home, 'other-home');
  const server = await start({ args: ['--home', other] });
  await server.call('graph', { action: 'index' });
  expect((await shop.json('status'))['state']).toBe('none');
  rmSync(other, { recursive: true, force: true });
});
