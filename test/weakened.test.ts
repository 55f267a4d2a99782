import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { accept } from '../src/cli/commands/accept.ts';
import { doctor } from '../src/cli/commands/doctor.ts';
import { add } from '../src/cli/commands/exception.ts';
import { disable, enable, mode } from '../src/cli/commands/rules-set.ts';
import { fakeWorld } from '../src/cli/world.fixture.ts';
import type { FakeWorld } from '../src/cli/world.fixture.ts';
import { openWorld } from '../src/packs/world.fixture.ts';
import type { World } from '../src/packs/world.fixture.ts';
import { cellId } from '../src/state/cells.ts';

let world: World;
let cli: FakeWorld;
beforeEach(() => {
  world = openWorld();
  cli = fakeWorld({ home: world.home, cwd: world.root, answer: true });
});
afterEach(() => {
  cli.close();
  world.close();
});

const CHANGED = '[fairlead] Something other than its verbs changed what it guards';
const RULE = '---\nname: no-deploy\nevent: bash\nwords: [deploy]\naction: deny\n---\nNo.\n';

function put(path: string, text: string): string {
  const full = join(world.paths.config, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

/** What the person hears with the next event, after the engine had time to look at its settings. */
async function heard(): Promise<string> {
  await world.pass(2_000);
  const { warn } = await world.before('Bash', { command: 'ls' });
  await world.pass(10);
  return warn;
}

async function found(): Promise<string> {
  cli.printed.out = '';
  await cli.run(doctor);
  return cli.printed.out;
}

it.each<[what: string, config: string, line: string]>([
  ['a rule switched off', 'rules:\n  guard/git: off\n', 'guard/git is off, was save'],
  ['a rule that only advises', 'rules:\n  guard/catastrophe: advise\n', 'guard/catastrophe is advise, was enforce'],
  ['a pack switched off', 'packs:\n  guard: off\n', 'guard/catastrophe is off, was enforce'],
  ['a ceiling for a pack', 'packs:\n  guard: shadow\n', 'guard/catastrophe is shadow, was enforce'],
  [
    'other options of a guard',
    'rules:\n  guard/catastrophe:\n    options:\n      leave: [run-remote]\n',
    'guard/catastrophe has other options',
  ],
  ['a breaker that opens at once', 'breaker:\n  failures: 1\n', 'the breaker has other limits'],
  [
    'somebody who gets the record',
    'telemetry:\n  otlp:\n    endpoint: https://evil.example/path\n',
    'decisions are sent to https://evil.example',
  ],
])('%s is noticed at the next event, said once, and by doctor until it is accepted', async (_, config, line) => {
  expect(await heard()).toBe('');
  put('config.yaml', config);
  const said = await heard();
  expect(said).toContain(CHANGED);
  expect(said).toContain(line);
  expect(said.split('\n').length).toBeLessThanOrEqual(3);
  expect(await heard()).toBe('');
  world.restart();
  expect(await heard(), 'another process').toBe('');
  expect((await world.prompt('go on', { session_id: 'another' })).warn, 'another session').not.toContain(CHANGED);
  expect(await found()).toContain(`${line}.`);

  expect(await cli.run(accept)).toBe(0);
  expect(cli.printed.out).toContain(line);
  expect(cli.asked).toHaveLength(1);
  expect(await found()).not.toContain(line);
  expect(await heard()).toBe('');
  put('config.yaml', `${config}# the same\n`);
  expect(await heard()).toBe('');
});

it('says again what is weakened further', async () => {
  put('config.yaml', 'rules:\n  guard/git: advise\n');
  expect(await heard()).toContain('guard/git is advise, was save');
  put('config.yaml', 'rules:\n  guard/git: off\n');
  expect(await heard()).toContain('guard/git is off, was save');
});

it('what protects more, or gives less advice, is nobody’s concern, and is noticed when it goes', async () => {
  put('config.yaml', 'rules:\n  guard/git: enforce\n  basics/conflict-marker: off\n');
  const rule = put('rules/no-deploy.md', RULE);
  expect(await heard()).toBe('');
  rmSync(rule);
  expect(await heard()).toContain('rules/no-deploy.md is gone');
  put('rules/no-deploy.md', RULE.replace('deny', 'note'));
  expect(await heard()).toContain('rules/no-deploy.md has another text');
  put('rules/no-deploy.md', RULE);
  put('config.yaml', 'rules:\n  basics/conflict-marker: off\n');
  expect(await heard()).toContain('guard/git is save, was enforce');
  rmSync(world.paths.config, { recursive: true });
  expect(await heard()).toContain('rules/no-deploy.md is gone');
});

it('the verbs accept what they change, and nothing that was changed before', async () => {
  await cli.run(disable, 'guard/git');
  await cli.run(mode, 'guard/files', 'advise');
  expect(await heard()).toBe('');
  put('config.yaml', 'rules:\n  guard/git: off\n  guard/files: advise\n  guard/secrets: off\n');
  expect(await heard()).toContain('guard/secrets is off, was ask');
  await cli.run(enable, 'basics');
  await cli.run(mode, 'guard/git', 'shadow');
  const report = await found();
  expect(report).toContain('guard/secrets is off, was ask');
  expect(report).not.toMatch(/guard\/(git|files) is/);
});

it('a project that is trusted by another hand', async () => {
  world.put('.fairlead/rules/a.md', RULE);
  world.trust();
  expect(await heard()).toBe('');
  const record = join(world.paths.state, 'trust.json');
  writeFileSync(record, JSON.stringify({ version: 1, projects: { '/elsewhere': { digest: 'x', acceptedAt: 1 } } }));
  const said = await heard();
  expect(said).toContain('/elsewhere is trusted, with what it brings');
  expect(said).toContain(`${world.root} is no longer trusted`);
  expect(await found()).toContain('/elsewhere is trusted, with what it brings.');
});

it('without its record nothing counts as accepted', async () => {
  await cli.run(disable, 'guard/git');
  expect(await heard()).toBe('');
  rmSync(join(world.paths.state, 'accepted.json'));
  expect(await heard()).toContain('guard/git is off, was save');
});

it('an exception that no verb added has no effect, and is told', async () => {
  const id = cellId('workspace', world.root, 'exceptions');
  const forged = [{ id: 'x1', rules: ['guard/git'], since: 0, until: world.now + 3_600_000 }];
  const { store } = world.engine;
  store.commit({
    reads: new Map(),
    changes: [{ op: 'set', id, value: JSON.stringify(forged), expires: 0 }],
    now: world.now,
  });
  expect(await heard()).toContain('exception x1 is not from `rules mode` and has no effect');
  expect(await heard()).toBe('');
  expect((await world.before('Bash', { command: 'git reset --hard' })).action).toBe('ask');
  expect(await found()).toContain('Exception x1');
});

it('an exception that the verb added has', async () => {
  await cli.run(add, 'guard/git', '--for', '300d');
  expect((await world.before('Bash', { command: 'git reset --hard' })).action).toBe('pass');
  expect(await heard()).toBe('');
});

it('nobody who says no accepts anything', async () => {
  put('config.yaml', 'rules:\n  guard/git: off\n');
  const other = fakeWorld({ home: world.home, cwd: world.root, answer: false });
  expect(await other.run(accept)).toBe(1);
  other.close();
  expect(await found()).toContain('guard/git is off, was save.');
});
