import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { NODE_FLAGS } from './start-indexer.ts';

it('this Node takes those of the indexing process', () => {
  expect(spawnSync(process.execPath, [...NODE_FLAGS, '-e', '0'], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});
