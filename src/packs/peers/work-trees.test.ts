import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorld } from '../world.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
let topic: string;

beforeEach(() => {
  world = openWorld({ files: { 'src/app.ts': 'const a = 1;\n', '.gitignore': '.env\n', '.env': 'A=1\n' } });
  topic = join(world.home, 'topic');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'First');
  git('worktree', 'add', '-q', '-b', 'topic', topic);
});
afterEach(() => world.close());

function git(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-C', world.root, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

interface Who {
  readonly session_id: string;
  readonly cwd: string;
}
const main = (): Who => ({ session_id: 'in-main', cwd: world.root });
const branch = (): Who => ({ session_id: 'in-topic', cwd: topic });

/** What is said before an edit, which is then made. */
async function edit(who: Who, path: string): Promise<string> {
  const input = { file_path: path, old_string: 'const a = 1;', new_string: 'const a = 2;' };
  world.now += 1_000;
  const { note } = await world.before('Edit', input, { ...who });
  world.now += 1_000;
  await world.after('Edit', input, {}, { ...who });
  return note;
}

it('two work trees of one repository are told apart from one file on disk', async () => {
  await edit(main(), join(world.root, 'src/app.ts'));
  const note = await edit(branch(), join(topic, 'src/app.ts'));
  expect(note).toContain('src/app.ts was changed less than a minute ago in another work tree of this repository');
  expect(note).toContain(`Look at ${join(world.root, 'src/app.ts')} before you go on`);
  expect(await edit(branch(), join(topic, 'src/app.ts'))).toBe('');
  expect(await edit(main(), join(world.root, 'src/app.ts'))).toContain(`Look at ${join(topic, 'src/app.ts')}`);
});

it('a look at the other copy is enough, one at the own copy is not', async () => {
  await edit(main(), join(world.root, 'src/app.ts'));
  await world.after('Read', { file_path: join(topic, 'src/app.ts') }, {}, { ...branch() });
  expect(await edit(branch(), join(topic, 'src/app.ts'))).toContain('another work tree');
  await edit(main(), join(world.root, 'src/app.ts'));
  await world.after('Read', { file_path: join(world.root, 'src/app.ts') }, {}, { ...branch() });
  expect(await edit(branch(), join(topic, 'src/app.ts'))).toBe('');
});

it('an agent that edits the copy of the other work tree edits the same file', async () => {
  await edit(main(), join(world.root, 'src/app.ts'));
  const note = await edit(branch(), join(world.root, 'src/app.ts'));
  expect(note).toContain('You have not read it since');
});

it('what git ignores is not merged, and tells only who has the same file', async () => {
  await edit(main(), join(world.root, '.env'));
  expect(await edit(branch(), join(topic, '.env'))).toBe('');
  expect(await edit({ ...main(), session_id: 'third' }, join(world.root, '.env'))).toContain('.env was changed');
});

it('a file has one name, by whatever links it is reached', async () => {
  const link = join(world.home, 'link');
  symlinkSync(world.root, link);
  await edit(main(), join(link, 'src/app.ts'));
  expect(await edit({ ...main(), session_id: 'third' }, join(world.root, 'src/app.ts'))).toContain('src/app.ts was');
});

it('a work tree that its repository does not know is a project of its own', async () => {
  const copied = join(world.home, 'copied');
  world.put(join(copied, '.git'), world.read('../topic/.git'));
  world.put(join(copied, 'src/app.ts'), 'const a = 1;\n');
  await edit(main(), join(world.root, 'src/app.ts'));
  expect(await edit({ session_id: 'in-copy', cwd: copied }, join(copied, 'src/app.ts'))).toBe('');
});

it('looks at no file for it', async () => {
  const path = join(world.root, 'src/app.ts');
  await edit(main(), path);
  await world.after('Read', { file_path: path }, {}, { ...branch() });
  const reads = world.work.open.length;
  await world.after('Read', { file_path: path }, {}, { ...branch() });
  await edit(main(), path);
  const isSettings = (each: string) => /\/(?:\.\w[^/]*\/|opencode\.json)/.test(each.slice(world.root.length));
  const opened = world.work.open.slice(reads).filter((each) => each.startsWith(world.root));
  expect(opened.filter((each) => !isSettings(each))).toEqual([]);
});
