import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dirtyId, markDirty } from '../state/due-work.ts';
import { openStage } from './jobs.fixture.ts';
import type { JobStage } from './jobs.fixture.ts';
import { Draft } from '../state/draft.ts';
import { openMemory } from '../ledger/open.ts';

let stage: JobStage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

const texts = (notes: readonly { readonly text: string }[]): string[] => notes.map(({ text }) => text);

/** As another process would mark it. */
function markElsewhere(subject = 'one', kind = 'sync'): void {
  const { now } = stage.engine;
  const other = openMemory({
    path: join(stage.root, '..', 'state.db'),
    busyMs: 1_000,
    resident: false,
    now: () => now,
    random: Math.random,
    onFailure: (what) => expect.unreachable(what),
  });
  const draft = new Draft(other.store, now);
  markDirty(draft, dirtyId(stage.root, 'test', `${subject}:${kind}`), { session: 's2', agent: 'main' });
  expect(other.store.commit({ reads: draft.reads, changes: draft.changes, now })).toBe(true);
  other.close();
}

describe('work that events mark', () => {
  test('an event that marks nothing starts nothing', async () => {
    stage.marks = [];
    for (let times = 0; times < 6; times += 1) await stage.edit();
    await stage.pass(10_000);
    expect(stage.ran).toEqual([]);
    expect(stage.counts).toEqual({});
  });

  test('20 edits in 2 s are a few runs, and the last edit is reflected within 1 s', async () => {
    stage.marks = ['docs', 'sync', 'line'];
    stage.work.line = ({ files, root }) => {
      const source = files.readText(join(root, 'source')) ?? '';
      files.write(join(root, 'line'), source, files.readText(join(root, 'line')));
      return {};
    };
    for (let edit = 1; edit <= 20; edit += 1) {
      stage.put('source', `edit ${edit}`);
      await stage.edit();
      await stage.pass(100);
    }
    await stage.pass(900);
    expect(stage.read('line')).toBe('edit 20');
    for (const kind of ['sync', 'line', 'docs']) {
      const runs = stage.ran.filter((ran) => ran === `one:${kind}`).length;
      expect(runs).toBeGreaterThan(0);
      expect(runs).toBeLessThanOrEqual(4);
    }
    expect(stage.ran[0]).toBe('one:sync');
    expect((stage.counts['jobs.run'] ?? 0) + (stage.counts['jobs.merged'] ?? 0)).toBe(60);
    expect(stage.peaks['jobs.longest']).toBe(3);
    expect(stage.cells('test.dirty')).toEqual({});
  });

  test('an edit that arrives while the job runs leads to exactly one further run', async () => {
    let finish: () => void = () => {};
    stage.work.sync = () =>
      new Promise((resolve) => {
        finish = () => resolve({});
      });
    await stage.edit();
    stage.engine.now += 150;
    const passing = stage.pass(100);
    await expect.poll(() => stage.ran.length).toBe(1);
    await stage.edit();
    await stage.edit();
    stage.work.sync = () => ({});
    finish();
    await passing;
    await stage.pass(5_000);
    expect(stage.ran).toHaveLength(2);
    expect(stage.counts).toMatchObject({ 'jobs.run': 2, 'jobs.merged': 1 });
    expect(stage.cells('test.dirty')).toEqual({});
  });

  test('a job may find more to do', async () => {
    stage.work.sync = ({ subject }) => ({ marks: [{ kind: 'line' }, { kind: 'sync', subject: `${subject}+` }] });
    stage.work.line = () => ({ notes: [{ variant: 'ticked', values: { what: 'the line' } }] });
    await stage.edit();
    await stage.pass(200);
    stage.work.sync = () => ({});
    await stage.pass(1_000);
    expect(stage.ran).toEqual(['one:sync', 'one:line', 'one+:sync']);
    stage.marks = [];
    expect(texts((await stage.edit()).notes)).toEqual(['[test/marks] Ticked "the line".']);
  });

  test('a shadow rule marks nothing; where a rule is off or in shadow its work stays due', async () => {
    stage.setRule({}, 'shadow');
    await stage.edit();
    expect(stage.cells('test.dirty')).toEqual({});
    for (const mode of ['off', 'shadow'] as const) {
      stage.setRule({});
      await stage.edit();
      stage.setRule({}, mode);
      await stage.pass(5_000);
    }
    expect(stage.ran).toEqual([]);
    expect(stage.cells('test.dirty')).toMatchObject({ 'one:sync': { marks: 2 } });
    stage.setRule({});
    await stage.pass(30_000);
    expect(stage.ran).toEqual(['one:sync']);
  });
});

describe('work that others left', () => {
  test('a killed process loses none', async () => {
    stage.marks = ['sync', 'line'];
    await stage.edit();
    stage.restart('killed');
    expect(stage.cells('test.dirty')).toMatchObject({ 'one:sync': { marks: 1 }, 'one:line': { marks: 1 } });
    await stage.pass(1_000);
    expect(stage.ran).toEqual(['one:sync', 'one:line']);
    expect(stage.cells('test.dirty')).toEqual({});
    expect(stage.failures).toEqual([]);
  });

  test('so does one that is killed while the job runs', async () => {
    stage.work.sync = () => new Promise(() => {});
    await stage.edit();
    void stage.pass(200);
    await expect.poll(() => stage.ran.length).toBe(1);
    stage.work.sync = () => ({});
    stage.restart('killed');
    await stage.pass(1_000);
    expect(stage.ran).toEqual(['one:sync', 'one:sync']);
    expect(stage.cells('test.dirty')).toEqual({});
  });

  test('what another process marks is found by itself, well within a second, and its session is told', async () => {
    await stage.pass(5_000);
    stage.work.sync = () => ({ notes: [{ variant: 'ticked', values: { what: 'it' } }] });
    markElsewhere();
    await stage.pass(600);
    expect(stage.ran).toEqual(['one:sync']);
    stage.marks = [];
    expect((await stage.edit('x')).notes).toEqual([]);
    expect(texts((await stage.edit('x', { session: 's2' })).notes)).toEqual(['[test/marks] Ticked "it".']);
  });

  test('while no other process writes, hardly anything is looked through', async () => {
    const { store } = stage.memory;
    const lists = vi.spyOn(store, 'list');
    await stage.pass(20_000);
    await stage.edit();
    await stage.pass(20_000);
    expect(lists.mock.calls.length).toBeLessThanOrEqual(2);
    markElsewhere();
    await stage.pass(1_000);
    expect(lists.mock.calls.length).toBeLessThanOrEqual(3);
    expect(stage.ran).toHaveLength(2);
  });

  test('what another process marks during a run is not taken for done', async () => {
    stage.work.sync = () => {
      if (stage.ran.length === 1) markElsewhere();
      return {};
    };
    await stage.edit();
    await stage.pass(200);
    expect(stage.cells('test.dirty')).toMatchObject({ 'one:sync': { marks: 1 } });
    await stage.pass(1_000);
    expect(stage.ran).toHaveLength(2);
    expect(stage.counts).toEqual({ 'jobs.run': 2 });
    expect(stage.cells('test.dirty')).toEqual({});
  });
});

describe('the kill switch', () => {
  test('nothing runs while it is on, and the work stays due', async () => {
    await stage.edit();
    stage.engine.off = true;
    await stage.pass(60_000);
    expect(stage.ran).toEqual([]);
    expect(await stage.jobs.runNow(stage.root, 'test', ['one'])).toContainEqual({
      subject: 'one',
      kind: 'sync',
      problem: 'Fairlead is off',
    });
    stage.engine.off = false;
    await stage.pass(1_000);
    expect(stage.ran).toEqual(['one:sync']);
  });

  test('switched on in the middle of a job, not one byte more is written', async () => {
    stage.work.sync = ({ files, root }) => {
      files.write(join(root, 'first'), 'x', undefined);
      stage.engine.off = true;
      files.write(join(root, 'second'), 'x', undefined);
      return {};
    };
    await stage.edit();
    const before = stage.cells('test.dirty');
    await stage.pass(10_000);
    expect(() => stage.read('second')).toThrow('ENOENT');
    expect(stage.cells('test.dirty')).toEqual(before);
    expect(stage.counts).toEqual({});
    stage.work.sync = () => ({});
    stage.engine.off = false;
    await stage.pass(2_000);
    expect(stage.ran).toEqual(['one:sync', 'one:sync']);
    expect(stage.failures).toEqual([]);
  });
});

describe('files that change under a job', () => {
  test('it reads again, and no text is lost', async () => {
    stage.put('spec', 'a');
    stage.work.sync = ({ files, root }) => {
      const text = files.readText(join(root, 'spec'));
      if (stage.ran.length === 1) stage.put('spec', 'a and more');
      stage.ran.push('again');
      files.write(join(root, 'spec'), `${text}!`, text);
      return {};
    };
    await stage.edit();
    await stage.pass(1_000);
    expect(stage.read('spec')).toBe('a and more!');
    expect(stage.counts).toEqual({ 'jobs.run': 1 });
  });

  test('after three attempts the work stays due and is tried again later', async () => {
    let busy = true;
    stage.put('spec', '');
    stage.work.sync = ({ files, root }) => {
      const text = files.readText(join(root, 'spec'));
      if (busy) stage.put('spec', `${text}x`);
      files.write(join(root, 'spec'), `${text}!`, text);
      return {};
    };
    await stage.edit();
    await stage.pass(200);
    expect(stage.ran).toHaveLength(3);
    expect(stage.read('spec')).toBe('xxx');
    expect(stage.cells('test.dirty')).toMatchObject({ 'one:sync': { marks: 1 } });
    expect(stage.cells('test.breaker')).toEqual({});
    busy = false;
    await stage.pass(1_200);
    expect(stage.read('spec')).toBe('xxx!');
    expect(stage.counts).toEqual({ 'jobs.moved': 1, 'jobs.run': 1 });
  });

  test('its own writes are known as such', async () => {
    stage.work.sync = ({ files, root }) => (files.write(join(root, 'spec'), 'x', undefined), {});
    await stage.edit();
    await stage.pass(200);
    const path = join(stage.root, 'spec');
    expect(stage.jobs.isOwnWrite(path, 1)).toBe(true);
    expect(stage.jobs.isOwnWrite(`${path}2`, 1)).toBe(false);
  });
});

describe('for a command line', () => {
  test('all kinds run at once and in order, due or not, and say what they found', async () => {
    stage.marks = ['line'];
    await stage.edit('a');
    stage.work.sync = ({ subject }) => ({ found: { subject } });
    stage.work.docs = () => {
      throw new Error('no docs');
    };
    expect(await stage.jobs.runNow(stage.root, 'test', ['a', 'b'])).toEqual([
      { subject: 'a', kind: 'sync', result: { found: { subject: 'a' } } },
      { subject: 'a', kind: 'line', result: {} },
      { subject: 'a', kind: 'docs', problem: 'no docs' },
      { subject: 'b', kind: 'sync', result: { found: { subject: 'b' } } },
      { subject: 'b', kind: 'line', result: {} },
      { subject: 'b', kind: 'docs', problem: 'no docs' },
    ]);
    expect(stage.cells('test.dirty')).toEqual({});
    await stage.pass(5_000);
    expect(stage.ran).toHaveLength(6);
  });

  test('where the rule is off it says so', async () => {
    stage.setRule({}, 'off');
    const [first] = await stage.jobs.runNow(stage.root, 'test', ['a']);
    expect(first).toEqual({ subject: 'a', kind: 'sync', problem: 'its rule is off here' });
  });
});
