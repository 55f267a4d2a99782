import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../../../test/lacking.ts';
import { UsageError } from '../command.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import { completion } from './completion.ts';

let project: PlantedProject;
beforeAll(() => {
  project = plantProject();
});
afterAll(() => project.remove());

async function script(...argv: readonly string[]): Promise<string> {
  const world = project.world({ env: { SHELL: '/usr/bin/fish' } });
  await world.run(completion, ...argv);
  return world.printed.out;
}

/** What is typed, and what each shell offers for its last word. */
const TYPED: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['fairlead rul', ['rules']],
  ['fairlead rules n', ['new']],
  ['fairlead rules mode x --f', ['--for']],
  ['fairlead log --gr', ['--grep']],
  ['fairlead rules new x --scope p', ['project']],
  ['fairlead canv', []],
];

async function scriptFile(shell: string): Promise<string> {
  const path = join(project.home, `completion.${shell}`);
  writeFileSync(path, await script(shell));
  return path;
}

function runShell(program: string, args: readonly string[], input?: string): string {
  const { stdout, stderr, status } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: project.root,
    env: { PATH: process.env['PATH'], HOME: project.home, TERM: 'dumb' },
    timeout: 20_000,
    ...(input !== undefined && { input }),
  });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout;
}

it.each(TYPED)('bash: %s', async (line, words) => {
  const run = `. ${await scriptFile('bash')}; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _fairlead; echo "\${COMPREPLY[@]}"`;
  const offered = runShell('bash', ['-c', run, '_', ...line.split(' ')]);
  expect(offered.trim().split(' ').filter(Boolean)).toEqual(words);
});

describe.skipIf(lacks('fish'))('fish', () => {
  it('reads the script', async () => {
    expect(runShell('fish', ['-n', await scriptFile('fish')])).toBe('');
  });

  it('offers what may follow', async () => {
    const asks = TYPED.map(([line]) => `complete -C '${line}'; echo .`);
    const shown = runShell('fish', ['--no-config', '-c', [`source ${await scriptFile('fish')}`, ...asks].join('; ')]);
    const offered = shown.split('.\n').map((lines) => lines.split('\n').flatMap((each) => each.split('\t')[0] || []));
    expect(offered.slice(0, -1)).toEqual(TYPED.map(([, words]) => words));
  });
});

describe.skipIf(lacks('zsh', 'script'))('zsh', () => {
  it('reads the script', async () => {
    expect(runShell('zsh', ['-n', await scriptFile('zsh')])).toBe('');
  });

  it('completes what is typed', async () => {
    const prepare = `PS1=''; autoload -Uz compinit; compinit -D; . ${await scriptFile('zsh')}; fairlead() { print -r -- "RAN $*"; }`;
    // The shell completes what stands before the tab, and then runs it.
    const typed = [prepare, ...TYPED.map(([line]) => `${line}\t`), 'exit', ''].join('\n');
    const screen = runShell('script', ['-qec', 'zsh -f -i', '/dev/null'], typed);
    const ran = [...screen.matchAll(/^RAN (.*)$/gm)].map(([, words = '']) => words.trim());
    const whole = TYPED.map(([line, [word]]) => (word === undefined ? line : line.replace(/\S+$/, word)));
    expect(ran).toEqual(whole.map((line) => line.replace('fairlead ', '')));
  });
});

it('zsh and fish get every verb with what it does, and no quote of theirs is left open', async () => {
  const zsh = await script('zsh');
  expect(zsh).toMatch(/^#compdef fairlead\n/);
  expect(zsh).toContain("'log:what the agent did, and what was decided'");
  const fish = await script('fish');
  expect(fish).toContain("-fa log -d 'what the agent did, and what was decided'");
  for (const line of fish.trimEnd().split('\n'))
    expect(line.replaceAll(/\\./g, '').split("'").length % 2, line).toBe(1);
  // In a shell of the Bourne kind a quote inside ends the string, stands alone and begins it again.
  for (const line of zsh.split('\n')) expect(line.replaceAll(String.raw`'\''`, '').split("'").length % 2, line).toBe(1);
});

it('without a name it is for the shell in use', async () => {
  expect(await script()).toBe(await script('fish'));
  await expect(script('zhs')).rejects.toThrow('did you mean "zsh"');
  await expect(script('zhs')).rejects.toBeInstanceOf(UsageError);
});
