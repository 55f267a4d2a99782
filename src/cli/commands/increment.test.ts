import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandError, UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
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
    outside.remove();
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
  wrote  .specweave/increments/0001-user-login/metadata.json
  wrote  .specweave/increments/0001-user-login/spec.md
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
    expect(world.printed.out).toContain('failed  ac-sync: ');
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

  it('needs a metadata.json that can be read', async () => {
    tickAll('tasks.md');
    writeFileSync(pathOf('metadata.json'), '{ "status": ');
    await expect(world.run(done, LOGIN)).rejects.toThrow(/not a JSON object/);
  });
});
