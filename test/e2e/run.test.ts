import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunReport } from '../../src/cli/run/report.ts';
import { KEYS, signed } from '../../src/team/policy.fixture.ts';
import { CHECKOUT, clientProgram, makeHome } from './home.ts';
import type { Home } from './home.ts';
import { bash, resultsIn, say, startModel, turn } from './model.ts';
import type { Turn } from './model.ts';

const NO_TOUCH = '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n';
const NOTE = '---\nevent: bash\nwords: [echo]\n---\nNoted before {command}.\n';

let home: Home;
beforeEach(() => {
  home = makeHome();
});
afterEach(async () => {
  const left = await home.remove();
  if (left.length > 0) throw new Error(`processes left: ${left.join('\n')}`);
});

const runsLeft = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('fairlead-run-'));

/** A run of the real client, as a job starts it: no terminal, nobody to ask. */
async function run(main: readonly Turn[], options: readonly string[], more: readonly string[] = []) {
  const model = await startModel({ main });
  const child = spawn(
    process.execPath,
    [
      ...[join(CHECKOUT, 'bin', 'fairlead'), 'run', ...options, '--', clientProgram()],
      ...['-p', 'Go on.', '--allowedTools', 'Bash', ...more],
    ],
    {
      cwd: home.project,
      env: {
        ...home.env,
        SHELL: '/bin/bash',
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CODE_TMPDIR: join(home.dir, 'tmp'),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    },
  );
  let [stdout, stderr] = ['', ''];
  child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const code = new Promise<number | null>((resolve) => void child.on('close', resolve));
  return {
    child,
    end: async () => {
      const ended = await code;
      model.close();
      return { code: ended, stdout, stderr, results: resultsIn(model.requests) };
    },
  };
}

function policy(rules: Readonly<Record<string, string>>): string {
  const dir = join(home.dir, 'policy');
  mkdirSync(join(dir, 'rules'), { recursive: true });
  for (const [name, text] of Object.entries(rules)) writeFileSync(join(dir, 'rules', `${name}.md`), text);
  return dir;
}

it('starts the agent under the policy, reports, and leaves nothing but the report', async () => {
  const before = runsLeft();
  const report = join(home.dir, 'report.json');
  const [echo, touch] = [bash('echo one'), bash('touch made.txt')];
  const own = JSON.stringify({ env: { FROM_COMMAND: 'yes' } });
  const script = [turn(echo), turn(touch), turn(bash('echo $FROM_COMMAND')), say('All done.')];
  const started = await run(
    script,
    ['--policy', policy({ 'no-touch': NO_TOUCH, note: NOTE }), '--report', report],
    ['--settings', own],
  );
  const { code, stdout, stderr, results } = await started.end();
  expect([code, stdout.trim()], stderr).toEqual([0, 'All done.']);
  expect(results.get(touch.id)).toMatchObject({
    failed: true,
    text: expect.stringContaining('Not by `touch made.txt`'),
  });
  // Settings that the command itself brings hold too.
  expect([...results.values()].map(({ text }) => text)).toContain('yes');
  expect(existsSync(join(home.project, 'made.txt'))).toBe(false);
  expect(stderr).toMatch(
    /fairlead: \d+ events: 1 stopped, 0 asked about, 2 noted\n {2}deny {2}user\/no-touch {2}touch made\.txt\n/,
  );
  const told = JSON.parse(readFileSync(report, 'utf8')) as RunReport;
  expect(told).toMatchObject({ agent: 'claude-code', exitCode: 0, stopped: 1, asked: 0, noted: 2, failures: [] });
  expect(told.decisions.filter(({ outcome }) => outcome === 'deny')).toMatchObject([
    { event: 'tool.before', what: 'touch made.txt', rules: 'user/no-touch', reason: expect.stringContaining('Not by') },
  ]);
  for (const path of ['.claude/settings.json', '.local/state/fairlead', '.config/fairlead', 'project/.claude'])
    expect(existsSync(join(home.dir, path)), path).toBe(false);
  expect(runsLeft()).toEqual(before);
});

it('holds a signed policy in a project whose own settings switch hooks off', async () => {
  const shared = join(home.project, '.claude', 'settings.json');
  mkdirSync(join(home.project, '.claude'), { recursive: true });
  writeFileSync(shared, JSON.stringify({ disableAllHooks: true, env: { FAIRLEAD_DISABLED: '1' } }));
  const file = join(home.dir, 'acme.json');
  writeFileSync(file, signed({ files: { 'rules/no-touch.md': NO_TOUCH } }));
  const touch = bash('touch made.txt');
  const started = await run([turn(touch), say('All done.')], ['--policy', file, '--key', KEYS.public]);
  const { code, stderr, results } = await started.end();
  expect(code, stderr).toBe(0);
  expect(results.get(touch.id)).toMatchObject({ failed: true, text: expect.stringContaining('Not by `touch') });
  expect(stderr).toMatch(/1 stopped[^]*team\/no-touch/);
  expect(existsSync(join(home.dir, '.local/state/fairlead'))).toBe(false);
});

it('hands a signal on, and ends what it started', async () => {
  const before = runsLeft();
  const [asked, ask] = promised();
  // The model never answers; the agent waits for it until it is told to end.
  const started = await run([{ ...say('Never.'), first: () => (ask(), promised()[0]) }], []);
  await asked;
  started.child.kill('SIGTERM');
  const { code } = await started.end();
  expect(code).toBe(143);
  expect(runsLeft()).toEqual(before);
});

function promised(): [Promise<void>, () => void] {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return [promise, resolve];
}

it('starts nothing under a policy that cannot be read', async () => {
  const started = await run([say('Done.')], ['--policy', policy({ broken: '---\nevent: nothing\n---\nNo.\n' })]);
  const { code, stderr, stdout } = await started.end();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/nothing was started:\n {2}rules\/broken\.md:2: /);
});
