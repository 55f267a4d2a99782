import { asPath, own } from '../../engine/rule.ts';
import { chmodSync, linkSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { DEMO, metadata, SPEC, TASKS, tick } from './increment.fixture.ts';
import { JOB_MESSAGES } from './detect.ts';
import { openSample } from './sample.fixture.ts';
import type { Sample } from './sample.fixture.ts';

let sample: Sample;
afterEach(() => sample.remove());

const ID = '0001-demo';
function demo(change: { tasks?: string; spec?: string; metadata?: string } = {}): Sample {
  sample = openSample({
    [`${DEMO}/tasks.md`]: change.tasks ?? TASKS,
    [`${DEMO}/spec.md`]: change.spec ?? SPEC,
    [`${DEMO}/metadata.json`]: change.metadata ?? metadata('active'),
  });
  return sample;
}
const spec = () => sample.read(`${DEMO}/spec.md`);
const history = () =>
  (JSON.parse(sample.read(`${DEMO}/metadata.json`)) as { acSyncEvents?: unknown[]; lastActivity?: string })
    .acSyncEvents ?? [];
const ALL = ['ac-sync', 'status-line', 'living-docs'] as const;
async function syncAll(options = {}) {
  const results = [];
  for (const kind of ALL) results.push(await sample.run(kind, ID, options));
  return results;
}

describe('criteria sync', () => {
  it('one of two tasks leaves the criterion open', async () => {
    demo({ tasks: TASKS.replace('- [ ]', '- [x]') });
    const { notes, found } = await sample.run('ac-sync', ID);
    expect(spec()).toBe(SPEC);
    expect(notes).toEqual([]);
    expect(found?.changes).toEqual([]);
  });

  it('both tasks tick both criteria, and nothing else changes', async () => {
    demo({ tasks: tick(TASKS) });
    const result = await sample.run('ac-sync', ID);
    expect(spec()).toBe(SPEC.replaceAll('- [ ]', '- [x]'));
    expect(result.notes).toEqual([
      {
        variant: 'synced',
        values: { criteria: own('AC-US1-01, AC-US1-02'), spec: asPath(join(sample.root, DEMO, 'spec.md')) },
      },
    ]);
    expect(result.found).toEqual({
      changes: ['AC-US1-01: [ ] → [x] (2/2 tasks complete)', 'AC-US1-02: [ ] → [x] (1/1 tasks complete)'],
      conflicts: [],
      warnings: [],
      written: [`${DEMO}/spec.md`, `${DEMO}/metadata.json`],
    });
    expect(result.marks).toEqual([{ kind: 'status-line' }, { kind: 'living-docs' }]);
    const timestamp = '2027-03-02T10:00:00.000Z';
    expect(JSON.parse(sample.read(`${DEMO}/metadata.json`))).toEqual({
      ...(JSON.parse(metadata('active')) as object),
      lastActivity: timestamp,
      acSyncEvents: [{ timestamp, updated: ['AC-US1-01', 'AC-US1-02'], conflicts: [], warnings: [], changesCount: 2 }],
    });
  });

  it('a criterion that is ticked too early stays so and is named once per set', async () => {
    const early = SPEC.replace('- [ ] **AC-US1-02', '- [x] **AC-US1-02');
    demo({ spec: early });
    const first = await sample.run('ac-sync', ID);
    expect(spec()).toBe(early);
    expect(first.found?.conflicts).toEqual(['AC-US1-02: ticked, but only 0/1 tasks complete']);
    expect(history()).toHaveLength(1);
    const second = await sample.run('ac-sync', ID);
    expect(history()).toHaveLength(1);
    const said = {
      variant: 'conflict',
      values: { increment: asPath(ID), criteria: own('AC-US1-02') },
      topic: 'conflicts',
    };
    expect([first.notes, second.notes]).toEqual([[said], [said]]);
  });

  it('a criterion that only a task knows is a warning, and spec.md stays', async () => {
    demo({ tasks: `${TASKS}\n## T-003\n**AC**: AC-US9-09\n- [x] done\n` });
    const before = sample.times()[`${DEMO}/spec.md`];
    const { found, notes } = await sample.run('ac-sync', ID);
    expect(found?.warnings).toEqual(['AC-US9-09: named in tasks.md, not in spec.md']);
    expect(notes).toEqual([]);
    expect(sample.times()[`${DEMO}/spec.md`]).toBe(before);
    expect(history()).toMatchObject([{ changesCount: 0, warnings: found?.warnings }]);
  });

  it('capital ticks, bold ids, words before the colon and CRLF', async () => {
    const before = '\ufeff# A\r\n\r\n- [X] **AC-US1-01** (P1): a\r\n- [ ] AC-US1-02 (P1): é 日本\r\n';
    demo({ tasks: tick(TASKS).replaceAll('\n', '\r\n'), spec: before });
    await sample.run('ac-sync', ID);
    expect(spec()).toBe(before.replace('[ ]', '[x]'));
  });

  it('a box in code holds no task up', async () => {
    demo({ tasks: tick(TASKS).replace('- [x] name', '```\n- [ ] example\n```\n- [x] name') });
    const { found } = await sample.run('ac-sync', ID);
    expect(found?.changes).toHaveLength(2);
  });

  it('a status line decides alone only when it is told to', async () => {
    const tasks = TASKS.replace('- [ ] write', '**Status**: [x]\n- [ ] write').replace('- [ ] name', '- [x] name');
    demo({ tasks });
    expect((await sample.run('ac-sync', ID)).found?.changes).toEqual(['AC-US1-02: [ ] → [x] (1/1 tasks complete)']);
    expect((await sample.run('ac-sync', ID, { tasks: { complete_when: 'status' } })).found?.changes).toEqual([
      'AC-US1-01: [ ] → [x] (2/2 tasks complete)',
    ]);
  });

  it('text that somebody writes meanwhile is not lost', async () => {
    demo({ tasks: tick(TASKS) });
    const path = join(sample.root, DEMO, 'spec.md');
    let edits = 0;
    const ran = await sample.attempt(
      'ac-sync',
      ID,
      {},
      {
        ...nodeFiles,
        replace(target, ...rest) {
          if (target === path && (edits += 1) === 1) writeFileSync(path, `${SPEC}\nWritten meanwhile.\n`);
          return nodeFiles.replace(target, ...rest);
        },
      },
    );
    expect(ran.state).toBe('done');
    expect(spec()).toBe(`${SPEC.replaceAll('- [ ]', '- [x]')}\nWritten meanwhile.\n`);
    expect(edits).toBe(2);
    expect(history()).toHaveLength(1);
    expect(ran).toMatchObject({ result: { notes: [{ variant: 'synced' }] } });
  });

  it('nothing is written when nothing changed', async () => {
    demo({ tasks: tick(TASKS) });
    await syncAll();
    const before = sample.times();
    sample.now += 60_000;
    const results = await syncAll();
    expect(sample.times()).toEqual(before);
    expect(results.flatMap(({ found }) => found?.written)).toEqual([]);
    expect(results.flatMap(({ relay = [] }) => relay)).toEqual([]);
  });

  it.each(['tasks.md', 'spec.md'])('warns of a missing %s and does nothing else', async (name) => {
    sample = openSample({ [`${DEMO}/${name === 'spec.md' ? 'tasks.md' : 'spec.md'}`]: tick(TASKS) });
    const before = sample.times();
    const { found } = await sample.run('ac-sync', ID);
    expect(found?.warnings).toEqual([`${ID} has no ${name}`]);
    expect(sample.times()).toEqual(before);
  });

  it.each<[string, (path: string) => void]>([
    ['is not UTF-8', (path) => writeFileSync(path, Buffer.from(`${SPEC}\xe9`, 'latin1'))],
    ['is write-protected', (path) => chmodSync(path, 0o444)],
    [
      'lies outside',
      (path) => {
        renameSync(path, join(sample.root, '..', 'outside.md'));
        symlinkSync(join(sample.root, '..', 'outside.md'), path);
      },
    ],
  ])('records nothing for a spec.md that %s, however often it is tried', async (_, spoil) => {
    demo({ tasks: `${tick(TASKS)}\n## T-003\n**AC**: AC-US9-09\n- [x] a\n` });
    const path = join(sample.root, DEMO, 'spec.md');
    spoil(path);
    const before = readFileSync(path);
    for (let tries = 0; tries < 3; tries += 1) {
      expect((await sample.attempt('ac-sync', ID)).state).toBe('failed');
      sample.now += 30_000;
    }
    expect(readFileSync(path)).toEqual(before);
    expect(sample.read(`${DEMO}/metadata.json`)).toBe(metadata('active'));
  });

  it('ticks nothing that it cannot record', async () => {
    demo({ tasks: tick(TASKS) });
    chmodSync(join(sample.root, DEMO, 'metadata.json'), 0o444);
    expect(await sample.attempt('ac-sync', ID)).toMatchObject({ state: 'failed' });
    expect(spec()).toBe(SPEC);
  });

  it('tells of its ticks and records them when metadata.json changes meanwhile', async () => {
    demo({ tasks: tick(TASKS) });
    const path = join(sample.root, DEMO, 'metadata.json');
    let edits = 0;
    const ran = await sample.attempt(
      'ac-sync',
      ID,
      {},
      {
        ...nodeFiles,
        replace(target, ...rest) {
          if (target === path && (edits += 1) === 1) writeFileSync(path, metadata('ready_for_review'));
          return nodeFiles.replace(target, ...rest);
        },
      },
    );
    expect(ran).toMatchObject({ state: 'done', result: { notes: [{ variant: 'synced' }], found: { warnings: [] } } });
    expect(JSON.parse(sample.read(`${DEMO}/metadata.json`))).toMatchObject({
      status: 'ready_for_review',
      acSyncEvents: [{ updated: ['AC-US1-01', 'AC-US1-02'] }],
    });
  });

  it('warns of what looks like a task and is not read, and records no line numbers', async () => {
    demo({ tasks: `${TASKS}\n## Task T-003\n- [ ] a\n` });
    const { found } = await sample.run('ac-sync', ID);
    expect(found?.warnings).toEqual(['tasks.md: line 13 looks like a task and is not read']);
    expect(sample.read(`${DEMO}/metadata.json`)).toBe(metadata('active'));
  });

  it('works without metadata.json and makes none', async () => {
    sample = openSample({ [`${DEMO}/tasks.md`]: tick(TASKS), [`${DEMO}/spec.md`]: SPEC });
    expect((await sample.run('ac-sync', ID)).found?.written).toEqual([`${DEMO}/spec.md`]);
    expect(sample.files('.')).toHaveLength(2);
  });

  it('does nothing where it is switched off, or for what is no increment', async () => {
    demo({ tasks: tick(TASKS) });
    const before = sample.times();
    const off = { ac_sync: { enabled: false }, status_line: { enabled: false }, living_docs: { enabled: false } };
    for (const kind of ALL) expect(await sample.run(kind, ID, off)).toEqual({});
    for (const subject of ['', '..', '../0001-demo', '_archive', '0001'])
      for (const kind of ALL) expect(await sample.run(kind, subject)).toEqual({});
    expect(sample.times()).toEqual(before);
  });

  it('takes options of a wrong kind for none', async () => {
    demo({ tasks: tick(TASKS) });
    const odd = {
      ac_sync: 7,
      status_line: { enabled: 'yes' },
      living_docs: null,
      active_statuses: 'active',
      tasks: [],
    };
    const results = await syncAll(odd);
    expect(results.map(({ found }) => found?.written.length)).toEqual([2, 1, 3]);
  });
});

it('says it in words that fit one criterion and several', () => {
  demo();
  for (const message of Object.values(JOB_MESSAGES)) expect(message).not.toMatch(/\b(?:them|they|criteria)\b(?!\})/);
});

describe('the sample project', () => {
  it('is brought up to date', async () => {
    sample = openSample();
    const { found } = await sample.run('ac-sync', '0001-user-login');
    expect(found).toMatchObject({
      changes: ['AC-US1-01: [ ] → [x] (1/1 tasks complete)', 'AC-US2-01: [ ] → [x] (1/1 tasks complete)'],
      conflicts: [],
      warnings: ['AC-US2-02: ticked by hand, no task names it'],
    });
    await sample.run('status-line', '0001-user-login');
    expect(JSON.parse(sample.read('.specweave/state/status-line.json'))).toEqual({
      activeIncrements: [
        {
          id: '0001-user-login',
          name: 'user-login',
          completed: 2,
          total: 4,
          percentage: 50,
          acsCompleted: 3,
          acsTotal: 5,
        },
        {
          id: '0002-invoice-export',
          name: 'invoice-export',
          completed: 1,
          total: 2,
          percentage: 50,
          acsCompleted: 0,
          acsTotal: 2,
        },
      ],
      openCount: 2,
      lastUpdate: '2027-03-02T10:00:00.000Z',
      current: expect.objectContaining({ id: '0001-user-login' }) as unknown,
    });
  });

  it('keeps what is not its own in metadata.json', async () => {
    sample = openSample();
    const path = '.specweave/increments/0001-user-login/metadata.json';
    const before = sample.read(path).split('\n');
    await sample.run('ac-sync', '0001-user-login');
    const after = sample.read(path).split('\n');
    const changed = before.filter((line) => !after.includes(line));
    expect(changed).toEqual(['  "lastActivity": "2027-02-09T17:12:44.000Z",', '  }']);
  });
});

it('the status line has the two oldest of the active increments', async () => {
  sample = openSample({});
  const put = (id: string, fields: object) =>
    sample.put(`.specweave/increments/${id}/metadata.json`, JSON.stringify({ status: 'active', ...fields }));
  put('0001-undated', {});
  put('0002-young', { created: '2027-02-03T00:00:00Z' });
  put('0003-old', { created: '2027-01-01' });
  put('0004-older', { created: '2026-12-01', status: 'paused' });
  sample.put('.specweave/increments/0005-told/spec.md', '---\nstatus: planning\ncreated: 2027-02-02\n---\n');
  await sample.run('status-line', '0002-young');
  const file = JSON.parse(sample.read('.specweave/state/status-line.json')) as {
    activeIncrements: { id: string }[];
    openCount: number;
  };
  expect(file.activeIncrements.map(({ id }) => id)).toEqual(['0003-old', '0005-told']);
  expect(file.openCount).toBe(4);
});

describe('others', () => {
  it('hear of a change once, and the command runs', async () => {
    demo({ tasks: tick(TASKS) });
    const options = { on_change: { command: ['notify', '--quiet'] } };
    const [sync, status, docs] = await syncAll(options);
    expect([sync?.relay, status?.relay, sync?.command]).toEqual([undefined, undefined, undefined]);
    expect(docs?.command).toEqual(['notify', '--quiet']);
    expect(docs?.relay).toEqual([
      {
        variant: 'increment.changed',
        text: '0001-demo is active: 2/2 tasks, 2/2 criteria',
        variables: {
          increment: ID,
          status: 'active',
          tasks_completed: 2,
          tasks_total: 2,
          criteria_ticked: 2,
          criteria_total: 2,
        },
      },
    ]);
    expect((await sample.run('living-docs', ID, options)).command).toBeUndefined();
  });

  it('hear of it from the criteria where there are no docs', async () => {
    demo({ tasks: tick(TASKS) });
    const [sync] = await syncAll({ living_docs: { enabled: false }, on_change: { command: 'notify' } });
    expect(sync?.relay).toHaveLength(1);
    expect(sync?.command).toBeUndefined();
  });

  it('are not written to through links', async () => {
    demo({ tasks: tick(TASKS) });
    const outside = join(sample.root, '..', 'outside.md');
    writeFileSync(outside, 'mine\n');
    sample.put('.specweave/docs/internal/specs/_features/FS-001/.keep', '');
    symlinkSync(outside, join(sample.root, '.specweave/docs/internal/specs/_features/FS-001/FEATURE.md'));
    linkSync(outside, join(sample.root, 'same.md'));
    expect((await sample.attempt('living-docs', ID)).state).toBe('failed');
    expect(sample.read('same.md')).toBe('mine\n');
  });
});

it('a completed increment leaves the status line, and its docs say so', async () => {
  demo({ tasks: tick(TASKS) });
  await syncAll();
  const feature = '.specweave/docs/internal/specs/_features/FS-001/FEATURE.md';
  expect(sample.read(feature)).toContain('status: active');
  sample.put(`${DEMO}/metadata.json`, metadata('completed'));
  sample.now += 60_000;
  await sample.run('status-line', ID);
  await sample.run('living-docs', ID);
  expect(JSON.parse(sample.read('.specweave/state/status-line.json'))).toEqual({
    activeIncrements: [],
    openCount: 0,
    lastUpdate: '2027-03-02T10:01:00.000Z',
    current: null,
    message: 'No active increment',
  });
  expect(sample.read(feature)).toMatch(/^status: completed$/m);
  expect(sample.read(feature)).toMatch(/\| Settings reader \| completed \|/);
  expect(sample.read(feature)).toContain('lastUpdated: "2027-03-02T10:01:00.000Z"');
});
