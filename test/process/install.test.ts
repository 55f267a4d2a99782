import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recorded } from '../fixtures/claude-code.ts';
import { inPersonTerminal } from '../person-terminal.ts';
import { sharedProduct } from './product.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

const bin = sharedProduct().launcher;

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Handler {
  readonly command: string;
  readonly args: readonly string[];
}

let dir: string;
let project: string;
let settings: string;
let home: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "fairlead install 'it' ")));
  project = join(dir, 'my project');
  home = join(dir, 'kept here');
  settings = join(project, '.claude', 'settings.local.json');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{}');
});
afterEach(() => removeTree(dir));

function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin = '',
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: project, env });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(stdin);
  });
}

function run(...args: readonly string[]): Promise<Ran> {
  return start(bin, args, { PATH: process.env['PATH'] ?? '', HOME: dir, FAIRLEAD_HOME: home });
}

function inTerminal(verb: string, input = ''): Promise<{ code: number; screen: string }> {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return inPersonTerminal(`FAIRLEAD_HOME=${quoted(home)} ${quoted(bin)} ${verb} ${quoted(project)}`, input);
}

function handlersOf(text: string): Record<string, Handler> {
  const { hooks } = JSON.parse(text) as { hooks: Record<string, { hooks: Handler[] }[]> };
  return Object.fromEntries(
    Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap((group) => group.hooks.map((each) => [event, each])),
    ),
  );
}

it('writes entries that answer real events, in a foreign environment, and record them in their own home', async () => {
  expect(await run('init', '--agent', 'claude-code', '--yes')).toMatchObject({ code: 0, stderr: '' });
  const handlers = handlersOf(readFileSync(settings, 'utf8'));
  const { command, args } = handlers['PreToolUse'] as Handler;
  const payload: Record<string, unknown> = { ...recorded('PreToolUse/write.json'), cwd: project };
  const foreign = {
    PATH: '/nowhere',
    HOME: dir,
    FAIRLEAD_HOME: join(dir, 'wrong'),
    XDG_STATE_HOME: join(dir, 'wrong'),
    XDG_CONFIG_HOME: join(dir, 'wrong'),
  };
  expect(await start(command, args, foreign, JSON.stringify(payload))).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(existsSync(join(dir, 'wrong'))).toBe(false);
  const log = await run('log', '--json');
  expect(log.stdout).toContain(String(payload['session_id']));
});

it('without a terminal shows the diff, writes nothing and exits 2', async () => {
  const { code, stdout, stderr } = await run('init', '--agent', 'claude-code');
  expect(code).toBe(2);
  expect(stdout).toContain('+    "PreToolUse": [{ "hooks"');
  expect(stderr).toContain('--yes');
  expect(existsSync(join(project, '.claude'))).toBe(false);
});

it('asks a person, and takes no for an answer', async () => {
  const { code, screen } = await inTerminal('init --agent claude-code --statusline', 'n\n');
  expect(code).toBe(1);
  expect(screen).toMatch(/To be written.*settings\.local\.json.*Write this\? \[y\/N\/d\]/s);
  expect(screen).not.toContain('\u001B[32m+');
  expect(existsSync(join(project, '.claude'))).toBe(false);
});

it('uninstall is for a person, who gets every byte back', async () => {
  // A hook that cannot be adopted: a terminal without a person has no second answer.
  const mine = '{"type":"command","command":"mine","async":true}';
  const before = `{\r\n\t"model" : "opus",\r\n\t"hooks": {"Stop":[ {"hooks":[${mine}]} ]}\r\n}`;
  mkdirSync(join(project, '.claude'));
  writeFileSync(settings, before);
  expect((await inTerminal('init --agent claude-code --statusline', 'y\n')).code).toBe(0);
  const wired = readFileSync(settings, 'utf8');
  expect(Object.keys(handlersOf(wired)).length).toBeGreaterThan(15);
  expect(wired).toContain('statusline');
  expect(await run('uninstall', '--yes')).toMatchObject({ code: 3, stdout: '' });
  expect(readFileSync(settings, 'utf8')).toBe(wired);
  const { code, screen } = await inTerminal('uninstall', 'y\n');
  expect(screen).toContain('Took claude-code out of');
  expect(code).toBe(0);
  expect(readFileSync(settings, 'utf8')).toBe(before);
});
