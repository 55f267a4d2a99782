import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHECKOUT, clientProgram, makeHome } from './home.ts';
import type { Home } from './home.ts';
import { bash, call, say, turn } from './model.ts';
import { denialOf, heardInAll, runSession } from './session.ts';
import { flawsOf } from './flaws.ts';

const RULES = {
  start: '---\nevent: session.start\n---\nNoted at the start.\n',
  prompt: '---\nevent: prompt\n---\nNoted at the prompt.\n',
  before: '---\nevent: bash\nwords: [echo]\n---\nNoted before {command}.\n',
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n',
};

let top: string;
let home: Home;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-plugin-')));
  home = makeHome();
  for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
});
afterEach(async () => {
  const left = await home.remove();
  rmSync(top, { recursive: true });
  if (left.length > 0) throw new Error(`processes left: ${left.join('\n')}`);
});

/** The package as npm lays it down; without what it is built from, only what a clone of the repository has of the plugin. */
function packageAt(dir: string, isBuilt = true): string {
  const parts = ['.claude-plugin', 'plugin', 'package.json', ...(isBuilt ? ['bin', 'dist'] : [])];
  for (const part of parts) cpSync(join(CHECKOUT, part), join(dir, part), { recursive: true });
  if (isBuilt) symlinkSync(join(CHECKOUT, 'node_modules'), join(dir, 'node_modules'));
  return dir;
}

/** A verb of the real client, with no network. */
function claude(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(clientProgram(), args, {
    cwd: home.project,
    env: { ...home.env, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', HTTPS_PROXY: 'http://127.0.0.1:9' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`claude ${args.join(' ')} exited with ${status}: ${stdout}${stderr}`);
  return stdout;
}

function install(from: string): void {
  claude('plugin', 'marketplace', 'add', from);
  claude('plugin', 'install', 'fairlead@fairlead');
}

/** What of the client's own names the plugin. Its copy of one that was taken out stays for days, and is marked as waste. */
function leftOfPlugin(): string[] {
  const dir = join(home.dir, '.claude');
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const isWaste = (path: string) =>
    files.some((each) => each.endsWith('.orphaned_at') && path.startsWith(dirname(each)));
  const isRecord = (path: string) => /\/(projects|backups|shell-snapshots)\/|-cache\.json$/.test(path);
  return files.filter((path) => !isRecord(path) && !isWaste(path) && readFileSync(path, 'utf8').includes('fairlead'));
}

const TOLD = [
  'SessionStart hook additional context: [user/start] Noted at the start.',
  'UserPromptSubmit hook additional context: [user/prompt] Noted at the prompt.',
  'PreToolUse:Bash hook additional context: [user/before] Noted before "echo one".',
];

function decided(id: string): string[] {
  return home
    .ledger()
    .filter(({ toolUse, event }) => toolUse === id && event === 'tool.before')
    .map(({ action, copy }) => `${action}${copy ? ', a copy' : ''}`);
}

it('is accepted by the client, to the last warning', () => {
  for (const dir of [CHECKOUT, join(CHECKOUT, 'plugin')])
    expect(claude('plugin', 'validate', '--strict', dir)).toContain('Validation passed');
});

describe.each([
  ['what `init` has installed', true, false],
  ['the package beside it', false, true],
])('with %s', (_name, isInstalled, isBuilt) => {
  it('calls once on each event, offers the tools and the commands, and leaves nothing', async () => {
    install(packageAt(join(top, 'package'), isBuilt));
    if (isInstalled) {
      // The plugin is there already, so that no hooks are written.
      expect(home.fairlead('init', '--agent', 'claude-code', '--yes')).toContain('Nothing to do');
      expect(existsSync(join(home.project, '.claude', 'settings.local.json'))).toBe(false);
    }
    const echo = bash('echo one');
    const touch = bash('touch made.txt');
    const why = bash('fairlead explain --last');
    const graph = call('mcp__plugin_fairlead_fairlead__graph', { action: 'status' });
    const session = await runSession(home, {
      script: { main: [turn(echo), turn(touch), turn(why), turn(graph), say('Done.'), say('Told.'), say('Told.')] },
      prompts: ['Go on.', '/fairlead:why', '/fairlead:pause'],
      args: ['--allowedTools', 'mcp__plugin_fairlead_fairlead__graph'],
    });
    expect(flawsOf(session, home)).toEqual([]);
    expect(heardInAll(session).slice(0, 3)).toEqual(TOLD);
    expect(session.results.get(touch.id)).toEqual({
      failed: true,
      text: expect.stringMatching(denialOf('[user/no-touch] Not by `touch made.txt`.')),
    });
    expect(existsSync(join(home.project, 'made.txt'))).toBe(false);
    // The plugin's program is on the PATH of commands.
    expect(session.results.get(why.id)).toMatchObject({ failed: false, text: expect.stringContaining('no-touch') });
    expect(session.results.get(graph.id)).toMatchObject({ failed: false });
    const [last = ''] = session.requests.slice(-1).map(({ raw }) => raw);
    expect(last).toContain('fairlead explain --last');
    expect(last).toContain(`fairlead pause --session ${session.id}`);
    for (const name of ['why', 'new-rule', 'remember', 'wrap-up', 'remind', 'undo'])
      expect(session.requests[0]?.raw).toContain(`fairlead:${name}`);
    await home.stopDaemon();
    expect(decided(echo.id)).toEqual(['pass']);
    expect(decided(touch.id)).toEqual(['deny']);

    claude('plugin', 'uninstall', 'fairlead@fairlead');
    claude('plugin', 'marketplace', 'remove', 'fairlead');
    expect(leftOfPlugin()).toEqual([]);
    const after = bash('touch after.txt');
    const { results } = await runSession(home, { script: { main: [turn(after), say('Done.')] } });
    expect(results.get(after.id)).toMatchObject({ failed: false });
    await home.stopDaemon();
    expect(decided(after.id)).toEqual([]);
  });
});

it('beside hooks in the settings each call is decided once, and doctor says which to take out', async () => {
  await home.init('command');
  install(packageAt(join(top, 'package'), false));
  const findings = home.findings().map(({ what, next }) => [what, next]);
  expect(findings).toContainEqual([
    expect.stringContaining('calls Fairlead twice'),
    'fairlead uninstall --scope local',
  ]);
  const echo = bash('echo one');
  const touch = bash('touch made.txt');
  const session = await runSession(home, { script: { main: [turn(echo), turn(touch), say('Done.')] } });
  expect(heardInAll(session)).toEqual(TOLD);
  expect(session.results.get(touch.id)).toMatchObject({ failed: true });
  await home.stopDaemon();
  expect(decided(echo.id)).toEqual(['pass', 'pass, a copy']);
  expect(decided(touch.id)).toEqual(['deny', 'deny, a copy']);
});

it('asks about the first call of a session where no Fairlead is, and tells how to get one', async () => {
  install(packageAt(join(top, 'package'), false));
  mkdirSync(join(home.project, 'bin'), { recursive: true });
  cpSync('/bin/true', join(home.project, 'bin', 'fairlead'));
  const [first, later] = [bash('touch a'), bash('touch b')];
  const { results } = await runSession(home, {
    script: { main: [turn(first), turn(later), say('Done.')] },
    env: { PATH: `${join(home.project, 'bin')}:${home.env['PATH']}` },
  });
  // Nobody can be asked here, which the client takes for a no. A program that the project puts on PATH is not ours.
  expect(results.get(first.id)).toMatchObject({
    failed: true,
    text: expect.stringContaining('npm install -g fairlead'),
  });
  expect(results.get(later.id)).toMatchObject({ failed: false });
  claude('plugin', 'uninstall', 'fairlead@fairlead');
  claude('plugin', 'marketplace', 'remove', 'fairlead');
  expect(leftOfPlugin()).toEqual([]);
});
