import { describe, expect, it } from 'vitest';
import type { Answer } from '../world.fixture.ts';
import { contextWorld, nextIn } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { edited, git, open, ran, SCRIPTS, SUB_AGENT } from './qa.fixture.ts';
import { QA } from './qa-state.ts';
import { pauseSession, relaysOf, setCell } from './session.fixture.ts';

const kindOf = ({ note }: Answer) => (note === '' ? 'pass' : note.includes('\n') ? 'gate' : 'gate-short');

describe('rows of the specification', () => {
  it('git status: the whole text, for the agent alone', async () => {
    const world = open();
    const { note, warn, action } = await git(world, 'git status');
    expect(note).toContain('\nlint: not seen to pass\ntest: not seen to pass\n');
    expect(nextIn(note)).toBe('npm run lint && npm test');
    expect(note.endsWith(`${world.root}/.context`)).toBe(true);
    expect([warn, action]).toEqual(['', 'pass']);
    expect(relaysOf(world)).toMatchObject([{ event: 'relay', variant: 'gate', variables: { lint: 'not-seen' } }]);
  });

  it('shown in this prompt: one line of at most 120 characters', async () => {
    const world = open();
    await git(world, 'git status');
    const { note } = await git(world, 'git -C sub commit -m x');
    expect(note).toBe(
      '[context/qa-reminder] Checks: lint not seen to pass, test not seen to pass. Next: npm run lint && npm test',
    );
    expect(kindOf(await git(world, 'git log', 'p2'))).toBe('gate');
  });

  it.each(['cat .gitignore', 'echo digit', 'echo "git push"', 'legit status', 'git-lfs ls', 'cat <<EOF\ngit add\nEOF'])(
    '%j: passes',
    async (command) => {
      const world = open();
      expect((await git(world, command)).stdout).toBe('');
      expect(world.cells('context.qa')).toEqual({});
    },
  );

  it('test passed after the last edit, lint never ran: says so and names the lint command', async () => {
    const world = open();
    await edited(world);
    await ran(world, 'npm test');
    const { note } = await git(world, 'git commit -m x');
    expect(note).toContain('\nlint: not seen to pass\ntest: passed since the last edit\n');
    expect(nextIn(note)).toBe('npm run lint');
  });

  it.each<[string, ContextWorldOptions, boolean]>([
    ['paused', {}, true],
    ['not initialised', { uninitialised: true }, false],
  ])('%s: passes', async (_, more, isPaused) => {
    const world = open('qa: { mode: gate }', more);
    if (isPaused) pauseSession(world);
    await edited(world);
    expect((await git(world, 'git push')).stdout).toBe('');
    expect((await git(world, 'git commit -m x')).stdout).toBe('');
    expect(world.cells('context.qa')).toEqual({});
  });

  it('gate, an edit after the last test: held twice, then it goes on and that is recorded', async () => {
    const world = open('qa: { mode: gate }');
    await ran(world, 'npm run lint && npm test');
    await edited(world);
    await ran(world, 'npm run lint');
    const first = await git(world, 'git commit -m x');
    expect(first.action).toBe('deny');
    expect(first.reason.split('\n')).toEqual([
      expect.stringContaining('stopped: test not seen to pass since the last edit'),
      'Next: npm test',
      expect.stringMatching(/^A person can let it through: `fairlead allow-once \w{6}`\.$/),
    ]);
    expect((await git(world, 'git commit -m x')).action).toBe('deny');
    expect((await git(world, 'git commit -m x')).stdout).toBe('');
    expect(relaysOf(world).map(({ variables }) => variables)).toEqual([
      { missing: 'test', denials: 1 },
      { missing: 'test', denials: 2 },
      { missing: 'test', denials: 2, goesOn: true },
    ]);
    expect((await git(world, 'git commit -m x', 'p2')).action).toBe('deny');
    await ran(world, 'npm test');
    expect((await git(world, 'git commit -m x', 'p2')).action).toBe('pass');
  });

  it('when: commit, git log: passes', async () => {
    const world = open('qa: { when: commit }');
    expect((await git(world, 'git log')).stdout).toBe('');
    expect(kindOf(await git(world, 'git commit -m x'))).toBe('gate');
  });
});

describe('which git commands are spoken about', () => {
  it.each<[string, string, boolean]>([
    ['write', 'git log --oneline', false],
    ['write', 'git --no-pager diff', false],
    ['write', 'git add .', true],
    ['write', 'cd sub && git -c user.name=x push origin main', true],
    ['commit', 'git push', false],
    ['commit', 'git -C sub commit -m x', true],
    ['any', 'env A=1 git status', true],
    ['any', 'bash -c "git status"', true],
    ['any', 'echo $(git rev-parse HEAD)', true],
    ['any', '/usr/bin/git status', true],
    ['any', 'git', true],
    ['any', 'git log "unterminated', false],
  ])('%s: %s', async (when, command, isTold) => {
    expect((await git(open(`qa: { when: ${when} }`), command)).note !== '').toBe(isTold);
  });
});

it.each<[string, readonly string[]]>([
  ['full', ['gate', 'gate', 'gate']],
  ['short', ['gate', 'gate-short', 'gate-short']],
  ['silent', ['gate', 'pass', 'pass']],
])('repeat: %s', async (repeat, expected) => {
  const world = open(`qa: { repeat: ${repeat} }`);
  const said: string[] = [];
  for (const command of ['git status', 'git add .', 'git commit -m x']) said.push(kindOf(await git(world, command)));
  expect(said).toEqual(expected);
});

describe('gate', () => {
  const gate = 'qa: { mode: gate }';

  it('speaks about other git commands as usual', async () => {
    const world = open(gate);
    expect(kindOf(await git(world, 'git status'))).toBe('gate');
    expect(kindOf(await git(world, 'git push'))).toBe('gate-short');
  });

  it('lets a commit go for which everything has passed', async () => {
    const world = open(gate);
    await edited(world);
    await ran(world, 'npm run lint && npm test');
    const answer = await git(world, 'git commit -m x');
    expect([answer.action, nextIn(answer.note)]).toEqual(['pass', 'go on']);
  });

  it.each<[string, Answer['action'], string]>([
    ['npm run lint && npm test && git commit -m x', 'pass', ''],
    ['npm test && git commit -m x', 'deny', 'lint not seen'],
    ['npm run lint; npm test; git commit -m x', 'deny', 'lint and test not seen'],
    ['npm run lint && npm test && git commit -m x; git commit -m y', 'deny', 'lint and test not seen'],
    ['git commit --dry-run', 'pass', ''],
    ['git commit --short', 'pass', ''],
    ['git commit -mhotfix', 'deny', 'lint and test not seen'],
    ['git commit -m "--dry-run"', 'deny', 'lint and test not seen'],
    ['git commit-tree T', 'pass', ''],
    ['cd sub && git commit --amend --no-edit', 'deny', 'lint and test not seen'],
    ['bash -c "git commit -m x"', 'deny', 'lint and test not seen'],
    ['git commit -m "unterminated', 'ask', 'lint and test not seen'],
  ])('%s', async (command, action, missing) => {
    const answer = await git(open(gate), command);
    expect(answer.action).toBe(action);
    expect(answer.reason).toContain(missing);
  });

  it('holds sub-agents too, which are told nothing else', async () => {
    const world = open(gate);
    expect((await git(world, 'git status', 'p1', SUB_AGENT)).stdout).toBe('');
    expect((await git(world, 'git commit -m x', 'p1', SUB_AGENT)).action).toBe('deny');
    expect((await git(world, 'git commit -m x')).action).toBe('deny');
    expect((await git(world, 'git commit -m x', 'p1', SUB_AGENT)).action).toBe('pass');
  });

  it('counts by turn where prompts have no id', async () => {
    const world = open(gate);
    const none = { prompt_id: undefined };
    const commit = async () => (await world.before('Bash', { command: 'git commit -m x' }, none)).action;
    await world.prompt('Go on.', none);
    expect([await commit(), await commit(), await commit()]).toEqual(['deny', 'deny', 'pass']);
    await world.prompt('Go on.', none);
    expect(await commit()).toBe('deny');
  });

  it('is advice where the rule may only advise', async () => {
    const world = open('mode: advise, qa: { mode: gate }');
    const { action, note } = await git(world, 'git commit -m x');
    expect(action).toBe('pass');
    expect(note).toContain('stopped');
  });
});

it.each(['qa: nonsense', 'qa: { when: 3, repeat: [], mode: hold }'])('the usual settings for %s', async (options) => {
  const world = open(options);
  expect(kindOf(await git(world, 'git log'))).toBe('gate');
  expect(kindOf(await git(world, 'git commit -m x'))).toBe('gate-short');
});

it('two sessions, interleaved', async () => {
  const world = open();
  const other = { session_id: 'session-2' };
  await ran(world, 'npm test');
  await edited(world, 'src/app.ts', other);
  expect((await git(world, 'git status')).note).toContain('test: passed since');
  expect((await git(world, 'git status', 'p1', other)).note).toContain('test: not seen');
  expect(kindOf(await git(world, 'git log'))).toBe('gate-short');
});

it.each([7, { lastEdit: 'long ago' }, { lastEdit: 1, checks: 2 }])('a cell that holds %j is as none', async (value) => {
  const world = open();
  setCell(world, QA, value);
  expect((await git(world, 'git status')).note).toContain('test: not seen');
  await ran(world, 'npm test');
  expect((await git(world, 'git status')).note).toContain('test passed since');
});

describe('the next step', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['nothing tells it', {}, "run this project's lint and test"],
    ['scripts of one check', { 'package.json': '{"scripts":{"test":"x"}}' }, 'npm test'],
    ['another package manager', { ...SCRIPTS, 'pnpm-lock.yaml': '' }, 'pnpm run lint && pnpm run test'],
    ['a Makefile', { Makefile: 'lint:\n\tx\ntest: lint\n\ty\n' }, 'make lint && make test'],
    ['a Makefile with variables', { Makefile: 'lint:=x\n' }, "run this project's lint and test"],
    ['Rust', { 'Cargo.toml': '' }, 'cargo clippy && cargo test'],
    ['Go', { 'go.mod': '' }, 'go vet ./... && go test ./...'],
    ['a package file that is none', { 'package.json': '[' }, "run this project's lint and test"],
  ])('%s', async (_, files, next) => {
    const world = contextWorld({ only: ['qa-reminder'], files });
    expect(nextIn((await git(world, 'git status')).note)).toBe(next);
  });

  it('one that is too long for the short text is not cut', async () => {
    const world = open('qa: { checks: { lint: [builtin, "./scripts/lint-everything-there-is --strict --quiet"] } }');
    await git(world, 'git status');
    const { note } = await git(world, 'git add .');
    expect(note).toContain('Next: the missing check');
    expect(note.length).toBeLessThanOrEqual(120);
  });
});

it('calls that have nothing to do with it are not looked at', async () => {
  const world = open();
  const looks = () => world.work.stat.filter((path) => path.endsWith('CONSTITUTION.md')).length;
  await world.before('Bash', { command: 'ls -l' });
  await ran(world, 'ls -l');
  await world.before('Read', { file_path: `${world.root}/a` });
  expect(looks()).toBe(0);
  await git(world, 'git status');
  expect(looks()).toBe(1);
});

it('checks that the call itself runs first are not asked for', async () => {
  const world = open();
  const { note } = await git(world, 'npm test && git commit -m x');
  expect(note).toContain('\nlint: not seen to pass\ntest: run first by this command\nNext: npm run lint\n');
  const short = await git(world, 'npm run lint && npm test && git commit -m x');
  expect(short.note).toBe(
    '[context/qa-reminder] Checks: lint run first by this command, test run first by this command. Next: go on',
  );
  expect((await git(world, 'npm test; git commit -m x')).note).toContain('test not seen to pass');
});

it.each([
  ['git -C /var/elsewhere commit -m x', 'pass'],
  ['cd /var/elsewhere && git commit -m x', 'pass'],
  ['git --git-dir=/var/elsewhere/.git commit -m x', 'pass'],
  ['git -C /var/elsewhere commit -m x && git commit -m y', 'deny'],
  ['git -C "$DIR" commit -m x', 'deny'],
])('a commit to another repository is not held: %s', async (command, action) => {
  expect((await git(open('qa: { mode: gate }'), command)).action).toBe(action);
});
