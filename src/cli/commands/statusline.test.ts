import { cpSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { columnsOf } from '../../text/columns.ts';
import { cellId } from '../../state/cells.ts';
import { writeSwitch } from '../../state/switch.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { sync } from '../../packs/increments/cli/commands/increment.ts';
import { graphPaths } from '../../graph/index.ts';
import { createStage } from '../played.fixture.ts';
import { pause } from './pause.ts';
import { statusline } from './statusline.ts';
import { off } from './switch.ts';

let project: PlantedProject;
beforeEach(() => {
  project = plantProject();
  cpSync('test/fixtures/specweave/project', project.root, { recursive: true });
});
afterEach(() => project.remove());

const LINE = '[user-login] | ████░░░░ | 2/4 tasks | 3/5 ACs · [invoice-export] | ████░░░░ | 1/2 tasks | 0/2 ACs';
/** Behind our own words. */
const SHORT_LINE = LINE.replace('user-login', 'use…').replace('invoice-export', 'inv…');
/** What everybody gets; how many rules are on is not the point here. */
const OWN = 'Fairlead N rules · 0 stopped today';
const STATUS = '.specweave/state/status-line.json';
async function line(input: unknown = '', env = {}): Promise<string> {
  const world = project.world({ stdin: typeof input === 'string' ? input : JSON.stringify(input), env });
  expect(await world.run(statusline)).toBe(0);
  expect(world.printed.err).toBe('');
  const lines = world.printed.out.split('\n');
  expect(lines).toHaveLength(2);
  return (lines[0] ?? '').replace(/\d+ rules/, 'N rules');
}
const status = (change: object): void => {
  const entry = { id: '0001-a', name: 'a', completed: 1, total: 2, percentage: 50, acsCompleted: 0, acsTotal: 2 };
  const file = { activeIncrements: [entry], openCount: 1, lastUpdate: new Date().toISOString(), current: entry };
  const path = join(project.root, STATUS);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ ...file, ...change }));
};
const age = (path: string, ms: number) => {
  const at = (Date.now() - ms) / 1_000;
  utimesSync(join(project.root, path), at, at);
};
function ageAll(ms: number): void {
  for (const id of ['0001-user-login', '0002-invoice-export', '0003E-crash-on-empty-cart', '0004-audit-log'])
    for (const file of ['spec.md', 'tasks.md', 'metadata.json']) age(`.specweave/increments/${id}/${file}`, ms);
  age('.specweave/increments', ms);
}
const windowOf = (session: string) => {
  const { store } = project.world().engine();
  return store.get(cellId('session', session, 'context.window'), Date.now());
};

describe('statusline', () => {
  it('says what is on, what was stopped today, and how much of the context is left', async () => {
    const input = { workspace: { project_dir: project.root }, context_window: { used_percentage: 41.6 } };
    expect(await line(input)).toBe(`${OWN} · 58% context left`);
    const world = project.world();
    await world.run(statusline);
    expect(world.printed.out).toMatch(/^Fairlead [1-9]\d* rules · /);
  });

  it('counts what was stopped in this project since midnight, and each call once', async () => {
    const stage = createStage();
    await stage.play(stage.calls('heavy-parcel'), { startAt: Date.now() });
    const here = stage.world({ stdin: '' });
    await here.run(statusline);
    const stopped = (world: { readonly printed: { readonly out: string } }) =>
      /(\d+) stopped/.exec(world.printed.out)?.[1];
    expect(stopped(here), 'two denials; the question was answered yes').toBe('2');
    const elsewhere = stage.world({ stdin: '', cwd: stage.home });
    await elsewhere.run(statusline);
    expect(stopped(elsewhere)).toBe('0');
    stage.remove();
  });

  it.each([
    ['snapshot', 'graph ready'],
    ['', 'no graph yet'],
  ])('says how the code graph is: %j', async (file, words) => {
    project.putUser('config.yaml', 'packs: { autocontext: on }\n');
    const { dir } = graphPaths(project.world().paths.state, project.root);
    mkdirSync(dir, { recursive: true });
    if (file !== '') writeFileSync(join(dir, file), '');
    expect(await line()).toBe(`${OWN} · ${words}`);
  });

  it('says that a session is paused or off', async () => {
    const world = project.world();
    project.heard(world, 's1', 0);
    await world.run(pause, '--session', 's1');
    expect(await line({ session_id: 's1' })).toBe('Fairlead N rules, advice paused · 0 stopped today');
    await world.run(off, '--session', 's1');
    expect(await line({ session_id: 's1' })).toBe('Fairlead is off in this session · 0 stopped today');
    expect(await line({ session_id: 's2' })).toBe(OWN);
  });

  it('adds what the jobs have written', async () => {
    await project.world().run(sync);
    expect(await line()).toBe(`${OWN} · ${SHORT_LINE}`);
    expect(await line({ workspace: { project_dir: project.root }, context_window: { used_percentage: 41.6 } })).toBe(
      `${OWN} · ${SHORT_LINE}`,
    );
  });

  it('has 120 columns at most, however many increments there are', async () => {
    const entry = { completed: 1, total: 2, percentage: 50, acsCompleted: 0, acsTotal: 2 };
    const active = ['first-increment-of-all', 'second-increment-of-all'].map((name, at) => ({
      ...entry,
      id: `000${at}`,
      name,
    }));
    for (const openCount of [2, 3, 120]) {
      status({ activeIncrements: active, openCount, current: active[0] });
      const shown = await line({ workspace: { project_dir: project.root }, context_window: { used_percentage: 41.6 } });
      expect(columnsOf(shown)).toBeLessThanOrEqual(120);
      expect(shown).toMatch(openCount > 2 ? /^Fairlead .*\(\+\d+ more\)$/ : /^Fairlead .*0\/2 ACs$/);
    }
  });

  it.each(['', '{', 'null', '[]', '"x"', '{"workspace": 7}'])('with %j on stdin and no status file', async (input) => {
    expect(await line(input)).toBe(OWN);
  });

  it('has a line for a place without increments, and for one that is gone', async () => {
    const empty = plantProject();
    expect(await line({ cwd: empty.root })).toBe(OWN);
    expect(await line({ cwd: join(empty.root, 'gone') })).toBe('Fairlead');
    await empty.remove();
  });

  it.each([
    ['', OWN],
    ['no json', OWN],
    ['{"activeIncrements": 7}', `${OWN} · ${SHORT_LINE.replace('3/5', '1/5')}`],
  ])('copes with the status file %j', async (text, expected) => {
    status({});
    writeFileSync(join(project.root, STATUS), text);
    expect(await line()).toBe(expected);
  });

  it('counts for itself when the file is old and the increments are newer', async () => {
    const seen = `${OWN} · [a] | ████░░░░ | 1/2 tasks | 0/2 ACs`;
    status({});
    expect(await line()).toBe(seen);
    status({ lastUpdate: new Date(Date.now() - 40_000).toISOString() });
    ageAll(60_000);
    expect(await line()).toBe(seen);
    age('.specweave/increments/0002-invoice-export/tasks.md', 35_000);
    expect(await line()).toBe(`${OWN} · ${SHORT_LINE.replace('3/5', '1/5')}`);
    status({ lastUpdate: new Date(Date.now() - 20_000).toISOString() });
    age('.specweave/increments/0002-invoice-export/tasks.md', 0);
    expect(await line()).toBe(seen);
  });

  it('follows the settings', async () => {
    project.putUser('config.yaml', 'packs:\n  increments:\n    statusline: { ascii: true, show_context: false }\n');
    status({});
    expect(await line({ context_window: { used_percentage: 5 } })).toBe(
      'Fairlead N rules - 0 stopped today - [a] | ####---- | 1/2 tasks | 0/2 ACs',
    );
  });

  it('hands on the size of the window', async () => {
    const input = { session_id: 's1', context_window: { context_window_size: 1_000_000 } };
    await line(input);
    expect(windowOf('s1')).toBe('1000000');
    await line({ ...input, context_window: { context_window_size: 200_000 } });
    expect(windowOf('s1')).toBe('200000');
    await line({ ...input, context_window: {} });
    expect(windowOf('s1')).toBe('200000');
    expect(windowOf('s2')).toBeUndefined();
  });

  it.each([
    ['the switch', () => writeSwitch(nodeFiles, project.world().paths.state, { since: Date.now() }), {}],
    ['the environment', () => {}, { FAIRLEAD_DISABLED: '1' }],
  ])('writes nothing while %s says off', async (_, turnOff, env) => {
    turnOff();
    status({});
    expect(await line({ session_id: 's1', context_window: { context_window_size: 5 } }, env)).toBe(
      'Fairlead is off · [a] | ████░░░░ | 1/2 tasks | 0/2 ACs',
    );
    expect(existsSync(join(project.world().paths.state, 'state.db'))).toBe(false);
  });

  it('prints its line when the state cannot be used', async () => {
    status({});
    const { state } = project.world().paths;
    mkdirSync(dirname(state), { recursive: true });
    writeFileSync(state, 'a file where a directory should be');
    expect(await line({ session_id: 's1', context_window: { context_window_size: 5 } })).toMatch(/^Fairlead .*\[a\] /);
  });
});
