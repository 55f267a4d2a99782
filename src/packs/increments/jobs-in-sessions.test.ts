import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { countsOf, DEMO, demoWorld, EDITED, editOf, metadata, SPEC, TASKS, tick } from './increment.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { clearSwitch, writeSwitch } from '../../state/switch.ts';
import type { World, WorldOptions } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());
const open = (options?: WorldOptions) => (world = demoWorld(options));

/** The agent edits a file: it changes on disk, then the event comes. */
async function edit(text: string, path = `${DEMO}/tasks.md`) {
  world.put(path, text, world.now);
  return world.after('Edit', editOf(world, path), EDITED);
}
const spec = () => world.read(`${DEMO}/spec.md`);
const status = () =>
  JSON.parse(world.read('.specweave/state/status-line.json')) as { current: Record<string, unknown> | null };
const counts = () => countsOf(world);
const first = (text: string) => text.replace('- [ ]', '- [x]');

describe('from an edit to the files', () => {
  it('one of two tasks leaves the criterion open', async () => {
    open();
    await edit(first(TASKS));
    await world.pass(1_000);
    expect(spec()).toBe(SPEC);
    expect(status().current).toMatchObject({ id: '0001-demo', completed: 1, total: 2, acsCompleted: 0, acsTotal: 2 });
  });

  it('both tick both criteria, nothing else changes, and the agent is told once', async () => {
    open();
    await edit(tick(TASKS));
    await world.pass(1_000);
    expect(spec()).toBe(tick(SPEC));
    expect(JSON.parse(world.read(`${DEMO}/metadata.json`)).acSyncEvents).toHaveLength(1);
    const { note } = await world.before('Read', { file_path: `${world.root}/README.md` });
    expect(note).toContain('AC-US1-01, AC-US1-02');
    expect(note).toContain(`${DEMO}/spec.md`);
    expect((await world.before('Read', { file_path: `${world.root}/README.md` })).note).toBe('');
  });

  it('a conflict stays ticked and is said once', async () => {
    open({ files: { [`${DEMO}/spec.md`]: SPEC.replace('- [ ] **AC-US1-02', '- [x] **AC-US1-02') } });
    await edit(first(TASKS));
    await world.pass(1_000);
    expect((await world.before('Read', { file_path: `${world.root}/a` })).note).toContain('AC-US1-02');
    await edit(`${first(TASKS)}\n`);
    await world.pass(1_000);
    expect((await world.before('Read', { file_path: `${world.root}/a` })).note).toBe('');
    expect(spec()).toContain('- [x] **AC-US1-02');
  });

  it('what a job wrote is not noticed as an edit', async () => {
    open();
    await edit(tick(TASKS));
    await world.pass(1_000);
    world.put(`${DEMO}/tasks.md`, tick(TASKS), world.now - 60_000);
    const runs = (await counts())['jobs.run'];
    await world.after('Edit', {}, {});
    expect(await counts()).toMatchObject({ 'detect.none': 1, 'jobs.run': runs });
  });

  it('a new spec brings its pages', async () => {
    open();
    await edit(`${SPEC}\n### US-002: Write settings\n\n- [ ] **AC-US2-01**: It is written.\n`, `${DEMO}/spec.md`);
    await world.pass(1_000);
    const docs = `${world.root}/.specweave/docs/internal/specs`;
    expect(nodeFiles.readText(`${docs}/_features/FS-001/FEATURE.md`)).toContain('US-002');
    expect(nodeFiles.list(`${docs}/project/FS-001`)).toEqual([
      'README.md',
      'us-001-read-settings.md',
      'us-002-write-settings.md',
    ]);
  });

  it('a completed increment leaves the status line', async () => {
    open({ files: { [`${DEMO}/tasks.md`]: tick(TASKS), [`${DEMO}/spec.md`]: tick(SPEC) } });
    await edit(tick(TASKS));
    await world.pass(1_000);
    expect(status().current).toMatchObject({ id: '0001-demo' });
    await world.before('Edit', editOf(world, `${DEMO}/metadata.json`, '"active"', '"completed"'), { tool_use_id: 'a' });
    world.put(`${DEMO}/metadata.json`, metadata('completed'), world.now);
    await world.after('Edit', editOf(world, `${DEMO}/metadata.json`), EDITED, { tool_use_id: 'a' });
    await world.pass(1_000);
    expect(status().current).toBeNull();
    const feature = `${world.root}/.specweave/docs/internal/specs/_features/FS-001/FEATURE.md`;
    expect(nodeFiles.readText(feature)).toContain('completed');
  });

  it('an unbacked completion in the shell is stated, and nothing is reverted', async () => {
    open();
    await edit(TASKS);
    world.now += 5_000;
    world.put(`${DEMO}/metadata.json`, metadata('completed'), world.now - 100);
    const command = `node scripts/close.js ${DEMO}/metadata.json`;
    const { note } = await world.after('Bash', { command }, { stdout: '', stderr: '' });
    expect(note).toContain('0001-demo is set to completed while this is open: 2 open tasks');
    expect(world.read(`${DEMO}/metadata.json`)).toBe(metadata('completed'));
  });
});

describe('storms', () => {
  it('edits elsewhere start nothing', async () => {
    open();
    for (let at = 0; at < 3; at += 1) {
      await world.before('Edit', editOf(world, 'src/init.ts'));
      await world.after('Edit', editOf(world, 'src/init.ts'), EDITED);
      world.now += 300;
    }
    const seen = await counts();
    expect(seen['jobs.run'] ?? 0).toBe(0);
    expect(seen['jobs.children'] ?? 0).toBe(0);
    expect(nodeFiles.exists(`${world.root}/.specweave/state`)).toBe(false);
  });

  it('twenty edits in two seconds are a few runs, and the last is reflected within one', async () => {
    open();
    for (let at = 0; at < 20; at += 1) {
      const ticked = at === 19 ? tick(TASKS) : `${TASKS}\n${at}\n`;
      await world.before('Edit', editOf(world, `${DEMO}/tasks.md`), { tool_use_id: `e${at}` });
      world.put(`${DEMO}/tasks.md`, ticked, world.now);
      await world.after('Edit', editOf(world, `${DEMO}/tasks.md`), EDITED, { tool_use_id: `e${at}` });
      if (at < 19) await world.pass(100);
    }
    await world.pass(1_000);
    expect(spec()).toBe(tick(SPEC));
    expect(status().current).toMatchObject({ completed: 2, acsCompleted: 2 });
    expect((await counts())['jobs.run']).toBeLessThanOrEqual(4 * 3);
  });

  it('an edit just before a crash is still processed', async () => {
    open();
    await edit(tick(TASKS));
    world.restart('killed');
    await world.pass(10_000);
    expect(spec()).toBe(tick(SPEC));
  });

  it('where files cannot be written the agent goes on, and the work is done later', async () => {
    open();
    const blocked = `${world.root}/.specweave/state`;
    rmSync(blocked, { recursive: true, force: true });
    writeFileSync(blocked, 'in the way');
    const replies: string[] = [];
    const warns: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      const answer = await edit(`${TASKS}\n${at}\n`);
      replies.push(answer.action);
      if (answer.warn !== '') warns.push(answer.warn);
      await world.pass(6_000);
    }
    expect(new Set(replies)).toEqual(new Set(['pass']));
    expect(warns).toHaveLength(1);
    rmSync(blocked);
    mkdirSync(blocked);
    await world.pass(70_000);
    expect(status().current).toMatchObject({ id: '0001-demo' });
  });

  it('while off, due work waits and not one byte is written', async () => {
    open();
    await edit(tick(TASKS));
    writeSwitch(nodeFiles, world.paths.state, { since: world.now });
    world.engine.look();
    await world.pass(10_000);
    expect(spec()).toBe(SPEC);
    clearSwitch(nodeFiles, world.paths.state);
    await world.pass(10_000);
    expect(spec()).toBe(tick(SPEC));
  });
});

describe('what is written', () => {
  it('keeps the mode of the file and the end of its lines', async () => {
    const crlf = SPEC.replaceAll('\n', '\r\n');
    open({ files: { [`${DEMO}/spec.md`]: crlf } });
    chmodSync(`${world.root}/${DEMO}/spec.md`, 0o640);
    await edit(tick(TASKS));
    await world.pass(1_000);
    expect(spec()).toBe(tick(crlf));
    expect(statSync(`${world.root}/${DEMO}/spec.md`).mode & 0o777).toBe(0o640);
  });

  it('stays within one project of two', async () => {
    open({ files: { 'other/package.json': '{}', [`other/${DEMO}/spec.md`]: SPEC, [`other/${DEMO}/tasks.md`]: TASKS } });
    await edit(tick(TASKS));
    await world.pass(1_000);
    expect(world.read(`other/${DEMO}/spec.md`)).toBe(SPEC);
  });
});
