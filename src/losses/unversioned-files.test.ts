import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../platform/files.ts';
import { removeTree } from '../platform/remove-tree.fixture.ts';
import { countUnversioned } from './unversioned-files.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-unversioned-')));
});
afterEach(() => removeTree(dir));

it('a repository below is for another look, a directory that only has the name of one is not', async () => {
  for (const each of ['named/.git', 'real/.git']) mkdirSync(join(dir, each), { recursive: true });
  writeFileSync(join(dir, 'real/.git/HEAD'), 'ref: refs/heads/main\n');
  for (const each of ['named', 'real']) writeFileSync(join(dir, each, 'a.txt'), 'a');
  expect(await countUnversioned(nodeFiles, dir)).toEqual({
    found: [join(dir, 'named/a.txt')],
    nested: [join(dir, 'real')],
  });
  // Where the look begins, too: it would begin there again and again.
  expect(await countUnversioned(nodeFiles, join(dir, 'named'))).toMatchObject({ nested: [] });
});
