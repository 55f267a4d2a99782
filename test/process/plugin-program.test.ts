import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PLUGIN = join(import.meta.dirname, '..', '..', 'plugin');
const HOOK = ['hook', '--agent', 'claude-code', '--event', 'PreToolUse'];

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-plugin-program-')));
  cpSync(PLUGIN, join(top, 'package', 'plugin'), { recursive: true });
  for (const dir of ['home', 'project/bin', 'bin']) mkdirSync(join(top, dir), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true }));

/** A program that says its name and its words. */
function put(path: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), `#!/bin/sh\necho ${path} "$@"\n`);
  chmodSync(join(top, path), 0o755);
}

function run(args: readonly string[], more: Record<string, string> = {}): { code: number | null; out: string } {
  const env = {
    HOME: join(top, 'home'),
    PATH: `${join(top, 'project', 'bin')}:${join(top, 'bin')}:/usr/bin:/bin`,
    CLAUDE_PROJECT_DIR: join(top, 'project'),
    CLAUDE_PLUGIN_DATA: join(top, 'home', 'data'),
    CLAUDE_CODE_SESSION_ID: 's1',
    ...more,
  };
  const program = join(top, 'package', 'plugin', 'bin', 'fairlead');
  const { status, stdout } = spawnSync(program, args, { cwd: top, env, input: '{}', encoding: 'utf8' });
  return { code: status, out: stdout.trim() };
}

const PLACE = 'home/.local/state/fairlead/bin/current';
const withPackage = (): void => {
  put('package/bin/fairlead');
  put('package/dist/hook.js');
  put('bin/node');
};

describe('what the plugin starts', () => {
  it('is what init has put into the state, before all else: the native client for hooks', () => {
    for (const path of [`${PLACE}/fairlead`, `${PLACE}/fairlead-client`, 'bin/fairlead']) put(path);
    withPackage();
    const { config, state } = {
      config: join(top, 'home/.config/fairlead'),
      state: join(top, 'home/.local/state/fairlead'),
    };
    expect(run(HOOK).out).toBe(
      `${PLACE}/fairlead-client ${HOOK.join(' ')} --config ${config} --state ${state} --launcher ${join(top, PLACE)}/fairlead`,
    );
    expect(run(['mcp']).out).toBe(`${PLACE}/fairlead mcp`);
  });

  it('is the launcher there where the client is one for Node', () => {
    for (const path of [`${PLACE}/fairlead`, `${PLACE}/fairlead-client`, `${PLACE}/client.cjs`]) put(path);
    expect(run(HOOK).out).toBe(`${PLACE}/fairlead ${HOOK.join(' ')}`);
  });

  it('is the program on PATH, but none of the project and no copy of the plugin', () => {
    put('project/bin/fairlead');
    put('other/bin/fairlead');
    put('other/.claude-plugin/plugin.json');
    withPackage();
    const PATH = `${join(top, 'other/bin')}:${join(top, 'project/bin')}:${join(top, 'bin')}:relative:/usr/bin:/bin`;
    expect(run(HOOK, { PATH }).out).toBe(`bin/node ${join(top, 'package/bin/fairlead')} ${HOOK.join(' ')}`);
    put('bin/fairlead');
    expect(run(HOOK, { PATH }).out).toBe(`bin/fairlead ${HOOK.join(' ')}`);
  });

  it('is found below a home that is the project', () => {
    put('home/npm/bin/fairlead');
    const home = { CLAUDE_PROJECT_DIR: join(top, 'home'), PATH: `${join(top, 'home/npm/bin')}:/usr/bin:/bin` };
    expect(run(['mcp'], home).out).toBe('home/npm/bin/fairlead mcp');
  });
});

describe('where there is none', () => {
  it('the first tool call of each session is asked about, and nothing else', () => {
    const { code, out } = run(HOOK);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: expect.stringMatching(/^Fairlead's plugin is on .*\n.*\n.*npm install -g fairlead/),
      },
    });
    expect(run(HOOK)).toEqual({ code: 0, out: '' });
    expect(run(HOOK, { CLAUDE_CODE_SESSION_ID: 's2' }).out).not.toBe('');
    expect(run(HOOK, { CLAUDE_CODE_SESSION_ID: '../x' }).out).not.toBe('');
    expect(run(['hook', '--agent', 'claude-code', '--event', 'Stop'])).toEqual({ code: 0, out: '' });
    expect(run(HOOK, { FAIRLEAD_DISABLED: '1', CLAUDE_CODE_SESSION_ID: 's3' })).toEqual({ code: 0, out: '' });
  });

  it('an agent that takes a question for a yes is told no', () => {
    const { hookSpecificOutput } = JSON.parse(run(['hook', '--agent', 'codex', '--event', 'PreToolUse']).out) as {
      hookSpecificOutput: Record<string, string>;
    };
    expect(hookSpecificOutput['permissionDecision']).toBe('deny');
    expect(hookSpecificOutput['permissionDecisionReason']).toContain('codex plugin remove fairlead@fairlead');
  });

  it('asks again where it cannot remember', () => {
    for (const _ of [1, 2]) expect(run(HOOK, { CLAUDE_PLUGIN_DATA: '/dev/null/x' }).out).not.toBe('');
  });

  it('a verb says how to get one', () => {
    expect(run(['explain']).code).toBe(127);
  });
});
