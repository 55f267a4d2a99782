import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { holderOf, takeLease } from './lease.ts';
import type { Lease } from './lease.ts';
import { graphPaths } from './graph-paths.ts';
import type { GraphPaths } from './graph-paths.ts';

let state: string;
let location: GraphPaths;
let lease: Lease | undefined;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'fl-lease-'));
  location = graphPaths(state, '/code/app');
});
afterEach(() => {
  lease?.release();
  lease = undefined;
  rmSync(state, { recursive: true });
});

const self = { pid: process.pid, since: 5 };

it('is had by one, who says who it is, and by the next once it was given back', () => {
  lease = takeLease(nodeFiles, location, self);
  expect(takeLease(nodeFiles, location, { pid: 1, since: 9 })).toBeUndefined();
  expect(holderOf(nodeFiles, location)).toEqual(self);
  lease?.release();
  expect(holderOf(nodeFiles, location)).toBeUndefined();
  lease = takeLease(nodeFiles, location, self);
  expect(lease?.holds()).toBe(true);
});

it('of one root says nothing about another', () => {
  lease = takeLease(nodeFiles, location, self);
  const other = takeLease(nodeFiles, graphPaths(state, '/code/other/app'), self);
  expect(other?.holds()).toBe(true);
  other?.release();
});

it('is held by nobody when its holder is gone, whatever that left behind', () => {
  nodeFiles.makeDir(location.dir, 0o700);
  writeFileSync(location.holder, '{"pid":99999999,"since":1}');
  expect(holderOf(nodeFiles, location)).toBeUndefined();
  // The number of a process that ended may be that of another one by now.
  writeFileSync(location.holder, JSON.stringify(self));
  expect(holderOf(nodeFiles, location)).toBeUndefined();
  writeFileSync(location.lease, 'junk'.repeat(999));
  expect(holderOf(nodeFiles, location)).toBeUndefined();
  writeFileSync(location.holder, '{"pid"');
  expect(holderOf(nodeFiles, location)).toBeUndefined();
  lease = takeLease(nodeFiles, location, self);
  expect(lease?.holds()).toBe(true);
});

it.each(['junk', 'x'.repeat(5_000)])('is had where something else was written into its file: %.8s', (text) => {
  nodeFiles.makeDir(location.dir, 0o700);
  writeFileSync(location.lease, text);
  lease = takeLease(nodeFiles, location, self);
  expect([lease?.holds(), takeLease(nodeFiles, location, self)]).toEqual([true, undefined]);
});

it('is had on a full disk as well', () => {
  const writeAtomic = (): never => {
    throw new Error('ENOSPC');
  };
  lease = takeLease({ ...nodeFiles, writeAtomic }, location, self);
  expect(lease?.holds()).toBe(true);
});

it('lies in a place of its own for every root', () => {
  const dirs = ['/code/app', '/code/other/app', '/code/a p/ü', '/'].map((root) => graphPaths(state, root).workspace);
  expect(new Set(dirs).size).toBe(4);
  expect(dirs[0]).toMatch(/\/workspaces\/app-[0-9a-f]{12}$/);
  expect(dirs.every((dir) => /^[\w.-]+$/.test(dir.slice(`${state}/workspaces/`.length)))).toBe(true);
});
