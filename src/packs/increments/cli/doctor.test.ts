import { renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DEMO, demoWorld, editOf, metadata, TASKS, tick } from '../increment.fixture.ts';
import { openWorld } from '../../world.fixture.ts';
import type { World } from '../../world.fixture.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { writeSwitch } from '../../../state/switch.ts';
import type { DaemonStatus } from '../../../transport/status.ts';
import { sync } from './commands/increment.ts';
import { knownRules } from '../../../cli/known-rules.ts';
import { fakeWorld } from '../../../cli/world.fixture.ts';
import type { FakeWorld } from '../../../cli/world.fixture.ts';
import { checkIncrements } from './doctor.ts';
import type { Section } from '../../../cli/doctor/report.ts';

const RUNNING: DaemonStatus = {
  pid: 1,
  stamp: '',
  since: 0,
  memoryBytes: 0,
  requests: { socket: 0, http: 0, aside: 0, refused: 0 },
  failures: 0,
  sessions: 1,
  held: {},
};

let world: World;
let cli: FakeWorld;
afterEach(() => {
  cli.close();
  world.close();
});

/** The command line has the real clock, so what it looks at happened now. */
function open(files: Readonly<Record<string, string>> = {}, config?: string): void {
  world = demoWorld({ files, ...(config === undefined ? {} : { config }) });
  world.now = Date.now();
}

async function examine(isRunning = true): Promise<Section | undefined> {
  await world.engine.telemetry.finish();
  world.engine.telemetry.flush();
  cli = fakeWorld({ home: world.home, cwd: world.root });
  const [section] = checkIncrements(await knownRules(cli), isRunning ? RUNNING : undefined, cli);
  return section;
}

const told = (section: Section | undefined) =>
  section?.findings.map(({ level, what, next }) => `${level}: ${what} → ${next}`);

describe('doctor on increments', () => {
  it('says nothing without any', async () => {
    world = openWorld();
    expect(await examine()).toBeUndefined();
  });

  it('says nothing where the pack is off', async () => {
    open({}, 'packs: { increments: off }');
    expect(await examine()).toBeUndefined();
  });

  it('a project in good order has nothing to tell', async () => {
    open({ '.specweave/increments/0002-old/metadata.json': metadata('completed', '0002-old') });
    await world.after('Edit', editOf(world, `${DEMO}/tasks.md`), {});
    await world.pass(3_000);
    expect(await examine()).toEqual({
      title: 'Increments',
      facts: [
        ['increments', '2, 1 of them active'],
        ['status line', 'written'],
      ],
      findings: [],
    });
  });

  it('the two places of a status differ', async () => {
    open({ [`${DEMO}/metadata.json`]: metadata('paused') });
    expect(told(await examine())).toEqual([
      'note: 1 increment with two statuses: 0001-demo (metadata.json: paused, spec.md: active). → make the status in the front matter the one of metadata.json, or remove it there',
    ]);
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'no status anywhere',
      { [`${DEMO}/metadata.json`]: '{}', [`${DEMO}/spec.md`]: '# Demo\n' },
      /^note: 1 increment without a status: 0001-demo\. → add "status" to metadata\.json$/,
    ],
    [
      'metadata.json is broken',
      { [`${DEMO}/metadata.json`]: '{ "status": ' },
      /^attention: metadata\.json cannot be read in 0001-demo\. → mend .*metadata\.json$/,
    ],
    [
      'a broken status file',
      { '.specweave/state/status-line.json': '[' },
      /^attention: .*status-line\.json cannot be read\. → fairlead increment sync$/,
    ],
  ])('%s', async (_name, files, expected) => {
    open(files);
    expect(told(await examine())).toEqual([expect.stringMatching(expected)]);
  });

  it('a blind source, with what its registration is still good for', async () => {
    open();
    for (let at = 0; at < 20; at += 1) {
      await world.before('Edit', {});
      await world.after('Edit', {}, {});
    }
    const found = told(await examine());
    expect(found).toHaveLength(2);
    expect(found).toContainEqual(
      expect.stringMatching(
        /^note: claude-code\/PreToolUse is blind since .*: of its last 20 edits 20 came without arguments\. → if no other pack needs the event, its registration .* can be removed$/,
      ),
    );
    expect(found).toContainEqual(
      expect.stringMatching(/^note: claude-code\/PostToolUse is blind .* → fairlead stats increments/),
    );
  });

  it('an open breaker, once, although its work is overdue', async () => {
    open({ '.specweave/docs': 'in the way' }, 'packs: { increments: { breaker: { failures: 1 } } }');
    world.now -= 600_000;
    await world.after('Edit', editOf(world, `${DEMO}/tasks.md`), {});
    await world.pass(2_000);
    expect(told(await examine())).toEqual([
      expect.stringMatching(
        /^attention: The breaker of the job living-docs is open, since 10 min: .*docs.* → fairlead increment sync runs/s,
      ),
    ]);
  });

  it('work that a running engine leaves undone, and `increment sync` does it', async () => {
    open();
    world.now -= 120_000;
    world.put(`${DEMO}/tasks.md`, tick(TASKS));
    await world.after('Edit', editOf(world, `${DEMO}/tasks.md`), {});
    await world.engine.store.stored();
    expect(told(await examine())).toEqual([
      expect.stringMatching(
        /^attention: 3 jobs due for 2 min: 0001-demo:ac-sync, 0001-demo:living-docs, 0001-demo:status-line\. → fairlead increment sync does it now;/,
      ),
    ]);
    await cli.run(sync);
    const after = checkIncrements(await knownRules(cli), RUNNING, cli);
    expect(after[0]?.findings).toEqual([]);
  });

  it.each(['without an engine', 'while all is off'])('work that waits %s is no fault', async (when) => {
    open();
    world.now -= 120_000;
    await world.after('Edit', editOf(world, `${DEMO}/tasks.md`), {});
    await world.engine.store.stored();
    const isOff = when === 'while all is off';
    if (isOff) writeSwitch(nodeFiles, world.paths.state, { since: 1 });
    expect((await examine(isOff))?.findings).toEqual([]);
  });

  it('increments that a link leads out of the project', async () => {
    open();
    const away = join(world.home, 'away');
    renameSync(join(world.root, '.specweave'), away);
    symlinkSync(away, join(world.root, '.specweave'));
    expect(told(await examine())).toEqual([
      `attention: ${world.root}/.specweave/increments leads to ${away}/increments, outside of ${world.root}. → keep .specweave in the project, or work where it really lies`,
    ]);
  });

  it('an archive alone is no increment', async () => {
    open();
    rmSync(join(world.root, DEMO), { recursive: true });
    world.put('.specweave/increments/_archive/0001-demo/metadata.json', metadata('completed'));
    expect((await examine())?.facts).toContainEqual(['increments', '0, 0 of them active']);
  });
});
