import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEngine } from '../../src/assembly/open-engine.ts';
import type { OpenedEngine } from '../../src/assembly/open-engine.ts';
import { systemOutside } from '../../src/platform/outside.ts';
import { answer } from '../../src/transport/answer.ts';
import { recorded } from '../fixtures/claude-code.ts';
import { lacks } from '../lacking.ts';

let dir: string;
let project: string;
let engine: OpenedEngine;
const at = (path: string) => join(dir, path);

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-own-')));
  project = at('project');
  for (const each of [
    'project/.git',
    'dots/config/fairlead',
    '.local/state/fairlead',
    'opt/fl/dist',
    'opt/fl/bin',
    'm',
  ])
    mkdirSync(at(each), { recursive: true });
  symlinkSync(at('dots/config'), at('.config'));
  writeFileSync(at('dots/config/fairlead/config.yaml'), '{}\n');
  writeFileSync(at('opt/fl/bin/fairlead'), '');
  const paths = {
    config: at('.config/fairlead'),
    state: at('.local/state/fairlead'),
    run: at('.local/state/fairlead/run'),
  };
  const outside = { ...systemOutside, program: { version: 'x', dir: at('opt/fl/dist') } };
  engine = openEngine({ paths, userHome: dir, resident: false, keeps: 'trial', outside });
});
afterEach(() => {
  engine.close();
  rmSync(dir, { recursive: true });
});

let calls = 0;

async function decide(command: string): Promise<string> {
  const payload = {
    ...recorded('PreToolUse/bash.json'),
    tool_use_id: `t${(calls += 1)}`,
    cwd: project,
    tool_input: { command: command.replaceAll('HOME', dir) },
  };
  const body = new TextEncoder().encode(JSON.stringify(payload));
  const request = { agent: 'claude-code', body, size: body.length, cwd: project, home: dir, env: {} };
  const { stdout } = await answer(request, engine);
  if (stdout === '') return 'pass';
  const { permissionDecision, permissionDecisionReason } = (
    JSON.parse(stdout) as { hookSpecificOutput: Record<string, string> }
  ).hookSpecificOutput;
  return `${permissionDecision}${/which Fairlead is made of|may change/.test(permissionDecisionReason ?? '') ? ' own' : ''}`;
}

it.each<[string, string]>([
  ['echo > HOME/.config/fairlead/config.yaml', 'deny own'],
  ['echo > HOME/dots/config/fairlead/config.yaml', 'deny own'],
  ['rm -rf HOME/dots', 'deny own'],
  ['mv HOME/dots/config /tmp/x', 'deny own'],
  ['echo > HOME/opt/fl/dist/hook.js', 'deny own'],
  ['sed -i s/a/b/ HOME/opt/fl/bin/fairlead', 'deny own'],
  ['rm -rf HOME/opt', 'deny own'],
  ['cp -r /tmp/fl HOME/opt', 'ask own'],
  ['strip HOME/opt/fl/dist/fairlead-client', 'ask own'],
  ['touch HOME/opt/fl/README.md', 'deny own'],
  ['touch HOME/opt/README.md', 'pass'],
  ['echo > HOME/dots/config/other', 'pass'],
])('%s: %s', async (command, verdict) => {
  expect(await decide(command)).toBe(verdict);
});

it('links that are there already', async () => {
  symlinkSync(at('.config/fairlead'), join(project, 'x'));
  symlinkSync(at('dots'), join(project, 'y'));
  linkSync(at('dots/config/fairlead/config.yaml'), join(project, 'twin'));
  symlinkSync(at('opt/fl/dist'), join(project, 'z'));
  for (const command of [
    'echo > x/config.yaml',
    'rm -rf x/*',
    'echo > y/config/fairlead/config.yaml',
    'sed -i s/a/b/ twin',
    'echo > z/hook.js',
    'echo > z/../bin/fairlead',
    'mv z z2; echo > z2/hook.js',
  ])
    expect(await decide(command), command).toBe('deny own');
  expect(await decide('yq -i . y/config/fairlead/config.yaml')).toBe('ask own');
  expect(await decide('rm x')).toBe('pass');
  expect(await decide('rm twin')).toBe('pass');
});

it.skipIf(lacks('mount', 'root'))('a second name by a mount', async () => {
  expect(spawnSync('mount', ['--bind', at('dots/config'), at('m')]).status).toBe(0);
  try {
    expect(await decide('echo > HOME/m/fairlead/config.yaml')).toBe('deny own');
    expect(await decide('echo > HOME/m/other')).toBe('pass');
  } finally {
    spawnSync('umount', [at('m')]);
  }
});

it('the workspace of whoever works on the program itself', async () => {
  renameSync(at('opt/fl'), join(project, 'fl'));
  engine.close();
  const outside = { ...systemOutside, program: { version: 'x', dir: join(project, 'fl/dist') } };
  engine = openEngine({ paths: engine.paths, userHome: dir, resident: false, keeps: 'trial', outside });
  expect(await decide('echo > fl/dist/hook.js')).toBe('deny own');
  expect(await decide('rm -rf fl')).toBe('deny own');
  for (const command of ['tar xf x.tar', 'cp -r /tmp/e/. .', 'echo > fl/src/a.ts', 'npm run build'])
    expect(await decide(command), command).toBe('pass');
  expect(await decide('git checkout -- .')).not.toContain('own');
});
