import { expect, it } from 'vitest';
import { toolEvent } from '../engine/engine.fixture.ts';
import { createEffects } from './effects.ts';
import { SURROUNDINGS } from './scene.fixture.ts';

/** What is on disk, and how often it was asked for. */
function world(files: Record<string, string>) {
  let asked = 0;
  const effectsOf = createEffects();
  const disk = (path: string) => {
    asked += 1;
    return files[path.replace(`${SURROUNDINGS.root}/`, '')];
  };
  const kinds = (command: string) =>
    effectsOf(toolEvent({ command, input: { command } }), { ...SURROUNDINGS, disk }).map(({ kind }) => kind);
  return { files, kinds, asked: () => asked };
}

it('a script that has changed is read again, also where it was not there', () => {
  const { files, kinds } = world({});
  expect(kinds('bash x.sh')).toEqual([]);
  files['x.sh'] = 'rm -rf src';
  expect(kinds('bash x.sh')).toEqual(['delete']);
  files['x.sh'] = 'kill -9 1';
  expect(kinds('bash x.sh')).toEqual(['kill']);
});

it('a command that starts no script looks at none', () => {
  const { kinds, asked } = world({});
  for (const command of [
    'ls -la',
    'git status',
    'rm -rf dist',
    'cat x.sh',
    'echo a > b',
    'grep -r x .',
    'curl example.com',
  ])
    kinds(command);
  expect(asked()).toBe(0);
});

it('what holds secrets is not opened', () => {
  const { kinds, asked } = world({ '.env': 'rm -rf ~' });
  expect([kinds('source .env'), asked()]).toEqual([[], 0]);
});

it('the bounds of a script are its own', () => {
  const long = 'echo a\n'.repeat(2_000);
  const { kinds } = world({ 'x.sh': long, 'y.sh': long });
  expect(kinds('bash x.sh; sh y.sh; rm -rf ~')).toEqual(['delete']);
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.sh`, 'ls']));
  expect(
    world(many).kinds(
      `${Object.keys(many)
        .map((name) => `sh ${name}`)
        .join('; ')}; rm -rf ~`,
    ),
  ).toEqual(['delete']);
});

it('scripts that start each other are each read from their own start; what one nests too deeply is told', () => {
  const chain = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${at}.sh`, `bash ${at + 1}.sh`]));
  expect(world({ ...chain, '9.sh': 'rm -rf ~' }).kinds('bash 0.sh')).toEqual(['delete']);
  const deep = (levels: number): string => (levels === 0 ? 'rm -rf ~' : `echo $(${deep(levels - 1)})`);
  expect(world({ 'x.sh': deep(4) }).kinds('sh x.sh')).toContain('delete');
  expect(world({ 'x.sh': deep(7) }).kinds('sh x.sh')).toContain('unknown');
});
