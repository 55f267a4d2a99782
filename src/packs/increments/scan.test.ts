import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ALL_JOBS, countsOf, DEMO, demoWorld, dueIn, EDITED, editOf, metadata, TASKS } from './increment.fixture.ts';
import { openWorld } from '../world.fixture.ts';
import type { World, WorldOptions } from '../world.fixture.ts';
import { readTelemetry } from '../../telemetry/read.ts';

let world: World;
afterEach(() => world.close());
const open = (options?: WorldOptions) => (world = demoWorld(options));

const tasks = () => editOf(world, `${DEMO}/tasks.md`);

const counts = () => countsOf(world);
const due = () => dueIn(world);
const fileWork = () =>
  Object.values(world.work)
    .flat()
    .filter((path) => path.startsWith(world.root));

describe('tools of other servers', () => {
  const input = (path: string) => ({ path: `${world.root}/${path}`, content: 'x' });

  it.each([
    ['a write of a watched file', 'mcp__filesystem__write_file', `${DEMO}/tasks.md`, 500, ALL_JOBS],
    ['a look at one', 'mcp__filesystem__read_file', `${DEMO}/tasks.md`, 60_000, []],
    ['a write elsewhere', 'mcp__filesystem__write_file', 'src/a.ts', 500, []],
  ])('%s', async (_name, tool, path, age, expected) => {
    open();
    world.put(`${DEMO}/tasks.md`, 'x', world.now - age);
    await world.after(tool, input(path), [{ type: 'text', text: 'ok' }]);
    expect(due()).toEqual(expected);
    expect((await counts())['detect.mtime.hit'] ?? 0).toBe(expected.length > 0 ? 1 : 0);
  });

  it('are not looked at where there are no increments', async () => {
    world = openWorld({ config: 'packs: { guard: off }', files: { 'src/a.ts': '' } });
    await world.after('mcp__filesystem__write_file', input('src/a.ts'), []);
    const before = fileWork();
    await world.after('mcp__filesystem__write_file', input('src/a.ts'), []);
    expect(fileWork()).toEqual(before);
  });
});

describe('increments that the engine has not looked at before', () => {
  const close = (more = {}) => {
    world.put(`${DEMO}/metadata.json`, metadata('completed'), world.now - 100);
    const command = `node scripts/close.js ${DEMO}/metadata.json`;
    return world.after('Bash', { command }, { stdout: '', stderr: '' }, more);
  };

  it('closing one by a command is noticed, and that it is unbacked', async () => {
    open();
    const { note } = await close();
    expect(note).toContain('0001-demo is set to completed while this is open: 2 open tasks');
    expect(due()).toEqual(['0001-demo:living-docs', '0001-demo:status-line']);
  });

  it('closing one by an edit whose first half got lost is noticed', async () => {
    open({ files: { [`${DEMO}/metadata.json`]: metadata('completed') } });
    await world.after('Edit', editOf(world, `${DEMO}/metadata.json`), EDITED);
    expect(due()).toEqual(['0001-demo:living-docs', '0001-demo:status-line']);
  });

  it('an edit of one that was closed before is none', async () => {
    open({ files: { [`${DEMO}/metadata.json`]: metadata('completed') } });
    await world.before('Edit', editOf(world, `${DEMO}/metadata.json`), { tool_use_id: 'a' });
    world.put(`${DEMO}/metadata.json`, `${metadata('completed')}\n`, world.now);
    await world.after('Edit', editOf(world, `${DEMO}/metadata.json`), EDITED, { tool_use_id: 'a' });
    expect(due()).toEqual([]);
  });

  it('closed ones do not use up the number of those that are looked at', async () => {
    const closed = ['0007-x', '0008-y', '0009-z'].map((id) => [
      `.specweave/increments/${id}/metadata.json`,
      metadata('completed', id),
    ]);
    open({
      config: 'packs: { increments: { scan: { max_increments: 2 } } }',
      files: Object.fromEntries(closed) as Record<string, string>,
    });
    world.put(`${DEMO}/tasks.md`, 'x', world.now - 100);
    await world.after('Bash', { command: 'make .specweave' }, { stdout: '', stderr: '' });
    expect(due()).toContain('0001-demo:ac-sync');
  });
});

describe('increments that are moved', () => {
  const run = (command: string) => world.after('Bash', { command }, { stdout: '', stderr: '' });
  const other = '.specweave/increments/0002-more';
  const shown = () => JSON.parse(world.read('.specweave/state/status-line.json')) as { openCount: number };
  const start = async () => {
    open();
    world.put(`${other}/metadata.json`, metadata('active', '0002-more'), world.now - 3_600_000);
    await world.after('Edit', tasks(), EDITED);
    await world.pass(60_000);
    expect(shown().openCount).toBe(2);
  };

  it('leave the status line when they are archived, and are back when they come back', async () => {
    await start();
    const archived = `${world.root}/.specweave/increments/_archive`;
    mkdirSync(archived);
    renameSync(`${world.root}/${DEMO}`, `${archived}/0001-demo`);
    await run(`mv ${DEMO} .specweave/increments/_archive/`);
    await world.pass(5_000);
    expect(shown()).toMatchObject({ openCount: 1, current: { id: '0002-more' } });

    renameSync(`${archived}/0001-demo`, `${world.root}/${DEMO}`);
    await run(`mv .specweave/increments/_archive/0001-demo ${DEMO}`);
    await world.pass(5_000);
    expect(shown().openCount).toBe(2);
  });

  it('a command that moves none makes nothing due', async () => {
    await start();
    await run('ls .specweave');
    expect(due()).toEqual([]);
    expect(await counts()).toMatchObject({ 'detect.mtime.miss': 1 });
  });
});

describe('a repository with several projects', () => {
  const api = `packages/api/${DEMO}`;
  const mono = (config?: string) => {
    world = openWorld({
      files: { [`${api}/tasks.md`]: TASKS, [`${api}/metadata.json`]: metadata('active') },
      ...(config === undefined ? {} : { config }),
    });
    world.put(`${api}/metadata.json`, metadata('active'), world.now - 3_600_000);
    world.put(`${api}/tasks.md`, 'x', world.now - 100);
  };
  const roots = () => [...new Set(Object.keys(world.cells('increments.dirty')).map((key) => key.split(' ')[0]))];

  it.each([
    `sed -i s/a/b/ ${api}/tasks.md`,
    `cd packages/api && sed -i s/a/b/ ${DEMO}/tasks.md`,
    `cd ${api} && sed -i s/a/b/ tasks.md`,
    `python3 -c "open('${api}/tasks.md', 'w').write('x')"`,
    `echo x > ${api}/tasks.md`,
  ])('`%s` at its top is noticed', async (command) => {
    mono();
    await world.after('Bash', { command }, { stdout: '', stderr: '' });
    expect(roots()).toEqual([`${world.root}/packages/api`]);
    await world.pass(3_000);
    const at = { root: `${world.root}/packages/api`, pack: 'increments', since: 0, now: world.now };
    expect(readTelemetry(world.engine.store, at).counts).toMatchObject({ 'detect.mtime.hit': 1, 'jobs.run': 3 });
  });

  it('what a command names in another project is left alone', async () => {
    mono();
    const elsewhere = `${world.home}/other`;
    world.put(`${elsewhere}/package.json`, '{}');
    world.put(`${elsewhere}/${DEMO}/tasks.md`, TASKS, world.now);
    await world.after('Bash', { command: `sed -i s/a/b/ ${elsewhere}/${DEMO}/tasks.md` }, { stdout: '', stderr: '' });
    expect(roots()).toEqual([]);
  });

  it('an increment that the command names is found however many there are', async () => {
    mono('packs: { increments: { scan: { max_increments: 1 } } }');
    world.put('packages/api/.specweave/increments/0002-more/metadata.json', metadata('active', '0002-more'));
    await world.after('Bash', { command: `sed -i s/a/b/ ${api}/tasks.md` }, { stdout: '', stderr: '' });
    expect(due()).toContain('0001-demo:ac-sync');
  });
});

it('a project that is opened through a link is one place', async () => {
  open();
  const link = `${world.home}/link`;
  symlinkSync(world.root, link);
  const at = { cwd: link };
  const input = { ...tasks(), file_path: `${link}/${DEMO}/tasks.md` };
  await world.before('Edit', input, { ...at, tool_use_id: 'a' });
  await world.after('Edit', input, EDITED, { ...at, tool_use_id: 'a' });
  expect(Object.keys(world.cells('increments.dirty'))).toEqual(ALL_JOBS.map((key) => `${world.root} ${key}`));
  await world.pass(3_000);
  world.put(`${DEMO}/tasks.md`, 'x', world.now);
  await world.after('Bash', { command: `sed -i s/a/b/ ${link}/${DEMO}/tasks.md` }, { stdout: '' }, at);
  expect(Object.keys(world.cells('increments.dirty'))).toEqual(ALL_JOBS.map((key) => `${world.root} ${key}`));
  expect(await counts()).toMatchObject({ 'exit.before.3': 1, 'exit.after.3': 2, 'jobs.run': 6 });
});
