import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../../../platform/files.ts';
import { clearSwitch, writeSwitch } from '../../../../state/switch.ts';
import { CommandError, UsageError } from '../../../../cli/command.ts';
import { plantProject } from '../../../../cli/project.fixture.ts';
import type { PlantedProject } from '../../../../cli/project.fixture.ts';
import type { FakeWorld } from '../../../../cli/world.fixture.ts';
import { done, list, show, sync } from './increment.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  cpSync('test/fixtures/specweave/project', project.root, { recursive: true });
  world = project.world();
});
afterEach(() => project.remove());

const LOGIN = '0001-user-login';
const pathOf = (file: string, id = LOGIN) => join(project.root, '.specweave/increments', id, file);
const read = (file: string, id?: string) => readFileSync(pathOf(file, id), 'utf8');
const tickAll = (file: string, id?: string) =>
  writeFileSync(pathOf(file, id), read(file, id).replaceAll(/^(\s*)- \[ \]/gm, '$1- [x]'));
async function json(...[command, ...argv]: Parameters<FakeWorld['run']>): Promise<{ code: number; data: unknown }> {
  world.printed.out = '';
  const code = await world.run(command, ...argv, '--json');
  return { code, data: JSON.parse(world.printed.out) };
}

describe('increment list and show', () => {
  it('lists what is not archived', async () => {
    await world.run(list);
    expect(world.printed.out).toBe(
      [
        'increment                  status     tasks  criteria',
        '0001-user-login            active       2/4       1/5',
        '0002-invoice-export        planning     1/2       0/2',
        '0003E-crash-on-empty-cart  paused       0/1       0/1',
        '0004-audit-log             completed    1/1       1/1',
        '',
      ].join('\n'),
    );
    expect((await json(list)).data).toMatchObject([
      { id: LOGIN, status: 'active', active: true, tasks: { total: 4, completed: 2, percentage: 50 } },
      { id: '0002-invoice-export' },
      { id: '0003E-crash-on-empty-cart', status: 'paused', active: false, otherwise: 'active' },
      { id: '0004-audit-log' },
    ]);
  });

  it.each([LOGIN, '1', '0001', 'user-login'])('shows %s', async (name) => {
    expect(await world.run(show, name)).toBe(0);
    expect(world.printed.out).toBe(
      [
        '0001-user-login  active',
        '',
        '[x] T-001  Form for address and password',
        '[ ] T-002  Answer to a wrong password',
        '[ ] T-003  Lock after five failures',
        '[x] T-004  Way out',
        '[ ] AC-US1-01',
        '[ ] AC-US1-02',
        '[ ] AC-US1-03',
        '[ ] AC-US2-01',
        '[x] AC-US2-02',
        '',
        'Open: 2 open tasks (T-002, T-003), 4 unticked criteria (AC-US1-01, AC-US1-02, AC-US1-03, …).',
        '',
      ].join('\n'),
    );
  });

  it('shows where the two sources of a status differ', async () => {
    await world.run(show, '3');
    expect(world.printed.out).toContain('paused; the front matter of spec.md says active (not active)');
  });

  it('says which names it knows', async () => {
    await expect(world.run(show, '0009')).rejects.toThrow(UsageError);
    await expect(world.run(show, '0001-user-logim')).rejects.toThrow(/0001-user-login/);
    await expect(world.run(show, '_archive')).rejects.toThrow(UsageError);
    const outside = plantProject();
    await expect(outside.world().run(list)).rejects.toThrow(CommandError);
    await outside.remove();
  });
});

describe('increment sync', () => {
  it('does all jobs of the active increments and says what came of them', async () => {
    expect(await world.run(sync)).toBe(0);
    expect(world.printed.out).toBe(
      `0001-user-login  7 files
  AC-US1-01: [ ] → [x] (1/1 tasks complete)
  AC-US2-01: [ ] → [x] (1/1 tasks complete)
  warning  AC-US2-02: ticked by hand, no task names it
  wrote  .specweave/increments/0001-user-login/spec.md
  wrote  .specweave/increments/0001-user-login/metadata.json
  wrote  .specweave/state/status-line.json
  wrote  .specweave/docs/internal/specs/_features/FS-001/FEATURE.md
  wrote  .specweave/docs/internal/specs/Corner-Shop/FS-001/README.md
  wrote  .specweave/docs/internal/specs/Corner-Shop/FS-001/us-001-log-in.md
  wrote  .specweave/docs/internal/specs/Corner-Shop/FS-001/us-002-log-out.md
0002-invoice-export  3 files
  wrote  .specweave/docs/internal/specs/_features/FS-900/FEATURE.md
  wrote  .specweave/docs/internal/specs/back-office/FS-900/README.md
  wrote  .specweave/docs/internal/specs/back-office/FS-900/us-001-export-a-month.md
`,
    );
    const again = await json(sync, '1');
    expect(again).toEqual({
      code: 0,
      data: [
        {
          id: LOGIN,
          changes: [],
          conflicts: [],
          warnings: ['AC-US2-02: ticked by hand, no task names it'],
          written: [],
          problems: [],
        },
      ],
    });
  });

  it('fails where a job fails', async () => {
    project.putUser('config.yaml', 'packs: { increments: off }');
    world = project.world();
    expect(await world.run(sync, LOGIN)).toBe(1);
    expect(world.printed.out).toMatch(/^0001-user-login  3 jobs failed\n  failed  ac-sync: /);
  });

  it('names what it did not read and what it may not write', async () => {
    writeFileSync(pathOf('tasks.md'), `${read('tasks.md')}\n## Task T-009: Later\n\n- [ ] a\n`);
    const line = read('tasks.md').split('\n').indexOf('## Task T-009: Later') + 1;
    const warning = `tasks.md: line ${line} looks like a task and is not read`;
    chmodSync(pathOf('spec.md'), 0o444);
    const before = [read('spec.md'), read('metadata.json')];
    expect(await world.run(sync, LOGIN)).toBe(1);
    expect(world.printed.out).toMatch(/^0001-user-login  5 files, 1 job failed\n/);
    expect(world.printed.out).toContain(`failed  ac-sync: ${pathOf('spec.md')} is write-protected and stays as it is`);
    expect([read('spec.md'), read('metadata.json')]).toEqual(before);
    chmodSync(pathOf('spec.md'), 0o644);
    expect((await json(sync, LOGIN)).data).toMatchObject([{ warnings: expect.arrayContaining([warning]) as unknown }]);
    expect((await json(show, LOGIN)).data).toMatchObject({ warnings: [warning] });
    await world.run(show, LOGIN);
    expect(world.printed.out).toContain(`warning  ${warning}\n`);
  });

  it('says that increments lie outside of the project, and writes nothing there', async () => {
    const real = join(project.home, 'elsewhere');
    renameSync(join(project.root, '.specweave'), real);
    symlinkSync(real, join(project.root, '.specweave'));
    tickAll('tasks.md');
    const told = `the increments of ${project.root} lie in ${real}/increments, outside of it`;
    const before = read('metadata.json');
    await expect(world.run(sync)).rejects.toThrow(told);
    await expect(world.run(done, LOGIN)).rejects.toThrow(told);
    expect(await world.run(list)).toBe(0);
    expect(world.printed.out).toContain(`\nNote: ${told}`);
    expect(await world.run(show, LOGIN)).toBe(0);
    expect(world.printed.out.match(/\nNote: /g)).toHaveLength(2);
    expect(read('metadata.json')).toBe(before);
    expect(existsSync(join(real, 'state'))).toBe(false);
  });
});

describe('increment done', () => {
  it('says what is missing and changes no status', async () => {
    expect(await world.run(done, LOGIN)).toBe(1);
    expect(world.printed.out).toBe(
      '0001-user-login is not complete: 2 open tasks (T-002, T-003), 2 unticked criteria (AC-US1-02, AC-US1-03). Next: T-002 (Answer to a wrong password).\n',
    );
    expect(JSON.parse(read('metadata.json'))).toMatchObject({ status: 'active' });
  });

  it('completes what is complete, also when its criteria were not ticked yet', async () => {
    tickAll('tasks.md');
    const before = read('metadata.json');
    expect(await json(done, LOGIN)).toMatchObject({ code: 0, data: { id: LOGIN, completed: true, changed: true } });
    const after = JSON.parse(read('metadata.json')) as { lastActivity: string };
    expect(after).toMatchObject({
      ...(JSON.parse(before) as object),
      status: 'completed',
      lastActivity: after.lastActivity,
    });
    expect(Date.now() - Date.parse(after.lastActivity)).toBeLessThan(60_000);
    expect(read('metadata.json')).toContain('"coverageTarget": 85.0,');
    const status = readFileSync(join(project.root, '.specweave/state/status-line.json'), 'utf8');
    expect(status).not.toContain(LOGIN);
    expect(await json(done, LOGIN)).toMatchObject({ code: 0, data: { completed: true, changed: false } });
  });

  it('does not take a criterion that was ticked too early', async () => {
    tickAll('tasks.md');
    tickAll('spec.md');
    writeFileSync(pathOf('tasks.md'), read('tasks.md').replace('- [x] counter', '- [ ] counter'));
    const { code, data } = await json(done, LOGIN);
    expect(code).toBe(1);
    expect(data).toMatchObject({ completed: false, conflicts: [{ id: 'AC-US1-03', completed: 0, total: 1 }] });
  });

  it('wants a review first where that is set', async () => {
    project.putUser('config.yaml', 'packs:\n  increments:\n    guard:\n      transitions: true\n');
    world = project.world();
    tickAll('tasks.md');
    expect(await world.run(done, LOGIN)).toBe(1);
    expect(world.printed.out).toContain('its status is active, and guard.transitions wants ready_for_review first');
    writeFileSync(pathOf('metadata.json'), read('metadata.json').replace('"active"', '"ready_for_review"'));
    expect(await world.run(done, LOGIN)).toBe(0);
  });

  it.each<[string, (file: string) => void, string]>([
    ['is too large', (file) => appendFileSync(file, ' '.repeat(1_048_577)), 'is larger than 1 MiB and is not read'],
    ['is no file', (file) => (rmSync(file), mkdirSync(file)), 'is not a file'],
  ])('does not take a file that %s for one without open ends', async (_, spoil, problem) => {
    tickAll('tasks.md');
    await world.run(sync, LOGIN);
    const before = read('metadata.json');
    spoil(pathOf('tasks.md'));
    world.printed.out = '';
    expect(await world.run(done, LOGIN)).toBe(1);
    expect(world.printed.out).toContain(`${LOGIN} may not be complete: tasks.md ${problem}.\n`);
    expect(read('metadata.json')).toBe(before);
    await world.run(show, LOGIN);
    expect(world.printed.out).toContain(`It cannot be told whether anything is open: tasks.md ${problem}.\n`);
    world.printed.out = '';
    await world.run(list);
    expect(world.printed.out).toMatch(/0001-user-login +active +\? +5\/5\n/);
  });

  it('needs at least one of the files that tell how far it is', async () => {
    tickAll('tasks.md');
    await world.run(sync, LOGIN);
    rmSync(pathOf('tasks.md'));
    const spec = read('spec.md');
    rmSync(pathOf('spec.md'));
    world.printed.out = '';
    expect(await world.run(done, LOGIN)).toBe(1);
    expect(world.printed.out).toBe(`${LOGIN} may not be complete: it has neither tasks.md nor spec.md.\n`);
    writeFileSync(pathOf('spec.md'), spec);
    expect(await world.run(done, LOGIN)).toBe(0);
  });

  it('does nothing while Fairlead is off', async () => {
    tickAll('tasks.md');
    const before = [read('spec.md'), read('metadata.json')];
    writeSwitch(nodeFiles, world.paths.state, { since: Date.now() });
    for (const command of [done, sync]) await expect(world.run(command, LOGIN)).rejects.toThrow('Fairlead is off');
    expect([read('spec.md'), read('metadata.json')]).toEqual(before);
    clearSwitch(nodeFiles, world.paths.state);
    world = project.world({ env: { FAIRLEAD_DISABLED: '1' } });
    await expect(world.run(done, LOGIN)).rejects.toThrow('Fairlead is off');
  });

  it('says what failed on the way', async () => {
    tickAll('tasks.md');
    writeFileSync(pathOf('spec.md'), Buffer.from(`${read('spec.md')}\n\xe9`, 'latin1'));
    world.printed.out = '';
    expect(await world.run(done, LOGIN)).toBe(1);
    expect(world.printed.out).toMatch(
      /is not complete: 4 unticked criteria .*\n {2}failed {2}ac-sync: .*spec\.md is not UTF-8/,
    );
    tickAll('spec.md');
    const state = join(project.root, '.specweave/state');
    rmSync(state, { recursive: true });
    writeFileSync(state, 'in the way');
    expect(await json(done, LOGIN)).toMatchObject({
      code: 0,
      data: { completed: true, problems: [expect.stringMatching(/^status-line: /) as string] },
    });
  });

  it('needs a metadata.json that may be written', async () => {
    tickAll('tasks.md');
    await world.run(sync, LOGIN);
    chmodSync(pathOf('metadata.json'), 0o444);
    await expect(world.run(done, LOGIN)).rejects.toThrow('write-protected');
    expect(JSON.parse(read('metadata.json'))).toMatchObject({ status: 'active' });
  });

  it('needs a metadata.json that can be read', async () => {
    tickAll('tasks.md');
    writeFileSync(pathOf('metadata.json'), '{ "status": ');
    await expect(world.run(done, LOGIN)).rejects.toThrow(/not a JSON object/);
  });
});
