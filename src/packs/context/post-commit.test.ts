import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plantRepository } from '../../git/repository.fixture.ts';
import type { TestRepository } from '../../git/repository.fixture.ts';
import type { Answer, World } from '../world.fixture.ts';
import { contextWorld, HOUR, nextIn, NOW } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { QA } from './qa-state.ts';
import { pauseSession, relaysOf, setCell } from './session.fixture.ts';

interface Project {
  readonly world: World;
  readonly repository: TestRepository;
}

function projectOf(more: ContextWorldOptions = {}): Project {
  const world = contextWorld({ only: ['post-commit'], ...more });
  const repository = plantRepository(world.root);
  repository.commit('Begin', NOW - HOUR, 'a.txt');
  return { world, repository };
}

type More = Readonly<Record<string, unknown>>;

/** A call of the shell as the agent tells of it, with what really happens in between. */
async function call(world: World, command: string, act: () => unknown, more: More = {}): Promise<Answer> {
  const named = { tool_use_id: 'call-x', ...more };
  const before = await world.before('Bash', { command }, named);
  expect(before.stdout).toBe('');
  const stdout = act();
  const response = { stdout: typeof stdout === 'string' ? stdout : '', stderr: '', interrupted: false };
  return world.after('Bash', { command }, response, named);
}

const shaOf = ({ git }: TestRepository) => git('rev-parse', '--short=7', 'HEAD').trim();

describe('rows', () => {
  it('HEAD moved', async () => {
    const { world, repository } = projectOf();
    const commit = () => repository.commit('Parse the file', NOW, 'b.txt');
    const { note, warn } = await call(world, 'git add -A && git commit -m x', commit);
    expect(note.split('\n').slice(0, 3)).toEqual([
      `[context/post-commit] Committed: ${shaOf(repository)}`,
      ...['Subject:', '> Parse the file'],
    ]);
    expect(note).toContain('fairlead context add decision "<title>"');
    expect(note).toContain('fairlead context add learning "<title>"');
    expect(note).toContain('Nothing was pushed.');
    expect(nextIn(note)).toBe('fairlead context add decision "<title>"');
    expect(warn).toBe('');
    expect(note.length).toBeLessThanOrEqual(700);
    expect(relaysOf(world)).toMatchObject([{ event: 'relay', variant: 'nudge', variables: { commits: 1 } }]);
    expect(relaysOf(world)[0]?.message).not.toContain('Parse');
  });

  it('another repository, reached by cd and -C', async () => {
    const { world, repository } = projectOf();
    const other = plantRepository(join(world.root, 'b'));
    const act = () => {
      repository.commit('By somebody else', NOW, 'c.txt');
      other.commit('In the other one', NOW, 'b.txt');
    };
    const { note } = await call(world, 'cd a && git -C ../b commit -m y', act);
    expect(note).toContain(`Committed: ${shaOf(other)} in b\nSubject:\n> In the other one\n`);
    expect(note).not.toContain('somebody');
  });

  it('HEAD is where it was', async () => {
    const { world } = projectOf();
    const nothing = () => 'On branch main\nnothing to commit, working tree clean\n';
    expect((await call(world, 'git commit -m x || true', nothing)).stdout).toBe('');
    expect(relaysOf(world)).toEqual([]);
  });

  it('an amended commit', async () => {
    const { world, repository } = projectOf();
    const amend = () => repository.git('commit', '-q', '--amend', '-m', 'Better');
    expect((await call(world, 'git commit --amend -m Better', amend)).stdout).toBe('');
    expect((await call(world, 'git commit --amen -m Better', amend, { tool_use_id: '2' })).stdout).toBe('');
  });

  it('a call that failed', async () => {
    const { world, repository } = projectOf();
    const command = 'git commit -m x && false';
    await world.before('Bash', { command }, { tool_use_id: 'f' });
    repository.commit('Made nevertheless', NOW, 'b.txt');
    expect((await world.failed('Bash', { command }, 'Exit code 1', { tool_use_id: 'f' })).stdout).toBe('');
  });

  it.each([
    'git commit-tree T',
    'echo git commit',
    'echo "git commit -m x"',
    'git log --grep commit',
    'git commit --dry-run',
  ])('no commit at all: %s', async (command) => {
    const { world, repository } = projectOf();
    const act = () => (repository.commit('By somebody else', NOW, 'b.txt'), '[main 1234567] By somebody else\n');
    expect((await call(world, command, act)).stdout).toBe('');
    expect(world.cells('context.pre_head')).toEqual({});
  });

  it('version files that disagree, in the same reply', async () => {
    const { world, repository } = projectOf({
      files: {
        VERSION: '1.2.0\n',
        '.claude-plugin/plugin.json': '{"version":"1.1.0"}',
        '.claude-plugin/marketplace.json': '{"plugins":[{"version":"1.2.0"}]}',
      },
    });
    const { note, stdout } = await call(world, 'git commit -m x', () => repository.commit('Two', NOW, 'b.txt'));
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    expect(note).toContain('> Two');
    expect(note).toContain(
      'Version files disagree (1.2.0, 1.1.0, 1.2.0):\n> VERSION: 1.2.0\n> .claude-plugin/plugin.json: 1.1.0\n> .claude-plugin/marketplace.json: 1.2.0\n',
    );
    expect(
      relaysOf(world)
        .map(({ event, variant }) => `${event} ${variant}`)
        .toSorted(),
    ).toEqual(['relay nudge', 'relay version-drift']);
  });
});

describe('what was made', () => {
  it.each<[string, string, (repository: TestRepository) => unknown, string]>([
    ['the first commit there is', 'git commit -m x', (repo) => repo.commit('First', NOW, 'a'), '> First'],
    ['two at once: the newer one', 'git commit -m a; git commit -m b', twice, '> Second'],
    ['one that is amended at once', 'git commit -m a && git commit --amend', amended, '> Better'],
    ['one before another move', 'git commit -m a && git checkout -b side', moved, '> First'],
    [
      'a message that names an option',
      'git commit -m --amend',
      (repo) => repo.commit('--amend', NOW, 'a'),
      '> --amend',
    ],
  ])('%s', async (_, command, act, expected) => {
    const world = contextWorld({ only: ['post-commit'] });
    const repository = plantRepository(world.root);
    const { note } = await call(world, command, () => act(repository));
    expect(note).toContain(expected);
    expect(note.match(/^> /gm)).toHaveLength(1);
  });

  function twice({ commit }: TestRepository): void {
    commit('First', NOW, 'a');
    commit('Second', NOW, 'b');
  }
  function amended({ commit, git }: TestRepository): void {
    commit('First', NOW, 'a');
    git('commit', '-q', '--amend', '-m', 'Better');
  }
  function moved({ commit, git }: TestRepository): void {
    commit('First', NOW, 'a');
    git('checkout', '-q', '-b', 'side');
  }

  it('nothing, when HEAD moved by something else', async () => {
    const { world, repository } = projectOf();
    repository.git('branch', 'side', 'HEAD');
    repository.commit('Two', NOW, 'b.txt');
    const act = () => repository.git('checkout', '-q', 'side');
    expect((await call(world, 'git checkout side; git commit -m x || true', act)).stdout).toBe('');
  });

  it('nothing, when only an older commit was amended', async () => {
    const { world, repository } = projectOf();
    const act = () => repository.git('commit', '-q', '--amend', '-m', 'Better');
    const command = 'git commit -m x || git commit --amend -m Better';
    expect((await call(world, command, act)).stdout).toBe('');
  });

  it('where no log of HEAD is kept, its commit and the subject that git printed', async () => {
    const { world, repository } = projectOf();
    repository.git('config', 'core.logAllRefUpdates', 'false');
    rmSync(join(world.root, '.git/logs'), { recursive: true });
    const act = () => {
      repository.commit('Two', NOW, 'b.txt');
      return `[main ${shaOf(repository)}] Two\n 1 file changed\n`;
    };
    const { note } = await call(world, 'git commit -m x', act);
    expect(note).toContain(`Committed: ${shaOf(repository)}\nSubject:\n> Two\n`);
  });

  it('in two repositories by one command', async () => {
    const { world, repository } = projectOf();
    const other = plantRepository(join(world.root, 'b'));
    const act = () => [repository, other].map(({ commit }, at) => commit(`Part ${at}`, NOW, 'x.txt'));
    const { note } = await call(world, 'git commit -m a && cd b && git commit -m b', act);
    expect(note).toContain(`Committed: ${shaOf(repository)}, ${shaOf(other)} in b\nSubject:\n> Part 0\n> Part 1\n`);
  });

  it('in a worktree', async () => {
    const { world, repository } = projectOf();
    const tree = join(world.home, 'tree');
    repository.git('worktree', 'add', '-q', '-b', 'side', tree);
    const act = () => repository.git('-C', tree, 'commit', '-q', '--allow-empty', '-m', 'Beside');
    expect((await call(world, `git -C ${tree} commit -m x`, act)).note).toContain('in ../tree\nSubject:\n> Beside\n');
  });

  it.each(['git --git-dir=b/.git --work-tree=b commit -m x', 'GIT_DIR=b/.git git commit -m x'])(
    'by %s',
    async (command) => {
      const { world } = projectOf();
      const other = plantRepository(join(world.root, 'b'));
      expect((await call(world, command, () => other.commit('There', NOW, 'x'))).note).toContain('> There\n');
    },
  );
});

describe('when HEAD before it is not known', () => {
  const after = (world: World, command: string, stdout: string) =>
    world.after('Bash', { command }, { stdout, stderr: '', interrupted: false });

  it.each<[string, string, string]>([
    ['git commit -m x', '[main 1a2b3c4] Parse the file\n 1 file changed\n', '1a2b3c4\nSubject:\n> Parse the file'],
    ['git commit -m x', '[main (root-commit) 1a2b3c4] Begin\n', '1a2b3c4\nSubject:\n> Begin'],
    ['cd $X && git commit -m x', '[detached HEAD 1a2b3c4] Off\n', '1a2b3c4\nSubject:\n> Off'],
    ['cd $X && git commit -qm x', '', 'one commit\nWhat was'],
    ['git commit -m x || true', 'nothing to commit\n', ''],
    ['git commit -m x', '', ''],
    ['git commit -m "', '[main 1a2b3c4] Parse the file\n', ''],
  ])('%s → %j', async (command, stdout, expected) => {
    const { world } = projectOf();
    const { note } = await after(world, command, stdout);
    const begins = `[context/post-commit] Committed: ${expected}`;
    expect(note.slice(0, begins.length)).toBe(expected === '' ? '' : begins);
  });

  it('a quiet one is believed, and its name is that of HEAD', async () => {
    const { world, repository } = projectOf();
    const { note } = await after(world, 'git commit -q -m x', '');
    expect(note).toContain(`Committed: ${shaOf(repository)}\nSubject:\n> Begin\n`);
  });

  it('it is known for an hour', async () => {
    const { world, repository } = projectOf();
    const act = () => {
      repository.commit('Two', NOW, 'b.txt');
      world.now += HOUR;
    };
    expect((await call(world, 'git commit -m x', act)).stdout).toBe('');
  });
});

it('keeps HEAD by the id of the call until the call ends', async () => {
  const { world, repository } = projectOf();
  await world.before('Bash', { command: 'git commit -m x' }, { tool_use_id: 'one' });
  const head = repository.git('rev-parse', 'HEAD').trim();
  expect(world.cells('context.pre_head')).toEqual({ 'session-1 one': { [join(world.root, '.git')]: head } });
  repository.commit('Two', NOW, 'b.txt');
  expect((await call(world, 'git commit -m y', () => '', { tool_use_id: 'two' })).stdout).toBe('');
  expect(Object.keys(world.cells('context.pre_head'))).toEqual(['session-1 one']);
  const { note } = await world.after('Bash', { command: 'git commit -m x' }, { stdout: '' }, { tool_use_id: 'one' });
  expect(note).toContain('> Two');
  expect(world.cells('context.pre_head')).toEqual({});
});

it.each<[string, More | ((world: World) => void), ContextWorldOptions]>([
  ['another agent of the session', { agent_id: 'a1', agent_type: 'explorer' }, {}],
  ['a paused session', (world) => pauseSession(world), {}],
  ['a project that is not initialised', {}, { uninitialised: true }],
])('says nothing in %s', async (_, arrange, options) => {
  const { world, repository } = projectOf(options);
  if (typeof arrange === 'function') arrange(world);
  const more = typeof arrange === 'function' ? {} : arrange;
  expect((await call(world, 'git commit -m x', () => repository.commit('Two', NOW, 'b'), more)).stdout).toBe('');
  expect(world.cells('context.pre_head')).toEqual({});
});

it('says nothing of a commit that still runs', async () => {
  const { world } = projectOf();
  const response = { stdout: '', stderr: '', interrupted: false, backgroundTaskId: 'b1' };
  expect((await world.after('Bash', { command: 'git commit -q -m x' }, response)).stdout).toBe('');
});

it.each<[string, string, boolean]>([
  ['commit: { aliases: [ci, gc] }', 'git ci -m x', true],
  ['commit: { aliases: [ci, gc] }', 'gc -m x', true],
  ['commit: { aliases: [ci, gc] }', 'git ci --amend', false],
  ['commit: { aliases: [ci, gc] }', 'git commit -m x', true],
  ['commit: { aliases: ci }', 'git ci -m "a commit"', false],
  ['commit: 7', 'git commit -m x', true],
])('with %s: %s', async (options, command, speaks) => {
  const { world, repository } = projectOf({ options });
  const { note } = await call(world, command, () => repository.commit('Two', NOW, 'b'));
  expect(note !== '').toBe(speaks);
});

it('names a push of the same command', async () => {
  const { world, repository } = projectOf();
  const { note } = await call(world, 'git commit -m x && git push', () => repository.commit('Two', NOW, 'b'));
  expect(note).toContain('A push was part of the same command.');
  expect(note).not.toContain('Nothing was pushed');
});

it.each<[string, unknown, string | undefined]>([
  ['nobody looks at checks', undefined, undefined],
  ['all have passed', { lastEdit: NOW - 5, checks: { lint: NOW, test: NOW } }, undefined],
  ['one was before the last edit', { lastEdit: NOW - 5, checks: { lint: NOW - 9, test: NOW } }, 'edit: lint.'],
  ['none was seen', { lastEdit: 0, checks: {} }, 'edit: lint, test.'],
])('checks: %s', async (_, state, expected) => {
  const { world, repository } = projectOf();
  if (state !== undefined) setCell(world, QA, state);
  const { note } = await call(world, 'git commit -m x', () => repository.commit('Two', NOW, 'b'));
  expect(/^Not seen to pass since the last (.*)$/m.exec(note)?.[1]).toBe(expected);
});

it.each<[string, string | undefined]>([
  ['qa: { checks: { lint: [] } }', 'test'],
  ['qa: { checks: { lint: [], test: [] } }', undefined],
  ['qa: { checks: 7 }', 'lint, test'],
])('checks that are set by %s', async (options, expected) => {
  const { world, repository } = projectOf({ options });
  setCell(world, QA, { lastEdit: 0, checks: {} });
  const { note } = await call(world, 'git commit -m x', () => repository.commit('Two', NOW, 'b'));
  expect(/^Not seen to pass since the last edit: (.*)\.$/m.exec(note)?.[1]).toBe(expected);
});

describe('whether the context is part of the commit', () => {
  const said = (note: string) => /^\w{7} (changes .*)$/m.exec(note)?.[1];
  const commits = (path: string) => (repository: TestRepository) => repository.commit('Two', NOW, path);

  it.each<[string, (repository: TestRepository) => unknown, string | undefined]>([
    ['it is', commits('.context/DECISIONS.md'), 'changes .context.'],
    ['it is not', commits('src/a.ts'), 'changes nothing in .context.'],
    [
      'a commit of the same second does',
      (repository) => (commits('.context/DECISIONS.md')(repository), commits('src/a.ts')(repository)),
      'changes nothing in .context.',
    ],
    ['nothing is', (repository) => repository.commit('Two', NOW), 'changes nothing in .context.'],
    [
      'HEAD is elsewhere again',
      (repository) => (commits('.context/DECISIONS.md')(repository), repository.git('reset', '-q', '--soft', 'HEAD~2')),
      undefined,
    ],
  ])('%s', async (_, act, expected) => {
    const { world, repository } = projectOf();
    repository.commit('The context', NOW - HOUR, '.context/TASKS.md');
    const { note } = await call(world, 'git commit -m x', () => act(repository));
    expect(note).toContain('Committed: ');
    expect(said(note)).toBe(expected);
  });

  it('is not said of another repository', async () => {
    const { world } = projectOf();
    const other = plantRepository(join(world.root, 'b'));
    const { note } = await call(world, 'git -C b commit -m x', () => other.commit('There', NOW, '.context/a.md'));
    expect(note).toContain('> There');
    expect(said(note)).toBeUndefined();
  });

  it('is left out when the history does not answer in time', async () => {
    const { world, repository } = projectOf({ factWaitMs: 0 });
    const { note } = await call(world, 'git commit -m x', () => commits('.context/DECISIONS.md')(repository));
    expect(note).toContain('> Two');
    expect(said(note)).toBeUndefined();
  });
});

it.each<[string, Readonly<Record<string, string>>, string | undefined, readonly string[]]>([
  ['one source', { VERSION: '1' }, undefined, []],
  ['two that agree', { VERSION: '1', '.x-plugin/plugin.json': '{"version":"1"}' }, undefined, []],
  ['two that do not', { VERSION: '1', '.x-plugin/plugin.json': '{"version":"2"}' }, undefined, ['(1, 2, none)']],
  [
    'sources of its own',
    { 'package.json': '{"version":"1"}', 'Cargo.version': '2' },
    'commit: { version_sources: ["package.json#/version", Cargo.version] }',
    ['> package.json: 1', '> Cargo.version: 2'],
  ],
  ['none at all', { VERSION: '1' }, 'commit: { version_sources: [] }', []],
])('versions: %s', async (_, files, options, says) => {
  const { world, repository } = projectOf({ files, ...(options === undefined ? {} : { options }) });
  const { note } = await call(world, 'git commit -m x', () => repository.commit('Two', NOW, 'b'));
  for (const each of says) expect(note).toContain(each);
  expect(note.includes('Version files disagree')).toBe(says.length > 0);
});

it('quotes a long subject in part and nothing of it that steers a terminal', async () => {
  const { world, repository } = projectOf();
  const act = () => repository.commit(`\u001b[31mRed ${'x'.repeat(300)}`, NOW, 'b');
  const { note } = await call(world, 'git commit -m x', act);
  expect(/^> (.*)$/m.exec(note)?.[1]).toMatch(/^\[31mRed x{71}…$/);
});

it('before a commit asks nothing of a process, and of files only those of git', async () => {
  const { world, repository } = projectOf();
  await call(world, 'git commit -m x', () => repository.commit('Two', NOW, 'b'));
  world.work.open.length = 0;
  await world.before('Bash', { command: 'git commit -m y' });
  expect(world.work.open.length).toBeLessThanOrEqual(3);
  expect(world.work.open.every((path) => path.includes('/.git/'))).toBe(true);
});
