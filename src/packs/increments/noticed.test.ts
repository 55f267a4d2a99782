import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { countsOf, DEMO, demoWorld, dueIn, EDITED, editOf, metadata, SPEC, TASKS, tick } from './increment.fixture.ts';
import type { World, WorldOptions } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());
const open = (options?: WorldOptions) => (world = demoWorld(options));

const MORE = '.specweave/increments/0002-more';
const THIRD = '.specweave/increments/0003-third';
const edit = (path: string) => world.after('Edit', editOf(world, path), EDITED);
const elsewhere = () => edit('src/a.ts');
const status = () =>
  JSON.parse(world.read('.specweave/state/status-line.json')) as { openCount: number; current: unknown };
const ticked = () => world.read(`${DEMO}/spec.md`).split('- [x]').length - 1;
const textAt = (path: string) => (existsSync(`${world.root}/${path}`) ? world.read(path) : '');
/** What another program does, at this moment. */
const outside = (path: string, text: string) => world.put(path, text, world.now);

describe('what changed without an edit that says so', () => {
  it('is picked up with the next edit of another file, however long ago it was', async () => {
    open();
    await elsewhere();
    await world.pass(10_000);
    outside(`${DEMO}/tasks.md`, tick(TASKS));
    await world.pass(600_000);
    await elsewhere();
    await world.pass(2_000);
    expect(ticked()).toBe(2);
    expect(status().current).toMatchObject({ completed: 2, total: 2, acsCompleted: 2 });
    expect(await countsOf(world)).toMatchObject({ 'detect.mtime.hit': 1, 'jobs.run': 3 });
    const { note } = await elsewhere();
    expect(note).toContain('AC-US1-01, AC-US1-02');
  });

  it('is picked up by a process that starts anew', async () => {
    open();
    outside(`${DEMO}/tasks.md`, tick(TASKS));
    await elsewhere();
    await world.pass(2_000);
    expect(ticked()).toBe(2);
  });

  it.each([
    ['a minute ago', 60_000, []],
    ['before another process synced something else', 5_000, [['.specweave/state/status-line.json', '{}', 1_000]]],
  ] as const)('%s is picked up by a process that starts anew', async (_, age, others) => {
    open();
    world.put(`${DEMO}/tasks.md`, tick(TASKS), world.now - age);
    for (const [path, text, ago] of others) world.put(path, text, world.now - ago);
    await elsewhere();
    await world.pass(2_000);
    expect(ticked()).toBe(2);
  });

  it('is picked up with a command that names increments', async () => {
    open();
    await elsewhere();
    await world.pass(5_000);
    outside(`${DEMO}/tasks.md`, tick(TASKS));
    await world.pass(60_000);
    await world.after('Bash', { command: `cat ${DEMO}/tasks.md` }, { stdout: '', stderr: '' });
    await world.pass(2_000);
    expect(ticked()).toBe(2);
  });

  it('a script that the agent ran is nothing that says so', async () => {
    open();
    const run = (command: string) => world.after('Bash', { command }, { stdout: '', stderr: '' });
    await run('npm test');
    await world.pass(5_000);
    outside(`${DEMO}/tasks.md`, tick(TASKS));
    await run('node scripts/finish.js');
    await world.pass(5_000);
    expect(dueIn(world)).toEqual([]);
    await elsewhere();
    await world.pass(2_000);
    expect(ticked()).toBe(2);
  });

  it('is picked up when the edit names a file of another increment', async () => {
    open({ files: { [`${MORE}/metadata.json`]: metadata('active', '0002-more'), [`${MORE}/tasks.md`]: TASKS } });
    await elsewhere();
    await world.pass(60_000);
    outside(`${DEMO}/tasks.md`, tick(TASKS));
    await world.pass(60_000);
    await edit(`${MORE}/tasks.md`);
    await world.pass(2_000);
    expect(ticked()).toBe(2);
  });

  it('closing, adding and archiving an increment are such changes', async () => {
    open();
    await edit(`${DEMO}/tasks.md`);
    await world.pass(60_000);
    expect(status().openCount).toBe(1);
    const next = async () => {
      await elsewhere();
      await world.pass(2_000);
      return status().openCount;
    };
    outside(`${MORE}/metadata.json`, metadata('active', '0002-more'));
    await world.pass(60_000);
    expect(await next()).toBe(2);
    outside(`${DEMO}/metadata.json`, metadata('paused'));
    await world.pass(60_000);
    expect(await next()).toBe(1);
    mkdirSync(`${world.root}/.specweave/increments/_archive`);
    renameSync(`${world.root}/${MORE}`, `${world.root}/.specweave/increments/_archive/0002-more`);
    expect(await next()).toBe(0);
    outside(`${DEMO}/metadata.json`, metadata('active'));
    expect(await next()).toBe(1);
  });

  it.each([
    ['completed', metadata('completed'), true],
    ['paused', metadata('paused'), false],
  ])('that an increment with open tasks was set to %s is told with the next event', async (_, text, isTold) => {
    open();
    await elsewhere();
    await world.pass(5_000);
    outside(`${DEMO}/metadata.json`, text);
    await elsewhere();
    await world.pass(2_000);
    const told = '0001-demo is set to completed while this is open: 2 open tasks';
    expect((await elsewhere()).note.includes(told)).toBe(isTold);
    expect((await elsewhere()).note).toBe('');
  });

  it('what the agent edited and what jobs wrote is no such change', async () => {
    open();
    await elsewhere();
    await world.pass(1_000);
    outside(`${DEMO}/tasks.md`, tick(TASKS));
    await edit(`${DEMO}/tasks.md`);
    await world.pass(60_000);
    expect(ticked()).toBe(2);
    for (let round = 0; round < 3; round += 1) {
      await elsewhere();
      await world.pass(60_000);
    }
    const counts = await countsOf(world);
    expect(counts['detect.mtime.hit']).toBeUndefined();
    expect(counts['jobs.run']).toBeLessThanOrEqual(5);
  });

  it('costs the edit nothing: files are looked at after the reply, once for a burst', async () => {
    open({ config: 'packs: { guard: off }' });
    await elsewhere();
    await world.pass(1_000);
    const looks = () => world.work.stat.filter((path) => path.includes('/.specweave/increments/')).length;
    const before = looks();
    for (let round = 0; round < 20; round += 1) await elsewhere();
    expect(looks()).toBe(before);
    await world.pass(200);
    expect(looks() - before).toBe(3);
    expect(dueIn(world)).toEqual([]);
  });

  it.each([
    ['a pack that only watches', 'packs: { increments: { mode: shadow } }'],
    ['a pack that is off', 'packs: { increments: off }'],
  ])('%s changes nothing', async (_name, config) => {
    open({ config });
    await elsewhere();
    await world.pass(5_000);
    outside(`${DEMO}/tasks.md`, tick(TASKS));
    await elsewhere();
    await world.pass(5_000);
    expect(ticked()).toBe(0);
  });
});

it('after whatever happened outside, the next edit leaves everything in step', async () => {
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom('tick', 'untick', 'spec', 'add', 'close', 'reopen', 'remove'),
      waits: fc.constantFrom(0, 100, 1_500, 30_000),
      edits: fc.constantFrom('src/a.ts', `${DEMO}/spec.md`, '', 'README.md'),
    }),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      open({ files: { [`${THIRD}/metadata.json`]: metadata('active', '0003-third') } });
      await elsewhere();
      await world.pass(5_000);
      let at = 0;
      for (const { what, waits, edits } of all) {
        // No two changes have the same time, as on a real disk.
        world.now += at += 1;
        if (what === 'tick') outside(`${DEMO}/tasks.md`, tick(TASKS));
        if (what === 'untick') outside(`${DEMO}/tasks.md`, TASKS);
        if (what === 'spec') outside(`${DEMO}/spec.md`, SPEC);
        if (what === 'add') outside(`${MORE}/metadata.json`, metadata('active', '0002-more'));
        if (what === 'close') outside(`${THIRD}/metadata.json`, metadata('paused', '0003-third'));
        if (what === 'reopen') outside(`${THIRD}/metadata.json`, metadata('active', '0003-third'));
        if (what === 'remove') rmSync(`${world.root}/${MORE}`, { recursive: true, force: true });
        await world.pass(waits);
        if (edits !== '') await edit(edits);
      }
      await elsewhere();
      await world.pass(10_000);
      const active = [MORE, THIRD].filter((dir) => textAt(`${dir}/metadata.json`).includes('"active"')).length;
      const shown = textAt('.specweave/state/status-line.json');
      expect(shown === '' || status().openCount === 1 + active).toBe(true);
      expect(!textAt(`${DEMO}/tasks.md`).includes('- [x]') || ticked() === 2).toBe(true);
      world.close();
    }),
    cases(500),
  );
  open();
});
