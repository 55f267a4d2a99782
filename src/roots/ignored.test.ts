import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases } from '../../test/cases.ts';
import { initRepository } from '../git/repository.fixture.ts';
import { nodeFiles } from '../platform/files.ts';
import { isIgnored } from './ignored.ts';
import { repositoryAt } from './repository.ts';

let top: string;
const NAMES = ['a', 'b c', '[x]', '#h', '!n'];
const DIRS = NAMES.flatMap((one) =>
  NAMES.flatMap((two) => [one, `${one}/${two}`, ...NAMES.map((three) => `${one}/${two}/${three}`)]),
);
const UNIQUE_DIRS = [...new Set(DIRS)];

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-ignored-')));
  initRepository(top);
  for (const dir of UNIQUE_DIRS) mkdirSync(join(top, dir), { recursive: true });
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const name = fc.constantFrom('a', 'b c', 'b\\ c', '\\[x\\]', '\\#h', '\\!n', '*', '?', '[ab]', '**', 'b*');
const pattern = fc
  .tuple(
    fc.constantFrom('', '!'),
    fc.constantFrom('', '/'),
    fc.array(name, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '/'),
  )
  .map(([negation, anchor, names, end]) => `${negation}${anchor}${names.join('/')}${end}`);
const ignoreFile = fc
  .array(fc.oneof({ weight: 5, arbitrary: pattern }, fc.constantFrom('', '# note', '#h')), { maxLength: 4 })
  .map((lines) => lines.join('\n'));
const PLACES = [
  '.git/info/exclude',
  '.gitignore',
  'a/.gitignore',
  'a/b c/.gitignore',
  '[x]/.gitignore',
  '#h/.gitignore',
  '!n/.gitignore',
];

test('agrees with git for every directory', () => {
  fc.assert(
    fc.property(fc.tuple(...PLACES.map(() => ignoreFile)), (texts) => {
      PLACES.forEach((place, at) => writeFileSync(join(top, place), texts[at] ?? ''));
      const input = UNIQUE_DIRS.map((dir) => `./${dir}`).join('\0');
      const run = spawnSync('git', ['-c', 'core.excludesFile=', 'check-ignore', '-z', '--stdin'], {
        cwd: top,
        input,
        encoding: 'utf8',
      });
      const expected = run.stdout
        .split('\0')
        .filter(Boolean)
        .map((line) => line.slice(2))
        .sort();
      const repository = repositoryAt(nodeFiles, top);
      if (repository === undefined) throw new Error('no repository');
      expect(UNIQUE_DIRS.filter((dir) => isIgnored(nodeFiles, repository, join(top, dir))).sort()).toEqual(expected);
    }),
    cases(30),
  );
});
