import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { readShell } from '../../shell/read.ts';
import { toolEvent } from '../../engine/engine.fixture.ts';
import { createEffects, effectsOfReading } from '../effects.ts';
import type { Effect } from '../../event/effect.ts';
import type { Surroundings } from '../scene.ts';
import { openLinks } from './links.ts';

let base: string;
let surroundings: Surroundings;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-links-')));
  const home = join(base, 'home');
  const root = join(home, 'project');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, '.ssh', 'config'), '');
  symlinkSync(join(home, '.ssh'), join(root, 'keys'));
  symlinkSync(join(home, '.ssh', 'config'), join(root, 'notes.txt'));
  symlinkSync('/etc/nothing-there', join(root, 'new.txt'));
  symlinkSync(root, join(home, 'other-name'));
  const realPath = (path: string) => canonicalPath(nodeFiles, path);
  surroundings = { cwd: root, home, root, agentSettings: [], ownDirs: [], realPath };
});
afterEach(() => rmSync(base, { recursive: true }));

const written = (text: string, around = surroundings) =>
  effectsOfReading(readShell(text, around), around).map(({ path }) => path?.replace(base, ''));

it('a write through a link also hits what it leads to', () => {
  expect(written('echo x > notes.txt')).toEqual(['/home/project/notes.txt', '/home/.ssh/config']);
  expect(written('echo x > keys/id_new')).toEqual(['/home/project/keys/id_new', '/home/.ssh/id_new']);
  expect(written('echo x > new.txt')).toEqual(['/home/project/new.txt', '/etc/nothing-there']);
});

it('what is removed is the link, and through it what lies behind', () => {
  expect(written('rm notes.txt')).toEqual(['/home/project/notes.txt']);
  expect(written('rm keys/config')).toEqual(['/home/project/keys/config', '/home/.ssh/config']);
  expect(written('mv keys x')).toEqual(['/home/project/keys', '/home/project/x']);
});

it('goes up from where a link leads', () => {
  expect(written('echo x > keys/../.bashrc')).toEqual(['/home/project/.bashrc', '/home/.bashrc']);
  expect(written('cd keys; echo x > ../.bashrc')).toEqual(['/home/project/.bashrc', '/home/.bashrc']);
  expect(written('echo x > src/../a.ts')).toEqual(['/home/project/a.ts']);
});

it.each<[string, string]>([
  ['ln -s ../.ssh/ x; echo k > x/id_new', '/home/.ssh/id_new'],
  ['ln -s keys x; echo k > x/id_new', '/home/.ssh/id_new'],
  ['mv keys x; echo k > x/id_new', '/home/.ssh/id_new'],
  ['ln -s /etc src/x; cd src; echo k > x/hosts', '/etc/hosts'],
  ['ln -s x x; echo k > x/y', '/home/project/x/y'],
])('follows what the command itself makes of links: %s', (command, last) => {
  expect(written(command).at(-1)).toBe(last);
});

it('an ordinary file has one effect, also in a workspace that is reached through a link', () => {
  expect(written('echo x > src/a.ts')).toEqual(['/home/project/src/a.ts']);
  const linked = { ...surroundings, cwd: join(base, 'home/other-name'), root: join(base, 'home/other-name') };
  expect(written('echo x > src/a.ts', linked)).toEqual(['/home/other-name/src/a.ts']);
  expect(written('echo x > notes.txt', linked)).toEqual(['/home/other-name/notes.txt', '/home/.ssh/config']);
});

it('follows nothing where nobody can look', () => {
  const { realPath: _realPath, ...blind } = surroundings;
  expect(written('echo x > notes.txt', blind)).toEqual(['/home/project/notes.txt']);
});

it('reads a command once, and looks at links each time', () => {
  const effectsOf = createEffects();
  const event = toolEvent({ kind: 'shell', command: 'echo x > src/a.ts' });
  const paths = () => effectsOf(event, surroundings).map(({ path }) => path?.replace(base, ''));
  expect(paths()).toEqual(['/home/project/src/a.ts']);
  symlinkSync(join(base, 'home', '.ssh', 'config'), join(base, 'home/project/src/a.ts'));
  expect(paths()).toEqual(['/home/project/src/a.ts', '/home/.ssh/config']);
  const elsewhere = { ...surroundings, cwd: join(base, 'home') };
  expect(effectsOf(event, elsewhere)[0]?.path).toBe(join(base, 'home/src/a.ts'));
});

it('what lies below itself is followed once, and a circle not at all', () => {
  const links = openLinks({} as Surroundings);
  const make = (how: string, from: string, path: string) => links.keep({ kind: 'write', how, from, path } as Effect);
  make('mount', '/a/part', '/a');
  make('link', '/d/x', '/c');
  make('link', '/c/y', '/d');
  expect(['/a/f', '/c/f', '/e/f'].map(links.leadsTo)).toEqual(['/a/part/f', '/c/f', '/e/f']);
});
