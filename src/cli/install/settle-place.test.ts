import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { pathsOf } from '../../platform/paths.ts';
import { goneDir, launchDir, readLaunched, versionsDir } from '../../transport/launch-place.ts';
import type { Client } from './client.ts';
import { settlePlace } from './settle-place.ts';

const BY_NODE: Client = { kind: 'node', why: 'there is none' };
let dir: string;
let client: string;
let copy: { stamp: string; root: string; node: string };
const paths = () => pathsOf(dir);
const current = () => launchDir(paths().state);
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-settle-'));
  client = join(dir, 'client');
  writeFileSync(client, '#!/bin/sh\necho 1.0.0+1.a\n');
  copy = { stamp: '1.0.0+1.a', root: join(dir, 'copy'), node: process.execPath };
});
afterEach(() => rmSync(dir, { recursive: true }));

it('puts client and launcher where hooks find them, whatever rights the released client has', () => {
  chmodSync(client, 0o644);
  const native: Client = { kind: 'native', path: client, built: 'released' };
  expect(settlePlace(paths(), copy, native)).toBe(native);
  expect(readFileSync(join(current(), 'fairlead-client'), 'utf8')).toBe(readFileSync(client, 'utf8'));
  expect(readFileSync(join(current(), 'fairlead'), 'utf8')).toContain(copy.root);
  expect(readLaunched(nodeFiles, current())).toEqual(copy);
  expect(nodeFiles.isProtected(join(current(), 'fairlead'))).toBe(false);
});

it('the launcher stands in for a client that is not there, or cannot be started here', () => {
  settlePlace(paths(), copy, BY_NODE);
  const launcher = readFileSync(join(current(), 'fairlead'), 'utf8');
  expect(readFileSync(join(current(), 'fairlead-client'), 'utf8')).toBe(launcher);
  writeFileSync(client, 'no program');
  const settled = settlePlace(paths(), copy, { kind: 'native', path: client, built: 'released' });
  expect(settled).toMatchObject({ kind: 'node' });
  expect(readFileSync(join(current(), 'fairlead-client'), 'utf8')).toBe(launcher);
});

it('switches by one link, keeps the version before, and forgets older ones and who was told that it is gone', () => {
  const versions = versionsDir(paths().state);
  mkdirSync(goneDir(paths().run), { recursive: true });
  writeFileSync(join(goneDir(paths().run), 'since'), '');
  const places = ['1.0.0+1.a', '2.0.0+2.b', '1.0.0+1.a', '3.0.0+3.c'].map((stamp) => {
    settlePlace(paths(), { ...copy, stamp }, BY_NODE);
    expect(readLaunched(nodeFiles, current())?.stamp).toBe(stamp);
    for (const name of nodeFiles.list(versions)) utimesSync(join(versions, name), 1, 1);
    return readlinkSync(current());
  });
  expect(places[2]).toBe(places[0]);
  expect(new Set(nodeFiles.list(versions).map((name) => `versions/${name}`))).toEqual(new Set(places.slice(2)));
  expect(nodeFiles.list(goneDir(paths().run))).toEqual([]);
});
