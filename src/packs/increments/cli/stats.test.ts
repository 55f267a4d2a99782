import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEMO, demoWorld, editOf, SPEC, TASKS, tick } from '../increment.fixture.ts';
import { openWorld } from '../../world.fixture.ts';
import type { World } from '../../world.fixture.ts';
import { stats } from '../../../cli/commands/stats.ts';
import { fakeWorld } from '../../../cli/world.fixture.ts';
import type { FakeWorldOptions } from '../../../cli/world.fixture.ts';

let world: World;
afterEach(() => world.close());

/** The command line has the real clock, so what it looks at happens now. */
function open(config?: string): void {
  world = demoWorld(config === undefined ? {} : { config });
  world.now = Date.now() - 60_000;
}

async function edit(path: string | undefined, text?: string): Promise<void> {
  const input = path === undefined ? {} : editOf(world, path);
  const call = { tool_use_id: `edit-${(edits += 1)}` };
  await world.before('Edit', input, call);
  if (text !== undefined) world.put(path ?? `${DEMO}/tasks.md`, text, world.now);
  await world.after('Edit', input, {}, call);
}
let edits = 0;

async function run(argv: readonly string[] = [], options: Partial<FakeWorldOptions> = {}): Promise<string> {
  await world.pass(3_000);
  const cli = fakeWorld({ home: world.home, cwd: world.root, columns: 140, ...options });
  try {
    await cli.run(stats, 'increments', ...argv);
    return cli.printed.out;
  } finally {
    cli.close();
  }
}

/** With times, which are real, as marks. */
const shape = (text: string) =>
  text.replaceAll(/(p\d\d|budget) [>\d.]+/g, '$1 N').replaceAll(/since \d\d-\d\d/g, 'since D');

describe('stats increments', () => {
  it('shows what events and jobs came to, in this order and these units', async () => {
    open();
    for (let at = 0; at < 3; at += 1) await edit('src/app.ts');
    await edit('.specweave/config.json');
    await edit(`${DEMO}/tasks.md`, tick(TASKS));
    await world.pass(2_000);
    // The first half of this one got lost.
    await world.after('Edit', editOf(world, `${DEMO}/tasks.md`), {});
    await world.pass(2_000);
    await edit(undefined, `${tick(TASKS)}\n`);
    // What jobs wrote has the time of the real clock, which has to lie well behind.
    await world.pass(120_000);
    await edit(undefined);
    await world.after('Bash', { command: 'ls' }, { stdout: '' });
    expect(shape(await run())).toBe(
      [
        'increments · last 24h · workspace project',
        'sources    claude-code/PreToolUse   learning since D  with args 5  without 2  useless 28.6%',
        '           claude-code/PostToolUse  learning since D  with args 6  without 2  useless 25.0%',
        'time ms    pre p50 N p95 N   post p50 N p95 N   per edit p50 N p95 N   over budget N',
        'exits      tier0 3   tier1 6   tier2 3   tier3 4',
        'detected   signal 1 (33.3%)   payload 1 (33.3%)   mtime 1 (33.3%)   watch 0   none 1',
        'jobs       run 9   merged 2   failed 0   longest queue 3   edit→status line p95 N ms   children 0',
        'breakers   ac-sync closed   status-line closed   living-docs closed',
        '',
      ].join('\n'),
    );
  });

  it('as JSON has p99, the ring of each source, exits by moment and the breakers', async () => {
    open();
    for (let at = 0; at < 20; at += 1) await edit(undefined);
    await edit('src/app.ts');
    expect(JSON.parse(await run(['--json']))).toMatchObject({
      pack: 'increments',
      root: world.root,
      sources: [
        {
          source: 'claude-code/PreToolUse',
          state: 'blind',
          since: expect.any(Number) as number,
          ring: 21,
          with: 1,
          without: 20,
          useless: 2_000 / 21,
        },
        { source: 'claude-code/PostToolUse', state: 'blind', ring: 21, with: 1, without: 20 },
      ],
      exits: { before: [20, 1, 0, 0], after: [0, 1, 20, 0] },
      breakers: { 'ac-sync': 'closed', 'status-line': 'closed', 'living-docs': 'closed' },
      times: { edit: { count: 21, p99: expect.any(Number) as number } },
    });
  });

  it('names a breaker that is open, what failed, and what took longer than can be told', async () => {
    open('packs: { increments: { jobs: { quiet_ms: 400 }, breaker: { failures: 1 } } }');
    // No file can be made below a file.
    world.put('.specweave/docs', 'in the way');
    await edit(`${DEMO}/tasks.md`, tick(TASKS));
    await world.pass(2_000);
    const shown = await run();
    expect(shown).toMatch(/failed 1 .* edit→status line p95 >250 ms /);
    expect(shown).toContain('breakers   ac-sync closed   status-line closed   living-docs open\n');
    expect(shown).toMatch(/^jobs .* children 0$/m);
  });

  it('counts by workspace, and together on request; breakers belong to one', async () => {
    open();
    await edit('src/app.ts');
    const elsewhere = `${world.home}/other`;
    world.put(`${elsewhere}/package.json`, '{}');
    world.put(`${elsewhere}/.specweave/increments/0001-x/tasks.md`, TASKS);
    const at = { cwd: elsewhere, session_id: 'other' };
    await world.send(
      { hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: { file_path: `${elsewhere}/a.ts` }, ...at },
      { cwd: elsewhere, projectDir: elsewhere },
    );
    expect(await run()).toContain('exits      tier0 0   tier1 2   tier2 0   tier3 0\n');
    expect(await run([], { cwd: elsewhere })).toMatch(/workspace other[^]*PreToolUse .* with args 1 [^]* tier1 1 /);
    const all = await run(['--all']);
    expect(all).toMatch(/^increments · last 24h · all workspaces\n[^]* tier1 3 /);
    expect(all).toContain('breakers   are kept per workspace\n');
  });

  it.each(['.', 'packages/api', 'packages/api/src'])(
    'shows a project below the root of its workspace, from %s',
    async (cwd) => {
      world = openWorld({ files: { [`packages/api/${DEMO}/tasks.md`]: TASKS, 'packages/api/src/a.ts': '' } });
      world.now = Date.now() - 60_000;
      await edit(`packages/api/${DEMO}/tasks.md`, tick(TASKS));
      await edit('packages/api/src/a.ts');
      await edit('README.md');
      await world.pass(2_000);
      const shown = await run([], { cwd: join(world.root, cwd) });
      expect(shown).toContain('exits      tier0 0   tier1 2   tier2 0   tier3 2\n');
      expect(shown).toContain('detected   signal 1 (100.0%)');
      expect(shown).toMatch(/^jobs +run 3 /m);
      await run(['--reset', '--yes'], { cwd: join(world.root, cwd) });
      expect(await run([], { cwd: join(world.root, cwd) })).toMatch(/^No edit was seen/);
    },
  );

  it('a breaker of a project below is shown', async () => {
    world = openWorld({
      config: 'packs: { increments: { breaker: { failures: 1 } } }',
      files: {
        [`packages/api/${DEMO}/tasks.md`]: TASKS,
        [`packages/api/${DEMO}/spec.md`]: SPEC,
        'packages/api/.specweave/docs': '',
      },
    });
    world.now = Date.now() - 60_000;
    await edit(`packages/api/${DEMO}/tasks.md`, tick(TASKS));
    await world.pass(2_000);
    expect(await run()).toContain('living-docs open\n');
  });

  it('an edit whose first half was in another process has no time of its own', async () => {
    open();
    await world.after('Edit', editOf(world, 'src/app.ts'), {}, { tool_use_id: 'lost' });
    await edit('src/app.ts');
    expect(JSON.parse(await run(['--json']))).toMatchObject({ times: { after: { count: 2 }, edit: { count: 1 } } });
  });

  it('--reset starts afresh and keeps what sources have learned; --since leaves older hours out', async () => {
    open();
    world.now -= 3 * 3_600_000;
    await edit('src/app.ts');
    await world.pass(3_000);
    world.now = Date.now() - 30_000;
    expect(await run(['--since', '1h'])).toBe(
      'No edit was seen in the last 1h, workspace project. The pack works where a project has .specweave/.\n',
    );
    expect(await run(['--since', '7d'])).toContain('tier1 2');
    await run(['--reset', '--yes']);
    expect(await run(['--since', '7d'])).toMatch(/^No edit was seen/);
    await edit('src/app.ts');
    expect(JSON.parse(await run(['--json']))).toMatchObject({ sources: [{ ring: 2, with: 1 }, { ring: 2 }] });
  });
});
