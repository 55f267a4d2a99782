import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('bash', () => {
  it.each([
    ['fairlead ru', ['rules']],
    ['fairlead rules n', ['new']],
    ['fairlead rules mode x --f', ['--for']],
    ['fairlead log --gr', ['--grep']],
    ['fairlead rules new x --scope p', ['project']],
    ['fairlead canv', []],
  ])('%s', async (line, words) => {
    const path = join(project.home, 'completion.bash');
    writeFileSync(path, await script('bash'));
    const typed = line.split(' ');
    const { stdout, stderr } = spawnSync(
      'bash',
      ['-c', `. ${path}; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _fairlead; echo "\${COMPREPLY[@]}"`, '_', ...typed],
      { encoding: 'utf8' },
    );
    expect([stderr, stdout.trim().split(' ').filter(Boolean)]).toEqual(['', words]);
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
