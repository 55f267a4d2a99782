import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { readEntries, readIndex } from '../entries.ts';
import { CommandError } from '../../../cli/command.ts';
import { alone, editContextFile } from './edit-context.ts';
import { plantProject } from '../../../cli/project.fixture.ts';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const TIMES = 10;
const NAMES = ['a', 'b', 'c'];

it('processes that change one context at once lose nothing and give no id twice', async () => {
  // Inside the repository, so that the process finds the packages that are not bundled.
  mkdirSync(join(REPOSITORY, '.build'), { recursive: true });
  const built = mkdtempSync(join(REPOSITORY, '.build', 'reminding-'));
  const project = plantProject();
  onTestFinished(() => {
    rmSync(built, { recursive: true, force: true });
    return project.remove();
  });
  project.putProject('.context/LEARNINGS.md', '# Learnings\n\n<!-- INDEX:START -->\n<!-- INDEX:END -->\n');
  const outfile = join(built, 'reminding-process.mjs');
  const entryPoints = [fileURLToPath(new URL('reminding-process.fixture.ts', import.meta.url))];
  await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external' });

  const processes = NAMES.map((name) =>
    spawn(process.execPath, [outfile, project.home, project.root, name, String(TIMES)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  );
  let said = '';
  for (const { stdout } of processes) stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await Promise.all(processes.map(({ stdout }) => once(stdout, 'data')));
  const ended = processes.map((each) => once(each, 'close'));
  for (const { stdin } of processes) stdin.write('go\n');
  expect((await Promise.all(ended)).map(([code]) => code as number)).toEqual([0, 0, 0]);

  const ids = [...said.matchAll(/\d+/g)].map(Number);
  expect(ids.toSorted((one, other) => one - other)).toEqual(ids.map((_, at) => at + 1));
  expect(ids).toHaveLength(NAMES.length * TIMES);
  const kept = JSON.parse(readFileSync(join(project.root, '.context/reminders.json'), 'utf8')) as { message: string }[];
  const messages = (step: number) =>
    NAMES.flatMap((name) => Array.from({ length: TIMES / step }, (_, at) => `${name} ${at * step}`)).toSorted();
  expect(kept.map(({ message }) => message).toSorted()).toEqual(messages(2));
  const learnings = readFileSync(join(project.root, '.context/LEARNINGS.md'), 'utf8');
  expect(
    readEntries(learnings)
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual(messages(1));
  expect(readIndex(learnings)?.split('\n')).toHaveLength(NAMES.length * TIMES + 2);
});

it('makes its change again on what a program without the lock wrote meanwhile', async () => {
  const project = plantProject();
  onTestFinished(() => project.remove());
  const path = project.putProject('.context/TASKS.md', 'a');
  const place = { root: project.root, workspace: project.root };
  let attempts = 0;
  await alone(project.world(), place, () =>
    editContextFile(place, 'TASKS.md', (before) => {
      attempts += 1;
      if (attempts === 1) writeFileSync(path, 'a, theirs');
      return `${before}, ours`;
    }),
  );
  expect(readFileSync(path, 'utf8')).toBe('a, theirs, ours');
  await expect(
    alone(project.world(), place, () =>
      editContextFile(place, 'TASKS.md', (before) => {
        writeFileSync(path, `${before}!`);
        return 'never';
      }),
    ),
  ).rejects.toThrow(CommandError);
  expect(readFileSync(path, 'utf8')).toBe('a, theirs, ours!!!!!');
});

it('lets the next one in after a failure', async () => {
  const project = plantProject();
  onTestFinished(() => project.remove());
  const place = { root: project.root, workspace: project.root };
  const world = project.world();
  const fails = () => {
    throw new Error('no');
  };
  await expect(alone(world, place, fails)).rejects.toThrow('no');
  expect(await alone(world, place, () => 'in')).toBe('in');
});
