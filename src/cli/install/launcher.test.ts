import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { findOnPath, launchFor, ownLauncher, problemOfCall, stableNode } from './launcher.ts';

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-launcher-')));
afterAll(() => rmSync(dir, { recursive: true }));

function put(name: string, mode = 0o755): string {
  const path = join(dir, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '');
  chmodSync(path, mode);
  return path;
}

const node = put('cellar/24.1/node');
const launcher = put('copy/bin/fairlead');

it('takes the name that stays when Node is upgraded, if it is the same Node', () => {
  const [link, other] = [join(dir, 'node-link'), put('other-node')];
  symlinkSync(node, link);
  expect(stableNode(node, nodeFiles, [join(dir, 'none'), other, link])).toBe(link);
  expect(stableNode(node, nodeFiles, [other])).toBe(node);
});

it('finds the launcher of its own copy', () => {
  expect(ownLauncher(nodeFiles, join(dir, 'copy', 'dist'))).toBe(launcher);
  expect(ownLauncher(nodeFiles)).toBe(realpathSync('bin/fairlead'));
});

it('names everything by absolute paths for one person and nothing but a name for all', () => {
  const paths = { config: '/c', state: '/s', run: '/s/run' };
  expect(launchFor('local', paths, nodeFiles)).toEqual({
    command: expect.stringMatching(/^\/.*node/),
    args: [realpathSync('bin/fairlead')],
    homeArgs: ['--config', '/c', '--state', '/s'],
  });
  expect(launchFor('user', paths, nodeFiles)).toEqual(launchFor('local', paths, nodeFiles));
  expect(launchFor('project', paths, nodeFiles)).toEqual({ command: 'fairlead', args: [], homeArgs: [] });
});

it('looks for programs in absolute directories only', () => {
  const bin = join(dir, 'copy', 'bin');
  expect(findOnPath('fairlead', { PATH: `/none:${bin}` })).toBe(launcher);
  expect(findOnPath('fairlead', { PATH: 'bin:.' })).toBeUndefined();
  expect(findOnPath('fairlead', {})).toBeUndefined();
});

const plain = put('plain', 0o644);
it.each([
  [[node, launcher, 'hook', '--agent', 'a'], undefined],
  [[launcher, 'hook', '--agent', 'a'], undefined],
  [['/gone/node', launcher, 'hook'], '/gone/node does not exist'],
  [[node, '/gone/fairlead', 'hook'], '/gone/fairlead does not exist'],
  [[plain, 'hook'], `${plain} is not executable`],
  [['no-such-program', 'hook'], '`no-such-program` is not on PATH'],
  [['"/gone/fairlead" hook --agent a'], undefined],
])('%j', (words, problem) => {
  expect(problemOfCall(words, { PATH: '/bin' }, nodeFiles)).toBe(problem);
});
