import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { ensureHttpAccess, hookUrl, proposeHttpAccess, readHttpAccess } from './http-access.ts';

let run: string;
beforeEach(() => {
  run = mkdtempSync(join(tmpdir(), 'fairlead-access-'));
});
afterEach(() => rmSync(run, { recursive: true }));

const ONE = { port: 20_001, token: '1'.repeat(64) };
const TWO = { port: 20_002, token: '2'.repeat(64) };
const propose = () => proposeHttpAccess(nodeFiles, run, async () => 23_456);

it('is proposed without a trace, settled once and kept', async () => {
  const first = await propose();
  expect(first).toEqual({ port: 23_456, token: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect((await propose()).token).not.toBe(first.token);
  expect([readdirSync(run), readHttpAccess(nodeFiles, run)]).toEqual([[], undefined]);
  expect(ensureHttpAccess(nodeFiles, run, first)).toEqual(first);
  expect(ensureHttpAccess(nodeFiles, run, TWO)).toEqual(first);
  expect(await propose()).toEqual(first);
  expect(readHttpAccess(nodeFiles, run)).toEqual(first);
  expect(readdirSync(run).map((name) => [name, statSync(join(run, name)).mode & 0o777])).toEqual([
    ['port', 0o600],
    ['token', 0o600],
  ]);
});

it.each<[string, string | undefined, string | undefined, object]>([
  ['a port without a token', '20005\n', undefined, { port: 20_005, token: ONE.token }],
  ['lines that were cut off', '20', '2222', ONE],
  ['whole lines without their ends', '20002', TWO.token, TWO],
  ['garbage', 'x\n80\n99999\n', `${'g'.repeat(64)}\n`, ONE],
  ['a second line', '20002\n20003\n', `${TWO.token}\n${ONE.token}\n`, TWO],
  ['empty files', '', '', ONE],
])('settles over %s', (_, port, token, expected) => {
  if (port !== undefined) writeFileSync(join(run, 'port'), port);
  if (token !== undefined) writeFileSync(join(run, 'token'), token);
  expect(ensureHttpAccess(nodeFiles, run, ONE)).toEqual(expected);
  expect(readHttpAccess(nodeFiles, run)).toEqual(expected);
});

it('says so when nothing can be written', () => {
  mkdirSync(join(run, 'port'));
  expect(() => ensureHttpAccess(nodeFiles, run, ONE)).toThrow('EISDIR');
});

it('names loopback by its number, since a name may lead elsewhere', () => {
  expect(hookUrl(20_001, 'some-agent')).toBe('http://127.0.0.1:20001/hook/some-agent');
});

it.each([
  ['before us', [TWO, ONE], TWO],
  ['after us', [ONE, TWO], ONE],
])('is the same for both when another process writes %s', (_, [first, second], winner) => {
  const racing: typeof nodeFiles = {
    ...nodeFiles,
    append(path, text) {
      for (const { port, token } of [first, second] as (typeof ONE)[])
        nodeFiles.append(path, token === ONE.token ? text : path.endsWith('port') ? `${port}\n` : `${token}\n`);
    },
  };
  expect(ensureHttpAccess(racing, run, ONE)).toEqual(winner);
  expect(ensureHttpAccess(nodeFiles, run, TWO)).toEqual(winner);
});

it('is the same for processes that settle it at once', async () => {
  const worker = join(run, 'settle.mjs');
  await build({
    stdin: {
      contents: `
        import { nodeFiles } from './src/platform/files.ts';
        import { ensureHttpAccess } from './src/transport/http-access.ts';
        const [digit, run] = process.argv.slice(2);
        console.log('ready');
        process.stdin.once('data', () => {
          console.log(JSON.stringify(ensureHttpAccess(nodeFiles, run, { port: 20000 + Number(digit), token: digit.repeat(64) })));
          process.exit();
        });`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: worker,
  });
  const racers = Array.from({ length: 5 }, (_, digit) => {
    const child = spawn(process.execPath, [worker, String(digit), run], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return { child, next: async () => (await lines.next()).value as string };
  });
  await Promise.all(racers.map(({ next }) => next()));
  for (const { child } of racers) child.stdin.write('go\n');
  const settled = await Promise.all(racers.map(({ next }) => next()));
  expect(settled.map((line) => JSON.parse(line) as unknown)).toEqual(racers.map(() => readHttpAccess(nodeFiles, run)));
});
