import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recorded } from '../fixtures/claude-code.ts';
import { lacks } from '../lacking.ts';
import { inPersonTerminal } from '../person-terminal.ts';
import { plantCode, sharedProduct } from './product.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const product = sharedProduct();
const BIN = product.launcher;
const RULE = '---\nevent: bash\nwords: [deploy]\naction: deny\nmode: enforce\n---\nNo deploy from here.\n';
let home: string;
let project: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-judge-')));
  project = join(home, 'project');
  put('project/package.json', '{}');
  put('fairlead/config/rules/no-deploy.md', RULE);
  plantCode(product, join(home, 'fairlead/state'));
});
afterEach(() => removeTree(home));

function put(path: string, text: string): void {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

function run(args: readonly string[], input = '') {
  const env = { PATH: process.env['PATH'], HOME: home, FAIRLEAD_HOME: join(home, 'fairlead') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: project,
    env,
    input,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

function asPerson(args: string, typed = ''): Promise<{ code: number; screen: string }> {
  return inPersonTerminal(
    `cd '${project}' && HOME='${home}' FAIRLEAD_HOME='${join(home, 'fairlead')}' '${process.execPath}' '${BIN}' ${args}`,
    typed,
  );
}

/** Each command in a process of its own, as an agent announces it. */
function announce(...commands: readonly string[]): void {
  for (const command of commands) {
    const payload = {
      ...recorded('PreToolUse/bash.json'),
      cwd: project,
      tool_input: { command },
      tool_use_id: command,
    };
    const args = ['hook', '--agent', 'claude-code', '--direct', '--home', join(home, 'fairlead')];
    expect(run(args, JSON.stringify(payload))).toMatchObject({ code: 0, err: '' });
  }
}

interface Open {
  readonly decision: string;
  readonly what: string;
}

function open(): readonly Open[] {
  const { code, out } = run(['rules', 'stops', '--json']);
  expect(code).toBe(0);
  return (JSON.parse(out) as { open: readonly Open[] }).open;
}

describe.skipIf(lacks('script'))('rules judge', () => {
  it('asks a person one by one, keeps each answer, and asks for the rest the next time', async () => {
    announce('make deploy', 'make deploy-docs', 'npm run deploy', 'git commit -m deploy');
    expect(open()).toHaveLength(4);
    // What is no answer is asked again, and what is typed ahead belongs to the next question.
    const first = await asPerson('rules judge', 'perhaps\ny\nN\nquit\n');
    expect(first).toMatchObject({ code: 0 });
    expect(first.screen).toContain('1/4');
    expect(first.screen).toContain('git commit -m deploy');
    expect(first.screen).toContain('No deploy from here.');
    expect(first.screen).toContain('2 stops judged: 1 right, 1 wrong. 2 still open.');
    expect(open().map(({ what }) => what)).toEqual(['make deploy-docs', 'make deploy']);
    // The end of input is no answer.
    const ended = await asPerson('rules judge', '\u0004');
    expect(ended).toMatchObject({ code: 0, screen: expect.stringContaining('0 stops judged') });

    const rest = await asPerson('rules judge', 'no\nn\n');
    expect(rest.screen).toContain('fairlead rules mode user/no-deploy ask');
    expect(open()).toEqual([]);
    const { rules } = JSON.parse(run(['stats', '--json']).out) as { rules: { rule: string; judged: object }[] };
    expect(rules.find(({ rule }) => rule === 'user/no-deploy')?.judged).toEqual({
      right: 1,
      wrong: 3,
      precision: 0.25,
    });
    expect(run(['stats']).out).toMatch(/^rule .* right .*\nuser\/no-deploy .* 25 %$/m);
  });

  it('is for a person alone, one by one and by id; anybody may read what is open', async () => {
    announce('make deploy');
    const [stop] = open();
    const id = stop?.decision ?? '';
    expect(run(['rules', 'judge'])).toMatchObject({ code: 3, out: '' });
    expect(run(['rules', 'judge', id, 'wrong'])).toMatchObject({
      code: 3,
      err: expect.stringContaining(`fairlead rules judge ${id} wrong`),
    });
    expect(open()).toHaveLength(1);
    expect(run(['rules', 'judge', '--json'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('rules stops --json'),
    });
    expect(await asPerson(`rules judge ${id} wrong`)).toMatchObject({ code: 0 });
    expect(open()).toEqual([]);
  });
});

describe.skipIf(lacks('script'))('rules promote', () => {
  it('raises a rule when a person says so', async () => {
    put('fairlead/config/rules/no-deploy.md', RULE.replace('enforce', 'shadow'));
    announce('make deploy');
    const config = () => readFileSync(join(home, 'fairlead/config/config.yaml'), 'utf8');
    const shown = await asPerson('rules promote no-deploy', 'n\n');
    expect(shown).toMatchObject({ code: 1 });
    expect(shown.screen).toContain('1 × deny, in shadow: nobody was told');
    expect(shown.screen).toContain('make deploy');
    expect(await asPerson('rules promote no-deploy', 'y\n')).toMatchObject({ code: 0 });
    expect(config()).toBe('rules:\n  user/no-deploy: advise\n');
    expect(run(['rules', 'promote', 'no-deploy'])).toMatchObject({ code: 2 });
    expect(run(['rules', 'promote', 'no-deploy', '--yes'])).toMatchObject({ code: 0 });
    expect(config()).toBe('rules:\n  user/no-deploy: ask\n');
  });
});
