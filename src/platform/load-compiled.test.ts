import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

/** A process of its own: another one of the same source finds what this one has in memory. */
const LOADER = `
import { loadCompiled } from './src/platform/load-compiled.ts';
const [path, code, keeps, use] = process.argv.slice(2);
const { exports, isKept, keep } = loadCompiled(path, code, use);
const told = [exports.add(1, 2), exports.dir, exports.join('a', 'b'), isKept()];
if (keeps) keep();
console.log(JSON.stringify(told));`;

let base: string;
let loader: string;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'fairlead-compiled-'));
  loader = join(base, 'loader.mjs');
  const stdin = { contents: LOADER, resolveDir: process.cwd() };
  await build({ stdin, bundle: true, format: 'esm', platform: 'node', outfile: loader });
});
afterAll(() => rmSync(base, { recursive: true }));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(base, 'case-'));
  put(
    '/*a*/(function (exports, require, module, __filename, __dirname) {' +
      'module.exports = { add: (a, b) => a + b, dir: __dirname, join: require("node:path").join }; })',
  );
});

const path = () => join(dir, 'program.cjs');
const put = (text: string) => writeFileSync(path(), text);
const kept = () => readdirSync(join(dir, 'code'));
const keptPath = () => join(dir, 'code', kept()[0] ?? '');

function load(...keeps: string[]): { told: unknown[]; isKept: unknown } {
  const out = execFileSync(process.execPath, [loader, path(), join(dir, 'code'), ...keeps], {
    encoding: 'utf8',
  });
  const [sum, ...rest] = JSON.parse(out) as unknown[];
  return { told: [sum, ...rest.slice(0, -1)], isKept: rest.at(-1) };
}

it('runs a file with its own `require`, directory and exports, and again with what was compiled', () => {
  expect(load('keep')).toEqual({ told: [3, dir, 'a/b'], isKept: false });
  expect(load()).toEqual({ told: [3, dir, 'a/b'], isKept: true });
});

it('takes nothing of another build, however alike, and leaves nothing of it', () => {
  load('keep');
  put(readFileSync(path(), 'utf8').replace('a + b', 'a - b').replace('/*a*/', '/*b*/'));
  expect(load('keep')).toEqual({ told: [-1, dir, 'a/b'], isKept: false });
  expect(kept()).toEqual([expect.stringContaining('.b.')]);
});

it('keeps what one use compiled apart from the others', () => {
  load('keep');
  expect(load('', 'mcp').isKept).toBe(false);
  load('keep', 'mcp');
  expect([load().isKept, load('', 'mcp').isKept, kept().length]).toEqual([true, true, 2]);
});

it('takes nothing that another user can write', () => {
  load('keep');
  chmodSync(keptPath(), 0o620);
  expect(load().isKept).toBe(false);
});

it.each<[string, (bytes: Buffer) => Buffer]>([
  ['is empty', () => Buffer.alloc(0)],
  ['is cut', (bytes) => bytes.subarray(0, bytes.length / 2)],
  ['has a wrong byte', (bytes) => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 255 : byte)))],
  [
    'has an end of zeros',
    (bytes) => Buffer.concat([bytes.subarray(0, bytes.length / 2), Buffer.alloc(bytes.length / 2)]),
  ],
  ['is zeros', (bytes) => Buffer.alloc(bytes.length)],
  ['is something else', () => Buffer.from('This is no code at all.')],
])('compiles anew where what was kept %s, and mends it', (_, harm) => {
  load('keep');
  writeFileSync(keptPath(), harm(readFileSync(keptPath())));
  expect(load('keep')).toEqual({ told: [3, dir, 'a/b'], isKept: false });
  expect(load().isKept).toBe(true);
});
