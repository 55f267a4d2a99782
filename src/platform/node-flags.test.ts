import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { NODE_FLAGS } from '../graph/indexer/start-indexer.ts';
import { knownFlags } from './node-flags.ts';

it.each([
  [20, ['--old', '--always']],
  [22, ['--always']],
])('on Node %i', (major, flags) => {
  const all = [
    { flag: '--old', until: 20 },
    { flag: '--always', until: Infinity },
  ];
  expect(knownFlags(all, major)).toEqual(flags);
});

it('this Node takes those of the indexing process', () => {
  expect(spawnSync(process.execPath, [...NODE_FLAGS, '-e', '0'], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});
