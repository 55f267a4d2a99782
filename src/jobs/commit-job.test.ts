import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStage } from './jobs.fixture.ts';
import type { JobStage } from './jobs.fixture.ts';

let stage: JobStage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.close());

const texts = (notes: readonly { readonly text: string }[]): string[] => notes.map(({ text }) => text);

describe('jobs that fail', () => {
  const breakerState = () => (stage.cells('test.breaker')['sync'] as { state?: string } | undefined)?.state ?? 'closed';

  async function fail(times: number): Promise<void> {
    stage.work.sync = () => {
      throw new Error('no such file');
    };
    for (let each = 0; each < times; each += 1) {
      await stage.edit();
      await stage.pass(1_000);
    }
  }

  test('five failures within a minute open the breaker; the key stays dirty, one warn, one record', async () => {
    await fail(5);
    expect(stage.ran).toHaveLength(5);
    expect(breakerState()).toBe('open');
    const answer = await stage.edit();
    expect(texts(answer.warns)).toEqual([
      expect.stringMatching(/^\[test\/marks\] The job sync of test failed repeatedly \(no such file\)/),
    ]);
    expect(answer).toMatchObject({ action: 'pass', notes: [] });
    expect((await stage.edit()).warns).toEqual([]);
    await stage.pass(10_000);
    expect(stage.ran).toHaveLength(5);
    expect(stage.cells('test.dirty')).toMatchObject({ 'one:sync': { marks: 7 } });
    expect(stage.relayed).toMatchObject([
      { rule: 'test/marks', variant: 'breaker-opened', session: 's1', root: stage.root },
    ]);
    expect(stage.counts).toEqual({ 'jobs.failed': 5 });
    expect(stage.failures).toHaveLength(5);
  });

  test('after 30 s one job is tried, and three successes close it', async () => {
    await fail(5);
    for (const subject of ['two', 'three', 'four']) await stage.edit(subject);
    let together = 0;
    stage.work.sync = async () => {
      together += 1;
      expect(together).toBe(1);
      await Promise.resolve();
      together -= 1;
      return {};
    };
    await stage.pass(28_000);
    expect(stage.ran).toHaveLength(5);
    await stage.pass(3_000);
    expect(stage.ran).toHaveLength(9);
    expect(stage.cells('test.breaker')).toEqual({});
    expect(stage.cells('test.dirty')).toEqual({});
  });

  test('until then it is half open', async () => {
    await fail(5);
    stage.work.sync = () => ({});
    await stage.pass(31_000);
    expect(breakerState()).toBe('half-open');
    await stage.edit();
    await stage.pass(1_000);
    expect(breakerState()).toBe('half-open');
    await stage.edit();
    await stage.pass(1_000);
    expect(breakerState()).toBe('closed');
  });

  test('a failure while half open opens it for another 30 s, without a second warn', async () => {
    await fail(5);
    await stage.edit();
    await stage.pass(31_000);
    expect(stage.ran).toHaveLength(6);
    expect(breakerState()).toBe('open');
    await stage.pass(28_000);
    expect(stage.ran).toHaveLength(6);
    await stage.pass(3_000);
    expect(stage.ran).toHaveLength(7);
    expect((await stage.edit()).warns).toEqual([]);
    expect(stage.relayed).toHaveLength(1);
  });

  test('a breaker is one kind in one workspace: the others go on', async () => {
    await fail(5);
    stage.marks = ['sync', 'line'];
    await stage.edit();
    await stage.pass(1_000);
    expect(stage.ran.at(-1)).toBe('one:line');
  });

  test('one failure is tried again by itself, or with the next mark', async () => {
    await fail(1);
    stage.work.sync = () => ({});
    await stage.pass(31_000);
    expect(stage.ran).toHaveLength(2);
    expect(stage.cells('test.dirty')).toEqual({});
    expect(stage.failures).toEqual(['running the job sync of test on one: no such file']);
  });

  test('one that fails on and on, too seldom for the breaker, is told to every session that marked it, once', async () => {
    let times = 0;
    stage.work.sync = () => {
      throw new Error(`cannot open temporary file ${(times += 1)}`);
    };
    await stage.edit();
    await stage.pass(121_000);
    expect(stage.ran).toHaveLength(5);
    expect(breakerState()).toBe('closed');
    expect(stage.cells('test.dirty')).toMatchObject({ 'one:sync': { failed: 5 } });
    stage.marks = [];
    expect(texts((await stage.edit()).warns)).toEqual([
      expect.stringMatching(
        /^\[test\/marks\] The job sync of test keeps failing for one \(cannot open temporary file 5\)/,
      ),
    ]);
    await stage.pass(120_000);
    expect((await stage.edit()).warns).toEqual([]);
    expect(stage.relayed).toMatchObject([{ variant: 'keeps-failing' }]);
    stage.marks = ['sync'];
    await stage.edit('one', { session: 's2' });
    await stage.pass(1_000);
    stage.marks = [];
    expect((await stage.edit('x', { session: 's2' })).warns).toHaveLength(1);
    expect((await stage.edit()).warns).toEqual([]);
    stage.work.sync = () => ({});
    await stage.pass(31_000);
    expect(stage.cells('test.dirty')).toEqual({});
  });

  test('one that does not come to an end has failed, and writes nothing any more', async () => {
    let goOn: () => void = () => {};
    stage.work.sync = async ({ files, root }) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      files.write(join(root, 'late'), 'x', undefined);
      return {};
    };
    await stage.edit();
    stage.engine.now += 150;
    void stage.pass(1);
    await expect.poll(() => stage.ran.length).toBe(1);
    stage.engine.now += 30_000;
    stage.expire();
    await expect.poll(() => stage.failures).toEqual(['running the job sync of test on one: no result within 30000 ms']);
    goOn();
    await stage.jobs.idle();
    expect(() => stage.read('late')).toThrow('ENOENT');
  });
});

describe('what a job says', () => {
  test('goes with the next event of the agents that marked it, once, and to no other', async () => {
    stage.work.sync = () => ({ notes: [{ variant: 'ticked', values: { what: 'AC-1' } }] });
    await stage.edit();
    await stage.edit('one', { session: 's2', subagent: { id: 'sub', type: 'x' } });
    await stage.pass(1_000);
    stage.marks = [];
    expect((await stage.edit('x', { session: 's3' })).notes).toEqual([]);
    expect((await stage.edit('x', { session: 's2' })).notes).toEqual([]);
    expect((await stage.edit('x')).notes).toMatchObject([
      { rule: 'test/marks', variant: 'ticked', text: '[test/marks] Ticked "AC-1".' },
    ]);
    expect((await stage.edit('x')).notes).toEqual([]);
    const sub = await stage.edit('x', { session: 's2', subagent: { id: 'sub', type: 'x' } });
    expect(texts(sub.notes)).toEqual(['[test/marks] Ticked "AC-1".']);
  });

  test('the same about a topic is said once per session, until it changes', async () => {
    const said: string[][] = [];
    for (const what of ['A', 'A', 'A, B', 'A, B', 'A']) {
      stage.work.sync = () => ({ notes: [{ variant: 'disagrees', values: { what }, topic: 'conflicts' }] });
      stage.marks = ['sync'];
      await stage.edit();
      await stage.pass(4_000);
      stage.marks = [];
      said.push(texts((await stage.edit()).notes));
    }
    const told = (what: string) => [`[test/marks] These disagree: "${what}".`];
    expect(said).toEqual([told('A'), [], told('A, B'), [], told('A')]);
  });

  test('a warn is for the person at the session, whichever agent marked', async () => {
    stage.work.sync = () => ({ warns: [{ variant: 'broken', values: { what: 'it' } }] });
    await stage.edit('one', { subagent: { id: 'sub', type: 'x' } });
    await stage.pass(1_000);
    stage.marks = [];
    const answer = await stage.edit();
    expect([texts(answer.notes), texts(answer.warns)]).toEqual([[], ['[test/marks] Look at "it".']]);
    expect((await stage.edit()).warns).toEqual([]);
  });

  test('in the words that the user gave the rule, or not at all', async () => {
    stage.work.sync = () => ({
      notes: [
        { variant: 'ticked', values: { what: 'AC-1' } },
        { variant: 'disagrees', values: { what: 'B' } },
      ],
    });
    await stage.edit();
    Object.assign(stage.engine.policy, {
      overrides: { 'test/marks': { ticked: { text: '{what} is done' }, disagrees: { text: '' } } },
    });
    await stage.pass(1_000);
    stage.marks = [];
    expect(texts((await stage.edit()).notes)).toEqual(['[test/marks] "AC-1" is done']);
  });

  test('counts and records go to telemetry and the log', async () => {
    stage.work.sync = () => ({
      counts: { ticked: 2 },
      relay: [{ variant: 'changed', text: 'one changed', variables: { subject: 'one' } }],
    });
    await stage.edit();
    await stage.pass(1_000);
    expect(stage.counts).toEqual({ 'jobs.run': 1, ticked: 2 });
    expect(stage.relayed).toEqual([
      {
        at: expect.any(Number) as number,
        event: 'relay',
        rule: 'test/marks',
        variant: 'changed',
        message: 'test/marks: one changed',
        variables: { subject: 'one' },
        session: 's1',
        root: stage.root,
      },
    ]);
  });
});
