import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { init } from '../../../cli/commands/init.ts';
import { fakeWorld } from '../../../cli/world.fixture.ts';
import { plantRepository } from '../../../git/repository.fixture.ts';
import type { TestRepository } from '../../../git/repository.fixture.ts';

let home: string;
let planted: TestRepository;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-setup-')));
  planted = plantRepository(join(home, 'project'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const named = (count: number, ending: string, dir = 'src') =>
  Array.from({ length: count }, (_, at) => `${dir}/part-${at}.${ending}`);

async function initIn(cwd: string) {
  const world = fakeWorld({ home, cwd, env: {}, answer: false, letters: ['n'] });
  await world.run(init);
  return world;
}

it('init offers the pack where a repository has code to index', async () => {
  planted.commit('code', 0, ...named(20, 'ts'), ...named(3, 'py'), ...named(40, 'md'));
  const world = await initIn(planted.dir);
  expect(world.printed.out).toMatch(
    /^ {2}pack autocontext +23 files of code \(typescript, python\); the pack indexes them/m,
  );
  expect(world.asked[0]).toBe('Switch the pack autocontext on, in this project?');
});

it.each<[string, () => void]>([
  ['with few files of code', () => planted.commit('code', 0, ...named(19, 'ts'))],
  ['with other files only', () => planted.commit('words', 0, ...named(60, 'md'), ...named(30, 'kt'))],
  ['in which nothing is tracked yet', () => {}],
])('nobody is asked in a repository %s', async (_, arrange) => {
  arrange();
  expect((await initIn(planted.dir)).printed.out).not.toContain('autocontext');
});

it('nobody is asked again who has said no', async () => {
  planted.commit('code', 0, ...named(30, 'go'));
  const world = fakeWorld({ home, cwd: planted.dir, env: {}, answer: false, letters: ['n'] });
  await world.run(init, '--pack', 'autocontext', '--yes');
  const again = await initIn(planted.dir);
  expect(again.asked).not.toContain('Switch the pack autocontext on, in this project?');
});
