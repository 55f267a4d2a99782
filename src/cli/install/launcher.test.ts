import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { aboutLaunched } from '../../transport/launch-place.ts';
import type { Client } from './client.ts';
import { launchFor, ownLauncher, problemOfCall, stableNode } from './launcher.ts';

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

it('leads one person into their own state, whatever the copy, and names nothing but itself for all', () => {
  const paths = { config: '/c', state: '/s', run: '/s/run' };
  const byNode: Client = { kind: 'node', why: 'there is none' };
  const native: Client = { kind: 'native', path: '/f/dist/fairlead-client', built: 'before' };
  const home = ['--config', '/c', '--state', '/s'];
  const settledOne = '/s/bin/current/fairlead';
  expect(launchFor('local', paths, byNode)).toEqual({ command: '/bin/sh', args: [settledOne], homeArgs: home });
  expect(launchFor('local', paths, native)).toEqual({
    command: '/s/bin/current/fairlead-client',
    args: [],
    homeArgs: [...home, '--launcher', settledOne],
  });
  for (const client of [byNode, native]) {
    expect(launchFor('user', paths, client)).toEqual(launchFor('local', paths, client));
    expect(launchFor('project', paths, client)).toEqual({ command: 'fairlead', args: [], homeArgs: [] });
  }
});

const plain = put('plain', 0o644);
const client = join(dir, 'dist', 'fairlead-client');
mkdirSync(join(dir, 'dist'));
symlinkSync(process.execPath, client);
const other = put('other/fairlead-client');
const script = put('script/fairlead-client');
writeFileSync(script, '#!/bin/sh\n');
/** Of a place whose copy is gone. */
const settled = put('place/fairlead');
const about = aboutLaunched({ stamp: '1.0.0+1.a', root: join(dir, 'gone-copy'), node });
writeFileSync(join(dir, 'place', about.name), about.text);
it.each([
  [[node, launcher, 'hook', '--agent', 'a'], undefined],
  [[launcher, 'hook', '--agent', 'a'], undefined],
  [['/gone/node', launcher, 'hook'], '/gone/node does not exist'],
  [[node, '/gone/fairlead', 'hook'], '/gone/fairlead does not exist'],
  [[plain, 'hook'], `${plain} is not executable`],
  [['no-such-program', 'hook'], '`no-such-program` is not on PATH'],
  [[client, 'hook', '--agent', 'a', '--node', node, '--launcher', launcher], undefined],
  [[client, 'hook', '--agent', 'a', '--node', '/gone/node', '--launcher', launcher], '/gone/node does not exist'],
  [[client, 'hook', '--agent', 'a', '--node', node, '--launcher', '/gone/f'], '/gone/f does not exist'],
  [[client, 'hook', '--agent', 'a', '--launcher', launcher], undefined],
  [[client, 'hook', '--agent', 'a'], 'the entry has no --launcher'],
  [[client, 'hook', '--agent', 'a', '--launcher', settled], `${join(dir, 'gone-copy/bin/fairlead')} does not exist`],
  [['/bin/sh', settled, 'hook', '--agent', 'a'], `${join(dir, 'gone-copy/bin/fairlead')} does not exist`],
  [[script, 'hook', '--agent', 'a', '--launcher', launcher], undefined],
  [['/gone/fairlead-client', 'hook', '--agent', 'a'], '/gone/fairlead-client does not exist'],
  [[other, 'hook', '--agent', 'a'], `${other} is not a program`],
  [['"/gone/fairlead" hook --agent a'], undefined],
])('%j', (words, problem) => {
  expect(problemOfCall(words, { PATH: '/bin' }, nodeFiles)).toBe(problem);
});
