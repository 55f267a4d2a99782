import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recorded } from '../../../test/fixtures/claude-code.ts';
import { graphPaths, readActiveRoot, readInitRecord } from '../../graph/index.ts';
import { openGraph, takeLease } from '../../graph/graph.fixture.ts';
import type { InitRecord } from '../../graph/graph.fixture.ts';
import { graphsInProcess } from '../../graph/resident/in-process-graphs.fixture.ts';
import type { InProcessGraphs } from '../../graph/resident/in-process-graphs.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { openWorld } from '../world.fixture.ts';
import type { Answer, World } from '../world.fixture.ts';

const CODE = 'def foo():\n    return 1\n\ndef bar():\n    return foo()\n';

let graphs: InProcessGraphs;
let world: World;
let w: string;

beforeEach(() => {
  graphs = graphsInProcess();
  world = openWorld({ config: 'packs: { autocontext: on }\n', createGraphs: graphs.create });
  w = join(world.home, 'w');
  mkdirSync(w);
});
afterEach(() => world.close());

const locationOf = (root: string) => graphPaths(world.paths.state, root);
const recordOf = (root: string): InitRecord | undefined => readInitRecord(nodeFiles, locationOf(root), root);
const filesOf = (root: string): number => {
  const reader = openGraph(nodeFiles, locationOf(root), root);
  const count = reader?.counts.files ?? 0;
  reader?.close();
  return count;
};
const isStored = (root: string) =>
  nodeFiles.exists(locationOf(root).snapshot) || nodeFiles.exists(locationOf(root).facts);

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** A repository with some Python in it, as a clone leaves it. */
function plantRepository(dir: string): string {
  mkdirSync(join(dir, '.git'), { recursive: true });
  put(join(dir, '.git/HEAD'), 'ref: refs/heads/main\n');
  put(join(dir, 'app/core.py'), CODE);
  return dir;
}

let calls = 0;
/** As an agent sends it that was started in `w`, and still is there unless told otherwise. */
function send(file: string, fields: Readonly<Record<string, unknown>> = {}, cwd = w): Promise<Answer> {
  const own = { session_id: 'session-w', transcript_path: join(world.home, 'w.jsonl'), cwd, ...fields };
  const id = file.includes('Tool') ? { tool_use_id: `w-${(calls += 1)}` } : {};
  return world.send({ ...recorded(file), ...own, ...id }, { cwd, projectDir: w });
}
const start = (source = 'startup', cwd = w) => send('SessionStart/startup.json', { source }, cwd);
const bash = (command: string, cwd = w) => send('PostToolUse/bash.json', { tool_input: { command } }, cwd);
const tool = (name: string, input: Readonly<Record<string, unknown>>, cwd = w) =>
  send('PostToolUse/bash.json', { tool_name: name, tool_input: input, tool_response: {} }, cwd);
const read = (path: string) => tool('Read', { file_path: path });
/** Lets what follows a reply happen, also what waits for more commands. */
async function idle(): Promise<void> {
  await graphs.idle();
  await world.pass(500);
  await graphs.idle();
}
const attempts = () => graphs.asked.filter((request) => request.do === 'index').length;

describe('a session that starts in an empty directory', () => {
  it('is told so in one line, and nothing is stored', async () => {
    const { note, warn } = await start();
    expect(note).toContain('armed');
    expect([note.length <= 120, note.split('\n').length, warn]).toEqual([true, 1, '']);
    await idle();
    expect([graphs.asked, isStored(w), recordOf(w)]).toEqual([[], false, undefined]);
  });

  it.each<[string, (repository: string) => Promise<Answer>, string]>([
    ['Glob', (path) => tool('Glob', { pattern: '**/*.py', path }), 'path'],
    ['LS', (path) => tool('LS', { path }), 'path'],
    ['Grep', (path) => tool('Grep', { pattern: 'foo', path }), 'path'],
    ['Read', (path) => read(join(path, 'app/core.py')), 'file'],
  ])('%s inside a real repository has it indexed', async (_tool, use, reason) => {
    await start();
    // Elsewhere, so that only the path can lead there.
    const repository = plantRepository(join(world.home, 'elsewhere/repo'));
    await use(repository);
    expect(graphs.asked).toEqual([]);
    await idle();
    expect(filesOf(repository)).toBe(1);
    expect(recordOf(repository)).toMatchObject({ state: 'stable', reason, files: 1, failures: 0 });
    expect(graphs.drawn).toMatchObject([{ what: 'architecture', root: repository, origin: 'auto' }]);
    expect(readActiveRoot(nodeFiles, world.paths.state, w)).toMatchObject({ root: repository, reason });
  });

  it('a command clones a repository into it, and nothing else is said', async () => {
    await start();
    await bash('ls');
    await idle();
    expect(graphs.asked).toEqual([]);
    const origin = plantRepository(join(world.home, 'origin'));
    const repository = join(w, 'repo');
    cpSync(origin, repository, { recursive: true });
    await bash('git clone https://example.org/repo');
    await idle();
    expect(recordOf(repository)).toMatchObject({ state: 'stable', reason: 'single-child', files: 1 });
    expect(readActiveRoot(nodeFiles, world.paths.state, w)).toMatchObject({ root: repository, reason: 'single-child' });
    await read(join(repository, 'app/core.py'));
    await idle();
    expect(attempts()).toBe(1);
  });

  it('of two clones, a path decides', async () => {
    await start();
    plantRepository(join(w, 'one'));
    const two = plantRepository(join(w, 'two'));
    await bash('git clone one; git clone two');
    await idle();
    expect(graphs.asked).toEqual([]);
    await read(join(two, 'app/core.py'));
    await idle();
    expect(recordOf(two)).toMatchObject({ state: 'stable', reason: 'file' });
    expect(isStored(join(w, 'one'))).toBe(false);
  });
});

it('a marked root without code is pending until a file of code is read', async () => {
  put(join(w, 'pyproject.toml'), '[project]\nname = "x"\n');
  put(join(w, 'README.md'), 'x\n');
  await start();
  await idle();
  expect(recordOf(w)).toMatchObject({ state: 'pending', reason: 'session-start', files: 0 });
  expect(isStored(w)).toBe(false);
  world.now += 500;
  await tool('Glob', { pattern: '*' });
  await idle();
  expect(attempts()).toBe(1);
  await read(put(join(w, 'app.py'), CODE));
  await idle();
  expect(attempts()).toBe(2);
  expect(recordOf(w)).toMatchObject({ state: 'stable', reason: 'file' });
  expect(filesOf(w)).toBe(2);
});

describe('a session that starts in a repository', () => {
  beforeEach(() => {
    plantRepository(w);
  });

  it('hears nothing, waits for nothing, and the index follows', async () => {
    expect((await start()).stdout).toBe('');
    expect([graphs.asked, isStored(w)]).toEqual([[], false]);
    await idle();
    expect(recordOf(w)).toMatchObject({ state: 'stable', reason: 'session-start', files: 1 });
    expect(readActiveRoot(nodeFiles, world.paths.state, w)).toBeUndefined();
  });

  it('however often it starts, there is one index', async () => {
    for (const source of ['startup', 'startup', 'resume', 'compact', 'clear']) {
      expect((await start(source)).stdout).toBe('');
      await idle();
    }
    expect(attempts()).toBe(1);
    expect(new Set(graphs.asked.map((request) => request.do))).toEqual(new Set(['index', 'sweep']));
  });

  it('twenty events at once make one attempt, and all are answered', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(join(w, 'app/core.py'))));
    expect(answers.map(({ action }) => action)).toEqual(Array.from({ length: 20 }, () => 'pass'));
    await idle();
    expect(attempts()).toBe(1);
    expect(filesOf(w)).toBe(1);
  });

  it('a live process that writes is waited for, a dead one is not', async () => {
    const lease = takeLease(nodeFiles, locationOf(w), { pid: process.pid, since: Date.now() });
    await start();
    await idle();
    expect([graphs.asked, recordOf(w)]).toEqual([[], undefined]);
    lease?.release();
    // What a killed process left behind, of half a minute ago.
    const { pid } = spawnSync('true');
    put(locationOf(w).holder, JSON.stringify({ pid, since: Date.now() - 31_000 }));
    world.now += 5_000;
    await bash('ls');
    await idle();
    expect(recordOf(w)).toMatchObject({ state: 'stable' });
    expect(filesOf(w)).toBe(1);
  });

  it('an index that another process writes is read, and what changed is read again later', async () => {
    await start();
    await idle();
    const lease = takeLease(nodeFiles, locationOf(w), { pid: process.pid, since: Date.now() });
    const path = put(join(w, 'app/more.py'), CODE);
    await tool('Write', { file_path: path, content: CODE });
    await idle();
    expect([filesOf(w), world.engine.workspaces !== undefined]).toEqual([1, true]);
    lease?.release();
    await bash('ls');
    await idle();
    expect(filesOf(w)).toBe(2);
  });

  it('an attempt that breaks disturbs nothing and is made again later, three times', async () => {
    graphs.files = {
      ...nodeFiles,
      readBytes() {
        throw new Error('the disk is on fire');
      },
    };
    for (const times of [1, 2, 3]) {
      expect((await read(join(w, 'app/core.py'))).stdout).toBe('');
      await idle();
      expect(recordOf(w)).toMatchObject({ state: 'failed', failures: times, error: 'the disk is on fire' });
      world.now += 119_000;
      await read(join(w, 'app/core.py'));
      await idle();
      expect(attempts()).toBe(times);
      world.now += 1_000;
    }
    graphs.files = nodeFiles;
    world.now += 1_000_000;
    await read(join(w, 'app/core.py'));
    await idle();
    expect([attempts(), isStored(w) && filesOf(w) > 0]).toEqual([3, false]);
  });

  it('the second attempt may succeed, and then nothing is left of the failure', async () => {
    graphs.files = {
      ...nodeFiles,
      readBytes() {
        throw new Error('the disk is on fire');
      },
    };
    await start();
    await idle();
    graphs.files = nodeFiles;
    world.now += 120_000;
    world.restart();
    await bash('ls');
    await idle();
    expect(recordOf(w)).toMatchObject({ state: 'stable', failures: 0 });
    expect(recordOf(w)?.error).toBeUndefined();
  });
});

describe('what cannot be used', () => {
  beforeEach(async () => {
    plantRepository(w);
    await start();
    await idle();
    graphs.asked.length = 0;
    world.restart();
  });

  const goesOn = async () => {
    await read(join(w, 'app/core.py'));
    await idle();
  };

  it('a root that was copied elsewhere has an index of its own', async () => {
    const copy = join(world.home, 'copy');
    cpSync(w, copy, { recursive: true });
    await tool('LS', { path: copy });
    await idle();
    expect(recordOf(copy)).toMatchObject({ root: copy, state: 'stable' });
    // And if what is kept of the one is put where the other's belongs, it is of no use there.
    cpSync(locationOf(w).workspace, locationOf(copy).workspace, { recursive: true });
    world.restart();
    await tool('LS', { path: copy });
    await idle();
    const reader = openGraph(nodeFiles, locationOf(copy), copy);
    expect(reader?.root).toBe(copy);
    reader?.close();
  });

  it.each<[string, () => void, boolean]>([
    ['another format', () => writeFileSync(locationOf(w).snapshot, 'fairlead graph 0\n'), true],
    [
      'a damaged base',
      () => writeFileSync(locationOf(w).snapshot, readFileSync(locationOf(w).snapshot).subarray(0, 100)),
      true,
    ],
    ['a tail that is cut', () => writeFileSync(locationOf(w).delta, 'cut'), false],
  ])('%s', async (_what, spoil, isRebuilt) => {
    spoil();
    await goesOn();
    expect(filesOf(w)).toBe(1);
    expect(attempts()).toBe(isRebuilt ? 1 : 0);
    expect(recordOf(w)).toMatchObject({ state: 'stable' });
  });
});

it('a root that is deleted is pending, and nothing fails', async () => {
  const repository = plantRepository(join(w, 'repo'));
  await bash('git clone repo');
  await idle();
  expect(recordOf(repository)).toMatchObject({ state: 'stable' });
  rmSync(repository, { recursive: true });
  await bash('ls', repository);
  await read(join(repository, 'app/core.py'));
  await idle();
  expect(recordOf(repository)).toMatchObject({ state: 'pending', files: 0 });
  expect((await bash('ls')).stdout).toBe('');
  await idle();
  expect(world.engine.failures.read()).toEqual([]);
});

it('a process that ends while it indexes leaves no half of an index', async () => {
  plantRepository(w);
  for (let n = 0; n < 40; n += 1) put(join(w, `app/f${n}.py`), CODE);
  let reads = 0;
  graphs.files = {
    ...nodeFiles,
    readBytes(path, max) {
      if (path.endsWith('.py') && (reads += 1) >= 20) throw new Error('the process is gone');
      return nodeFiles.readBytes(path, max);
    },
  };
  await start();
  await idle();
  expect(filesOf(w)).toBe(0);
  // One that is killed does not come to write down that it failed.
  writeFileSync(locationOf(w).init, JSON.stringify({ ...recordOf(w), state: 'indexing', failures: 0 }));
  graphs.files = nodeFiles;
  world.restart('killed');
  await bash('ls');
  await idle();
  expect(filesOf(w)).toBe(41);
  expect(recordOf(w)).toMatchObject({ state: 'stable', files: 41 });
});

describe('settings', () => {
  it('say which files, here and whenever files are compared', async () => {
    plantRepository(w);
    put(join(w, 'web/a.ts'), 'export const a = 1;\n');
    writeFileSync(
      join(world.paths.config, 'config.yaml'),
      'packs: { autocontext: { enabled: true, languages: [python], index: { exclude: ["gen/**"] }, pictures: explicit } }\n',
    );
    put(join(w, 'gen/b.py'), CODE);
    world.restart();
    await start();
    await idle();
    expect(filesOf(w)).toBe(1);
    await send('UserPromptSubmit/plain.json');
    await idle();
    expect(filesOf(w)).toBe(1);
    expect(graphs.drawn).toMatchObject([{ what: 'architecture', isTextOnly: true }]);
  });

  it('a pack that is off has nothing indexed and says nothing', async () => {
    writeFileSync(join(world.paths.config, 'config.yaml'), 'packs: { autocontext: off }\n');
    world.restart();
    expect((await start()).stdout).toBe('');
    plantRepository(join(w, 'repo'));
    await bash('git clone repo');
    await idle();
    expect([graphs.asked, isStored(join(w, 'repo'))]).toEqual([[], false]);
  });
});

it('a compaction begins an epoch, a session has one line', async () => {
  expect((await start()).note).toContain('armed');
  expect((await start('resume')).stdout).toBe('');
  expect((await start('compact')).stdout).toBe('');
  expect(world.cells('autocontext.epoch')).toEqual({ 'session-w': 1 });
});
