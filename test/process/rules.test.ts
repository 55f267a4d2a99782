import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recorded } from '../fixtures/claude-code.ts';
import { inPersonTerminal } from '../person-terminal.ts';
import { plantCode, sharedProduct } from './product.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const product = sharedProduct();
const BIN = product.launcher;
let home: string;
let project: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-rules-')));
  project = join(home, 'project');
  put('project/package.json', '{}');
  plantCode(product, join(home, 'fairlead/state'));
});
afterEach(() => removeTree(home));

function put(path: string, text: string): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(args: readonly string[], input = ''): Ran {
  const env = { PATH: process.env['PATH'], HOME: home, FAIRLEAD_HOME: join(home, 'fairlead') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: project,
    env,
    input,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

/** The verb as a person at a terminal of their own runs it. */
function asPerson(args: string, typed = ''): Promise<{ code: number; screen: string }> {
  return inPersonTerminal(
    `cd '${project}' && HOME='${home}' FAIRLEAD_HOME='${join(home, 'fairlead')}' '${process.execPath}' '${BIN}' ${args}`,
    typed,
  );
}

/** What the agent is told about a command, as it was recorded but for the command and the place. */
function answerTo(command: string): string {
  const payload = {
    ...recorded('PreToolUse/bash.json'),
    cwd: project,
    tool_input: { command },
    tool_use_id: `id-${command}-${Math.random()}`,
  };
  const { code, out, err } = run(
    ['hook', '--agent', 'claude-code', '--direct', '--home', join(home, 'fairlead')],
    JSON.stringify(payload),
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out;
}

const RULE = `---
name: no-deploy
event: bash
words: [deploy]
pattern: \\bdeploy\\b
action: deny
examples:
  deny: [make deploy]
  pass: [make deployment-docs]
---
No \`{match}\` from here.
`;

describe('rules without code', () => {
  it('are written, tested, switched off by a person only, and heard by the agent', async () => {
    const line = ['--command', 'npm publish*', '--deny', 'The release workflow does that.', '--mode', 'enforce'];
    expect(run(['rules', 'new', 'mine', '--user', ...line])).toMatchObject({
      code: 0,
      out: expect.stringContaining('rules/mine.md'),
    });
    expect(run(['rules', 'test', 'user/mine'])).toMatchObject({ code: 0 });
    expect(answerTo('npm publish')).toContain('release workflow');
    expect(answerTo('npm test')).toBe('');

    expect(run(['rules', 'disable', 'user/mine'])).toMatchObject({ code: 3, out: '' });
    expect(existsSync(join(home, 'fairlead/config/config.yaml'))).toBe(false);

    expect(await asPerson('rules disable user/mine')).toMatchObject({
      code: 0,
      screen: expect.stringContaining('enforce → off'),
    });
    expect(readFileSync(join(home, 'fairlead/config/config.yaml'), 'utf8')).toBe('rules:\n  user/mine: off\n');
    expect(answerTo('npm publish')).not.toContain('release workflow');

    expect(run(['rules', 'enable', 'user/mine'])).toMatchObject({ code: 0 });
    expect(answerTo('npm publish')).toContain('release workflow');
  });

  it('of a project wait until a person has seen and accepted them', async () => {
    const path = put('project/.fairlead/rules/no-deploy.md', RULE);
    expect(run(['rules', 'test', 'project/no-deploy'])).toMatchObject({ code: 0 });
    expect(answerTo('make deploy')).toBe('');
    expect(run(['trust', '--yes'])).toMatchObject({ code: 3, out: '' });

    expect(await asPerson('trust', 'n\n')).toMatchObject({ code: 1 });
    expect(answerTo('make deploy')).toBe('');

    const accepted = await asPerson('trust', 'y\n');
    expect(accepted).toMatchObject({ code: 0 });
    expect(accepted.screen).toContain('No `{match}` from here.\r\n');
    expect(answerTo('make deploy')).toContain('No `deploy` from here.');

    writeFileSync(path, RULE.replace('No `', 'Never `'));
    expect(answerTo('make deploy')).toBe('');
    expect((await asPerson('trust --yes')).screen).toContain('changed: rules/no-deploy.md');
    expect(answerTo('make deploy')).toContain('Never `deploy`');

    expect(run(['untrust'])).toMatchObject({ code: 3 });
    expect(await asPerson('untrust')).toMatchObject({ code: 0 });
    expect(answerTo('make deploy')).toBe('');
  });

  it('of a project are in force at once when a person writes them, and wait when an agent does', async () => {
    const line = "--command 'make deploy' --deny 'CI deploys.' --mode enforce";
    expect(await asPerson(`rules new ours ${line}`)).toMatchObject({ code: 0 });
    expect(answerTo('cd x && make deploy')).toContain('CI deploys.');
    expect(answerTo('git commit -m "make deploy"')).toBe('');
    const byAgent = ['rules', 'new', 'theirs', '--command', 'make build', '--deny', 'No.', '--mode', 'enforce'];
    expect(run(byAgent)).toMatchObject({ code: 0, out: expect.stringContaining('fairlead trust') });
    expect(answerTo('make build')).toBe('');
  });

  it('are silent while everything is off, which a person only can do', async () => {
    put('fairlead/config/rules/no-deploy.md', RULE);
    expect(run(['off'])).toMatchObject({ code: 3 });
    expect(answerTo('make deploy')).toContain('No `deploy`');
    expect(await asPerson('off --for 1h')).toMatchObject({ code: 0, screen: expect.stringContaining('until') });
    expect(answerTo('make deploy')).toBe('');
    expect(run(['on'])).toMatchObject({ code: 0 });
    expect(answerTo('make deploy')).toContain('No `deploy`');
  });

  it('say what a person made of their words', async () => {
    put('fairlead/config/rules/no-deploy.md', RULE);
    expect(run(['message', 'edit', 'user/no-deploy', '--text', 'x'])).toMatchObject({ code: 3 });
    expect(await asPerson(`message edit user/no-deploy --text 'Ask Ann about {match}.'`)).toMatchObject({ code: 0 });
    expect(answerTo('make deploy')).toContain('Ask Ann about \\"deploy\\".');
    expect(await asPerson(`message edit user/no-deploy --text 'Ask {who}.'`)).toMatchObject({
      code: 1,
      screen: expect.stringContaining('nothing fills {who}'),
    });
    expect(answerTo('make deploy')).toContain('No `deploy`');
    expect(await asPerson('message reset user/no-deploy')).toMatchObject({ code: 0 });
    expect(JSON.parse(run(['message', 'list', '--rule', 'user/no-deploy', '--json']).out)).toMatchObject({
      messages: [{ source: 'rule file', status: 'ok' }],
    });
  });

  it('advise no paused session, and protect it still', async () => {
    put('fairlead/config/rules/no-deploy.md', RULE);
    put(
      'fairlead/config/rules/hint.md',
      RULE.replace('no-deploy', 'hint').replaceAll('deploy', 'build').replaceAll('deny', 'note'),
    );
    expect(answerTo('make build')).toContain('No `build`');
    expect(await asPerson('pause')).toMatchObject({ code: 0, screen: expect.stringContaining('is paused') });
    expect(answerTo('make build')).toBe('');
    expect(answerTo('make deploy')).toContain('No `deploy`');
    expect(run(['resume'])).toMatchObject({ code: 0 });
    expect(answerTo('make build')).toContain('No `build`');
  });
});

describe('wrong usage', () => {
  it.each([
    [['rules', 'show', 'basics/conflict-maker'], 2, 'did you mean "basics/conflict-marker"?'],
    [
      ['rules', 'list', '--pac', 'x'],
      2,
      'unknown option \'--pac\'; did you mean "--pack"?\n`fairlead help rules list` explains it.',
    ],
    [['rules', 'lst'], 2, 'did you mean "rules list"?'],
    [['rules', 'new'], 2, 'expected <name>'],
    [['message', 'show', 'basics/conflict-marker', 'lft'], 2, 'did you mean "left"?'],
    [['trust', 'a', 'b'], 2, 'unexpected argument: b'],
    [['resume', '--session', 'none'], 1, 'no session "none"'],
  ])('%j', (args, code, message) => {
    const ran = run(args);
    expect(ran).toMatchObject({ code, out: '' });
    expect(ran.err).toContain(message);
  });
});

it('fails the test of a rule whose examples do not hold', () => {
  put('fairlead/config/rules/wrong.md', RULE.replace('no-deploy', 'wrong').replace('make deploy]', 'make build]'));
  put('fairlead/config/rules/broken.md', '---\nevent: bsh\n---\nx\n');
  const ran = run(['rules', 'test']);
  expect(ran.code).toBe(1);
  expect(ran.out).toMatch(/user\/wrong/);
  expect(ran.out).toMatch(/broken\.md/);
});

it('explains the hook verb without waiting for an event', () => {
  for (const flag of ['--help', '-h']) {
    const { code, out } = run(['hook', flag]);
    expect(code).toBe(0);
    for (const option of ['--agent NAME', '--event NAME', '--direct', '--home DIR', '--config DIR', '--state DIR'])
      expect(out).toContain(option);
  }
  // An agent is named, so this is an event, and an empty one.
  const event = run(['hook', '--agent', 'claude-code', '--direct', '--help'], '');
  expect(event).toMatchObject({ code: 0, out: expect.stringContaining('it is empty'), err: '' });
});
