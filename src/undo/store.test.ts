import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lacks } from '../../test/lacking.ts';
import { ChangedMeanwhile, nodeEntries } from '../platform/entries.ts';
import type { Copy } from './manifest.ts';
import { overLimits, prune } from './prune.ts';
import { openScratch, WORLD } from './undo.fixture.ts';
import type { Scratch } from './undo.fixture.ts';
import { WHY_NOT } from './world.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = openScratch();
});
afterEach(() => scratch.remove());

const objects = () => readdirSync(join(scratch.store.dir, 'objects'));
const drafts = () => readdirSync(join(scratch.store.dir, 'drafts'));

describe('a copy', () => {
  it('holds equal contents once, for its owner alone', async () => {
    scratch.put('a', 'same');
    scratch.put('b', 'same');
    await scratch.keep('rm a b');
    expect(await scratch.keep('rm a')).toMatchObject({ kept: { number: 2, files: 1, bytes: 4, names: ['a'] } });
    expect(objects()).toHaveLength(1);
    const modes = readdirSync(scratch.store.dir, { recursive: true, encoding: 'utf8' }).map(
      (name) => statSync(join(scratch.store.dir, name)).mode & 0o077,
    );
    expect(new Set(modes)).toEqual(new Set([0]));
  });

  it('gets a number of its own when several are made at once', async () => {
    for (let at = 0; at < 20; at += 1) scratch.put(`f${at}`, String(at));
    const made = await Promise.all(Array.from({ length: 20 }, (_, at) => scratch.keep(`rm f${at}`)));
    const numbers = made.map((result) => ('kept' in result ? result.kept.number : 0)).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it('is none without its manifest', async () => {
    scratch.put('a', '1');
    await scratch.keep('rm a');
    nodeEntries.removeFile(join(scratch.store.dir, 'copies/1/manifest.json'));
    expect(scratch.store.list()).toEqual([]);
  });
});

describe('no copy is made', () => {
  const failing = (error: Error) => ({
    ...WORLD,
    entries: {
      ...nodeEntries,
      copy: () => {
        throw error;
      },
    },
  });
  beforeEach(() => {
    scratch.put('dir/a', '1'.repeat(1_000));
    scratch.put('dir/.env', 'KEY=1');
    mkdirSync(scratch.store.dir, { recursive: true });
  });
  const nothingLeft = () => {
    expect(scratch.store.list()).toEqual([]);
    expect(existsSync(join(scratch.store.dir, 'drafts')) ? drafts() : []).toEqual([]);
  };

  it.each<[string, string, Parameters<Scratch['keep']>[1]]>([
    ['of what is too large', WHY_NOT.large, { budget: { ms: 1_000, bytes: 999 } }],
    ['of what takes too long', WHY_NOT.late, { budget: { ms: -1, bytes: 1 << 20 } }],
    ['of what the person excluded', WHY_NOT.excluded, { excluded: ['**/.env'] }],
    ['of what is written to all the time', WHY_NOT.changing, { world: failing(new ChangedMeanwhile('dir/a')) }],
    [
      'of what cannot be read',
      WHY_NOT.unreadable,
      { world: failing(Object.assign(new Error('no'), { code: 'EACCES' })) },
    ],
    ['on a full disk', WHY_NOT.store, { world: failing(Object.assign(new Error('full'), { code: 'ENOSPC' })) }],
  ])('%s', async (_, why, more) => {
    expect(await scratch.keep('rm -rf dir', more)).toEqual({ unkept: why });
    nothingLeft();
  });

  it('of the copies themselves', async () => {
    scratch.put('a', 'words');
    await scratch.keep('rm a');
    expect(await scratch.keep(`rm -rf ${scratch.home}/state`)).toEqual({ unkept: WHY_NOT.own });
  });

  it.each(['sudo rm -rf dir', 'ssh host rm -rf dir', 'rm -rf "$DIR"'])('for %s', async (command) => {
    const result = await scratch.keep(command);
    expect(Object.keys(result)).toEqual([expect.stringMatching(/unkept|nothing/)]);
    expect(scratch.store.list()).toEqual([]);
  });
});

describe('what is special', () => {
  it('links are kept as links, and what they lead to stays out', async () => {
    mkdirSync(join(scratch.home, 'outside'));
    scratch.put('../outside/secret', 'x');
    mkdirSync(join(scratch.dir, 'dir'));
    symlinkSync(join(scratch.home, 'outside'), join(scratch.dir, 'dir/way'));
    await scratch.keep('rm -rf dir');
    expect(scratch.store.read(1)?.entries.map(({ kind }) => kind)).toEqual(['dir', 'link']);
  });

  it.skipIf(lacks('mkfifo'))('pipes are noted, not read', async () => {
    scratch.put('dir/a', '1');
    spawnSync('mkfifo', [join(scratch.dir, 'dir/pipe')]);
    await scratch.keep('rm -rf dir');
    expect(scratch.store.read(1)?.entries.map(({ kind }) => kind)).toEqual(['dir', 'file', 'special']);
    scratch.run('rm -rf dir');
    expect((await scratch.undo(1)).left).toEqual([]);
  });
});

describe('pruning', () => {
  const DAY = 86_400_000;
  const copy = (number: number, session: string, age: number, bytes = 1) =>
    ({ number, session, at: 100 * DAY - age * DAY, bytes }) as Copy;
  const limits = { days: 14, megabytes: 10, copies: 3 };

  it.each<[string, readonly Copy[], readonly number[]]>([
    ['what is over age', [copy(3, 'a', 1), copy(2, 'a', 15), copy(1, 'a', 20)], [1, 2]],
    ['never the newest of a session', [copy(3, 'a', 30), copy(2, 'b', 40), copy(1, 'a', 50)], [1]],
    ['what is over the number', [5, 4, 3, 2, 1].map((number) => copy(number, 'a', 1)), [1, 2]],
    ['what is over the size', [3, 2, 1].map((number) => copy(number, 'a', 1, 6 << 20)), [1, 2]],
  ])('removes %s, oldest first', (_, copies, gone) => {
    expect(overLimits(copies, limits, 100 * DAY)).toEqual(gone);
  });

  it('removes contents that no copy has any more, and leaves the others', async () => {
    scratch.put('a', 'shared');
    scratch.put('b', 'own');
    await scratch.keep('rm a b');
    await scratch.keep('rm a');
    prune(scratch.store, { days: 14, megabytes: 10, copies: 1 }, Date.now());
    expect(scratch.store.list().map(({ number }) => number)).toEqual([2]);
    expect(objects()).toHaveLength(1);
    expect(drafts()).toEqual([]);
    scratch.run('rm a');
    await scratch.undo(2);
    expect(existsSync(join(scratch.dir, 'a'))).toBe(true);
  });
});
