import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { writeActiveRoot } from '../graph/graph.fixture.ts';
import { nodeFiles } from '../platform/files.ts';
import { findToolRoot } from './find-root.ts';

let top: string;
const put = (path: string) => {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), '{}');
};

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-mcp-')));
  put('home/dev/app/package.json');
  put('home/dev/app/src/a.ts');
  put('home/one/clone/package.json');
  put('home/two/a/package.json');
  put('home/two/b/package.json');
  put('home/three/a/package.json');
  for (const name of 'abcdef') put(`home/six/${name}/package.json`);
  put('home/three/b/package.json');
  put('home/plain/notes.txt');
  put('home/started/readme.txt');
  put('home/stale/readme.txt');
  put('home/dev/sp ace/package.json');
  symlinkSync(join(top, 'home/dev/app'), join(top, 'link'));
  const at = (dir: string, root: string) =>
    writeActiveRoot(nodeFiles, join(top, 'state'), join(top, dir), { root: join(top, root), reason: 'path', at: 1 });
  at('home/started', 'home/dev/app');
  at('home/stale', 'home/gone');
  at('home/two', 'home/two/b');
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

async function find(cwd: string, root?: string, env: Record<string, string> = {}, force = false): Promise<string> {
  const options = {
    state: join(top, 'state'),
    files: nodeFiles,
    home: join(top, 'home'),
    cwd: join(top, cwd),
    forcesRoots: async () => force,
  };
  const here = (text: string) => text.replaceAll('TOP', top);
  const pinned = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, here(value)]));
  try {
    const found = await findToolRoot(root && here(root), { ...options, env: pinned });
    return `${found.path.replace(top, '')} ${found.reason}${found.isMarked ? '' : ' unmarked'}${found.within ? ` in ${found.within.replace(top, '')}` : ''}`;
  } catch (error) {
    return (error as Error).message.replaceAll(top, '');
  }
}

it.each<[cwd: string, root: string | undefined, env: Record<string, string>, expected: string | RegExp]>([
  ['home/dev/app', undefined, {}, '/home/dev/app project'],
  ['home/dev/app/src', undefined, {}, '/home/dev/app project'],
  ['home/dev/app/src', '', {}, '/home/dev/app project'],
  ['link', undefined, {}, '/home/dev/app project'],
  ['home/dev/app', undefined, { FAIRLEAD_PROJECT_DIR: 'TOP/home/dev' }, '/home/dev environment'],
  ['home/dev/app', undefined, { CANVAS_PROJECT_DIR: 'TOP/home/dev' }, '/home/dev environment'],
  ['home/dev/app', undefined, { FAIRLEAD_PROJECT_DIR: 'TOP/home/two' }, '/home/dev/app project'],
  ['home/dev/app', undefined, { FAIRLEAD_PROJECT_DIR: 'TOP/nowhere' }, '/home/dev/app project'],
  ['home/dev/app', 'TOP/home/two/a', { FAIRLEAD_PROJECT_DIR: 'TOP/home/dev' }, '/home/two/a explicit'],
  ['home/dev/app', '~/two/a', {}, '/home/two/a explicit'],
  ['home/dev/app', '../../two/a', {}, '/home/two/a explicit'],
  ['home/dev/app', 'TOP/link', {}, '/home/dev/app explicit'],
  ['home/dev/app', 'file://TOP/home/dev/sp%20ace', {}, '/home/dev/sp ace explicit'],
  ['home/dev/app', 'src', {}, '/home/dev/app/src explicit unmarked in /home/dev/app'],
  ['home/dev/app', 'TOP/home/plain', {}, '/home/plain explicit unmarked'],
  ['home/dev/app', 'TOP/nowhere', {}, 'root: /nowhere is not there'],
  [
    'home/dev/app',
    'src/a.ts',
    {},
    'root: /home/dev/app/src/a.ts is no directory; it lies in the project /home/dev/app',
  ],
  ['home/dev/app', '~', {}, /root: \/home is no project/],
  ['home/dev/app', '/', {}, /root: \/ is no project/],
  ['home/one', undefined, {}, '/home/one/clone single-child'],
  ['home/two', undefined, {}, '/home/two/b active'],
  ['home/started', undefined, {}, '/home/dev/app active'],
  ['home/stale', undefined, {}, /^pending: nothing in or around \/home\/stale is marked .* argument root$/],
  ['home/three', undefined, {}, /^pending: there is more than one project in \/home\/three: a, b; .* argument root$/],
  ['home/six', undefined, {}, /^pending: there is more than one project in \/home\/six: a, b, c, d, e and more; /],
  ['home/plain', undefined, {}, /^pending: nothing /],
  ['home', undefined, {}, /^pending: /],
])('from %s, root %j, %j', async (cwd, root, env, expected) => {
  const found = await find(cwd, root, env);
  if (typeof expected === 'string') expect(found).toBe(expected);
  else expect(found).toMatch(expected);
});

it('where the person says so, the home directory is a root like others', async () => {
  const forced = (cwd: string, root?: string) => find(cwd, root, {}, true);
  expect(await forced('home/dev/app', '~')).toBe('/home explicit unmarked');
  expect(await forced('home/dev/app', '/')).toMatch(/^\/ explicit/);
  expect(await forced('home/plain')).toMatch(/^pending: nothing /);
  put('home/package.json');
  onTestFinished(() => rmSync(join(top, 'home/package.json')));
  expect(await forced('home')).toBe('/home project');
  expect(await forced('home/plain')).toBe('/home project');
  expect(await forced('home/dev/app', '~')).toBe('/home explicit');
  expect(await forced('home/dev/app')).toBe('/home/dev/app project');
  expect(await find('home')).toMatch(/^pending: /);
  expect(await find('home', '~')).toMatch(/is no project/);
});
