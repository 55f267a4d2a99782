import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeCommit } from './commit.fixture.ts';
import { plantRepository } from './repository.fixture.ts';
import type { TestRepository } from './repository.fixture.ts';

let home: string;
beforeEach(() => void (home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-commit-')))));
afterEach(() => rmSync(home, { recursive: true }));

/** The bytes of an index without what it knows of files but their modes: that is another in each place. */
function indexOf(dir: string): string {
  const bytes = readFileSync(join(dir, '.git/index'));
  let at = 12;
  for (let count = bytes.readUInt32BE(8); count > 0; count -= 1) {
    bytes.fill(0, at, at + 24).fill(0, at + 28, at + 36);
    at += (bytes.indexOf(0, at + 62) - at + 8) & ~7;
  }
  return bytes.toString('latin1', 0, bytes.length - 20);
}

/** Every file of a repository with its text; of objects, which may be packed in several ways, that they are there. */
function filesOf(dir: string): Record<string, string> {
  const own = join(dir, '.git');
  const found: Record<string, string> = {};
  for (const name of readdirSync(own, { recursive: true, encoding: 'utf8' }).sort())
    if (statSync(join(own, name)).isFile())
      found[name] = name.startsWith('objects/')
        ? ''
        : name === 'index'
          ? indexOf(dir)
          : readFileSync(join(own, name), 'utf8');
  return found;
}

function play({ dir, git, commit }: TestRepository): void {
  const put = (path: string, text: string, mode = 0o644) => writeFileSync(join(dir, path), text, { mode });
  commit('Nothing yet', 0);
  commit('One', 1_000_000, 'b/c', 'b.c', 'b0', 'a/b/c/d', 'größe/ß', `${'x'.repeat(200)}/y`);
  commit('Again: "one"', 2_000_999, 'b/c', 'z');
  put('staged', 'staged\n', 0o755);
  git('add', 'staged');
  commit('With what was staged', 3_000_000);
  put('staged', 'other\n');
  commit('A program', 4_000_000, 'staged');
  git('checkout', '-q', '-b', 'deep/side', 'HEAD~1');
  rmSync(join(dir, 'b'), { recursive: true });
  commit('A file for a directory', 5_000_000, 'b');
  rmSync(join(dir, 'b0'));
  mkdirSync(join(dir, 'b0'));
  commit('And a directory for a file', 6_000_000, 'b0/x');
  git('pack-refs', '--all');
  commit('After packed refs', 7_000_000, 'z');
  git('checkout', '-q', '--detach');
  commit('On no branch', 8_000_000);
}

it('writes what git writes', () => {
  const [one, other] = [plantRepository(join(home, 'one')), plantRepository(join(home, 'other'), { byGit: true })];
  play(one);
  play(other);
  const written = filesOf(one.dir);
  // The times of checkouts are those of this test.
  const alike = (files: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, text.replaceAll(/\d+ \+\d+(?=\tcheckout|\tbranch)/g, '')]),
    );
  expect(Object.keys(written).filter((name) => name.startsWith('objects/')).length).toBeGreaterThan(30);
  expect(alike(written)).toEqual(alike(filesOf(other.dir)));
  expect(one.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect(one.git('status', '--porcelain')).toBe('');
});

it('lets git see a file that changed as the index was written', () => {
  const { dir, git, commit } = plantRepository(join(home, 'project'));
  const atOnce = (path: string) => utimesSync(join(dir, path), 1_000_000, 1_000_000);
  commit('One', 0, 'a');
  git('config', 'core.trustctime', 'false');
  atOnce('a');
  git('add', 'a');
  writeFileSync(join(dir, 'a'), '?\n');
  for (const path of ['a', '.git/index']) atOnce(path);
  commit('Other', 0, 'b');
  expect(git('status', '--porcelain')).toBe(' M a\n');
});

it.each<[string, (planted: TestRepository) => void]>([
  ['a merge', ({ dir, git }) => writeFileSync(join(dir, '.git/MERGE_HEAD'), git('rev-parse', 'HEAD'))],
  ['an index of another version', ({ git }) => void git('update-index', '--index-version', '4')],
  ['an entry that is only meant', ({ dir, git }) => (writeFileSync(join(dir, 'n'), ''), void git('add', '-N', 'n'))],
  ['attributes', ({ dir }) => writeFileSync(join(dir, '.gitattributes'), '* text')],
  ['settings', ({ git }) => void git('config', 'core.autocrlf', 'true')],
  [
    'a branch that stands for another',
    ({ git }) => {
      git('symbolic-ref', 'refs/heads/other', 'refs/heads/main');
      git('symbolic-ref', 'HEAD', 'refs/heads/other');
    },
  ],
])('leaves to git: %s', (_, arrange) => {
  const planted = plantRepository(join(home, 'project'));
  planted.commit('One', 0, 'a');
  arrange(planted);
  const before = filesOf(planted.dir);
  expect(writeCommit(planted.dir, 'Two', 0, ['a'])).toBe(false);
  expect(filesOf(planted.dir)).toEqual(before);
});
