import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readEntries, readIndex } from '../../entries.ts';
import { STARTERS } from '../../starters.ts';
import { cellId } from '../../../../state/cells.ts';
import { logPath } from '../../../../state/session-log.ts';
import { CommandError, UsageError } from '../../../../cli/command.ts';
import { plantProject } from '../../../../cli/project.fixture.ts';
import type { PlantedProject } from '../../../../cli/project.fixture.ts';
import type { FakeWorld } from '../../../../cli/world.fixture.ts';
import { resources } from './context-resources.ts';
import { backupDone, map, prune, reviewed } from './context-upkeep.ts';
import { add, init, remember } from './context.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  world = project.world();
});
afterEach(() => project.remove());

const ALL = [
  'AGENT_PLAYBOOK',
  'ARCHITECTURE',
  'CONSTITUTION',
  'CONVENTIONS',
  'DECISIONS',
  'GLOSSARY',
  'LEARNINGS',
  'TASKS',
];
const inContext = (name: string) => join(project.root, '.context', name);
const read = (name: string) => readFileSync(inContext(name), 'utf8');
const put = (name: string, text: string) => project.putProject(`.context/${name}`, text);
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-C', project.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
const cell = (name: string, key?: string) => project.cell(world, name, key);

describe('context init', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['everything', [], [...ALL.map((name) => `${name}.md`), '.gitignore', 'journal', 'memory']],
    ['the least', ['--minimal'], ['CONSTITUTION.md', 'DECISIONS.md', 'TASKS.md', '.gitignore', 'journal', 'memory']],
    [
      'a journal that is tracked',
      ['--minimal', '--track-journal'],
      ['CONSTITUTION.md', 'DECISIONS.md', 'TASKS.md', 'journal', 'memory'],
    ],
  ])('makes %s, once', async (_name, options, made) => {
    expect(await world.run(init, ...options)).toBe(0);
    expect(readdirSync(inContext('')).toSorted()).toEqual([...made].toSorted());
    for (const name of made) expect(world.printed.out).toContain(`made  .context/${name}`);
    if (made.includes('.gitignore')) expect(read('.gitignore')).toBe('journal/\nmemory/\nstate/\n');
    expect(cell('context.made_here')).toMatchObject({ at: expect.any(Number) as number });
    expect(await world.json(init, ...options)).toEqual({ root: project.root, made: [] });
  });

  it('brings its own list of what is not versioned up to date, and no other', async () => {
    for (const [before, after] of [
      ['journal/\nmemory/\n', 'journal/\nmemory/\nstate/\n'],
      ['journal/\n', 'journal/\n'],
    ] as const) {
      put('.gitignore', before);
      await world.run(init);
      expect(read('.gitignore')).toBe(after);
    }
  });

  it('keeps what is there, and does not call it ours', async () => {
    put('TASKS.md', 'mine');
    put('.gitignore', 'state/\n');
    await world.run(init);
    expect(read('TASKS.md')).toBe('mine');
    expect(read('.gitignore')).toBe('state/\n');
    expect(existsSync(inContext('GLOSSARY.md'))).toBe(true);
    expect(cell('context.made_here')).toBeUndefined();
  });

  it.each<[string, string, boolean]>([
    ['the constitution as it is made', 'CONSTITUTION.md', true],
    ['another text', 'NOTES.md', false],
    ['a playbook', 'AGENT_PLAYBOOK.md', false],
    ['reminders', 'reminders.json', false],
    ['what no agent is given', 'map-tracking.json', true],
  ])('stands behind what it makes, not behind what came before: %s', async (_name, file, isOurs) => {
    put(file, isOurs && file in STARTERS ? STARTERS['CONSTITUTION.md'] : '[]');
    await world.run(init);
    expect(cell('context.made_here') !== undefined).toBe(isOurs);
    expect(world.printed.out.includes('`fairlead trust`')).toBe(!isOurs);
  });

  it('makes nothing where .context leads out of the project', async () => {
    mkdirSync(join(project.home, 'outside'));
    symlinkSync(join(project.home, 'outside'), inContext(''));
    await expect(world.run(init)).rejects.toThrow(/is a link to .*outside, outside the project/);
    await expect(world.run(add, 'decision', 'x')).rejects.toThrow(CommandError);
    expect(readdirSync(join(project.home, 'outside'))).toEqual([]);
  });

  it('writes through no link, and not into a file', async () => {
    mkdirSync(inContext(''));
    symlinkSync(join(project.home, 'elsewhere.md'), inContext('TASKS.md'));
    await world.run(init);
    expect(existsSync(join(project.home, 'elsewhere.md'))).toBe(false);
    const other = plantProject();
    other.putProject('.context', 'a file');
    await expect(other.world().run(init)).rejects.toThrow(CommandError);
    await other.remove();
  });

  it.each<[string, () => void]>([
    ['a directory', () => mkdirSync(inContext('TASKS.md'), { recursive: true })],
    ['a link to nowhere', () => (mkdirSync(inContext('')), symlinkSync('nowhere.md', inContext('TASKS.md')))],
  ])('names what is no file: %s', async (_what, plant) => {
    plant();
    for (const made of [true, false]) {
      Object.assign(world.printed, { out: '', err: '' });
      expect(await world.run(init)).toBe(1);
      expect(world.printed.out.includes('made  .context/DECISIONS.md')).toBe(made);
      expect(world.printed.out).not.toContain('all of its files');
      expect(world.printed.err).toContain('.context/TASKS.md is no file');
    }
    expect(await world.json(init)).toEqual({ root: project.root, made: [], notFiles: ['.context/TASKS.md'] });
  });

  it('works at the root from anywhere in the project, or where a context is', async () => {
    git('init', '-q');
    const deep = project.putProject('src/deep/x.ts', '').slice(0, -'/x.ts'.length);
    await project.world().run(init, '--minimal');
    world = project.world();
    Object.defineProperty(world, 'cwd', { value: deep });
    expect(await world.json(init, '--minimal')).toEqual({ root: project.root, made: [] });
    await world.run(add, 'decision', 'From below');
    expect(read('DECISIONS.md')).toContain('From below');
  });
});

describe('context add', () => {
  it('adds entries to what another program wrote and refreshes their index', async () => {
    put(
      'DECISIONS.md',
      '# Decisions\n\n<!-- INDEX:START -->\n| Date | Decision |\n|------|--------|\n| 2026-02-06 | Two |\n<!-- INDEX:END -->\n\n## [2026-02-06-181708] Two\n\n**Status**: Accepted\n\n---\n\n## [2026-02-04-230933] One\n\n**Status**: Accepted\n',
    );
    expect(await world.run(add, 'decision', ' Use\n SQLite ')).toBe(0);
    expect(readEntries(read('DECISIONS.md')).map(({ title }) => title)).toEqual(['Use SQLite', 'Two', 'One']);
    expect(readIndex(read('DECISIONS.md'))?.split('\n')).toHaveLength(5);
    expect(read('DECISIONS.md')).toContain('**Status**: Accepted\n\n---\n\n## [2026-02-04-230933] One');
  });

  it('starts a file that is missing', async () => {
    mkdirSync(inContext(''));
    const { stamp } = await world.json(add, 'learning', 'Clocks differ');
    expect(readIndex(read('LEARNINGS.md'))).toContain('Clocks differ');
    expect(readEntries(read('LEARNINGS.md')).map((entry) => entry.stamp)).toEqual([stamp]);
  });

  it.each([
    [['question', 'x'], UsageError, /decision or learning/],
    [['constructor', 'x'], UsageError, /decision or learning/],
    [['decision', ' \n'], UsageError, /title/],
    [['decision'], UsageError, /expected/],
  ] as const)('refuses %j', async (argv, kind, message) => {
    mkdirSync(inContext(''));
    await expect(world.run(add, ...argv)).rejects.toThrow(kind);
    await expect(world.run(add, ...argv)).rejects.toThrow(message);
  });

  it('says where to begin when there is no context', async () => {
    await expect(world.run(add, 'decision', 'x')).rejects.toThrow(/fairlead context init/);
  });

  it('leaves alone what it could not write back, and what lies outside', async () => {
    mkdirSync(inContext(''));
    writeFileSync(inContext('DECISIONS.md'), Buffer.from([0x23, 0xff, 0x0a]));
    await expect(world.run(add, 'decision', 'x')).rejects.toThrow(/UTF-8/);
    writeFileSync(join(project.home, 'profile'), 'export A=1\n');
    symlinkSync(join(project.home, 'profile'), inContext('LEARNINGS.md'));
    await expect(world.run(add, 'learning', 'x')).rejects.toThrow(/outside the project/);
    expect(readFileSync(join(project.home, 'profile'), 'utf8')).toBe('export A=1\n');
  });
});

describe('context remember', () => {
  it('tells what is open, decided and written last', async () => {
    put('TASKS.md', Array.from({ length: 12 }, (_, at) => `- [ ] Task ${at}\n`).join(''));
    put('DECISIONS.md', '## [2026-01-01-000000] Old\n\n## [2026-01-02-000000] New\n');
    put('journal/2026-03-01-1000-aaaaaaaa.md', 'older');
    put('journal/2026-03-02-1000-bbbbbbbb.md', '---\nsession: b\n---\n\n# A day\u001b[2J\n');
    await world.run(remember);
    const { out } = world.printed;
    expect(out).toContain('12 open tasks\n  - Task 0\n');
    expect(out).toContain('  - Task 9\n  and 2 more in .context/TASKS.md\n');
    expect(out).toContain('[2026-01-02-000000] New\n  [2026-01-01-000000] Old\n');
    expect(out).toContain('.context/journal/2026-03-02-1000-bbbbbbbb.md\n  | ---\n');
    expect(out).toContain('# A day\\u001b[2J');
    expect(out).not.toContain('older');
    expect(await world.json(remember)).toMatchObject({ journal: '.context/journal/2026-03-02-1000-bbbbbbbb.md' });
  });

  it('says that there is nothing', async () => {
    mkdirSync(inContext(''));
    await world.run(remember);
    expect(world.printed.out).toBe('0 open tasks\n  none\n\nNewest decisions\n  none\n\nLast journal entry\n  none\n');
  });
});

describe('upkeep', () => {
  beforeEach(() => world.run(init, '--minimal'));

  it('notes that the map is done and keeps the rest of the file', async () => {
    await world.run(map, 'done');
    expect(JSON.parse(read('map-tracking.json'))).toMatchObject({ opted_out: false });
    put(
      'map-tracking.json',
      '{\n  "version": 1,\n  "last_run": "2026-02-23T20:00:00Z",\n  "coverage": { "a": ["b", "c"] }\n}\n',
    );
    const { lastRun } = await world.json(map, 'done');
    expect(read('map-tracking.json')).toBe(
      `{\n  "version": 1,\n  "last_run": "${String(lastRun)}",\n  "coverage": { "a": ["b", "c"] }\n}\n`,
    );
    put('map-tracking.json', '[1');
    await expect(world.run(map, 'done')).rejects.toThrow(/mend it/);
    expect(read('map-tracking.json')).toBe('[1');
    await expect(world.run(map, 'undone')).rejects.toThrow(UsageError);
  });

  it('records a review by the path from the project', async () => {
    project.putProject('docs/prices.md', 'x');
    await world.run(reviewed, 'docs/prices.md');
    expect(cell('context.reviews', 'docs/prices.md')).toMatchObject({ at: expect.any(Number) as number });
    await expect(world.run(reviewed, 'docs/none.md')).rejects.toThrow(CommandError);
    writeFileSync(join(project.home, 'outside.md'), '');
    await expect(world.run(reviewed, join(project.home, 'outside.md'))).rejects.toThrow(/outside/);
  });

  it('touches the marker of backups and nothing in it', async () => {
    const marker = join(project.home, '.local/state/fairlead/last-backup');
    await world.run(backupDone);
    expect(Date.now() - statSync(marker).mtimeMs).toBeLessThan(60_000);
    const own = join(project.home, 'own-marker');
    writeFileSync(own, 'precious');
    utimesSync(own, 1_000, 1_000);
    project.putUser('config.yaml', 'packs: { context: { backup: { marker: ~/own-marker } } }\n');
    world = project.world();
    expect(await world.json(backupDone)).toMatchObject({ marker: own });
    expect(readFileSync(own, 'utf8')).toBe('precious');
    expect(Date.now() - statSync(own).mtimeMs).toBeLessThan(60_000);
  });

  it('forgets old sessions and no other', async () => {
    const { store, clock } = world.engine();
    const now = clock.now();
    const set = (session: string, at: number) =>
      store.commit({
        reads: new Map(),
        changes: [{ op: 'set', id: cellId('session', session, 'x'), value: '1', expires: 0 }],
        now: at,
      });
    set('old', now - 4 * 86_400_000);
    set('new', now - 2 * 86_400_000);
    const logOf = (session: string, at: number) => {
      const path = logPath(world.paths.state, session);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
      utimesSync(path, at / 1_000, at / 1_000);
      return path;
    };
    const logs = [logOf('../../old', now - 4 * 86_400_000), logOf('new', now - 2 * 86_400_000)];
    expect(await world.json(prune, '--days', '3')).toEqual({ days: 3, removed: { cells: 1, logs: 1 } });
    expect(store.get(cellId('session', 'new', 'x'), now)).toBe('1');
    expect(store.get(cellId('session', 'old', 'x'), now)).toBeUndefined();
    expect(logs.map((path) => existsSync(path))).toEqual([false, true]);
    project.putUser('config.yaml', 'packs: { context: { prune_days: 1 } }\n');
    expect(await world.json(prune)).toEqual({ days: 1, removed: { cells: 1, logs: 1 } });
    for (const days of ['0', '-1', 'x', '1.5'])
      await expect(world.run(prune, `--days=${days}`)).rejects.toThrow(UsageError);
  });

  it('shows the resources of this machine against the limits that are set', async () => {
    project.putUser(
      'config.yaml',
      'packs: { context: { resources: { memory_source: used, disk: { danger: 0.0001 }, load: { warn: 0, danger: 0 } } } }\n',
    );
    world = project.world();
    expect(await world.run(resources)).toBe(1);
    expect(world.printed.out).toMatch(/^disk +\d+ % of [\d.]+ GiB .*danger$/m);
    const { levels } = (await world.json(resources)) as { levels: { metric: string; level: string }[] };
    expect(levels.find(({ metric }) => metric === 'disk')?.level).toBe('danger');
    expect(levels.find(({ metric }) => metric === 'load')?.level).toBe('fine');
  });
});
