import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changedSince, readTexts, STARTED, testsReached } from '../scripts/reach.mjs';
import { plantRepository } from '../src/git/repository.fixture.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Written apart, so that this file names nothing of the product. */
const src = (path: string): string => ['src', path].join('/');
const load = (path: string): string => `  load: async () => (await import('${path}')).default,\n`;

/** Two packs and their generated lists, an engine that opens them, and tests of all kinds. */
const PROJECT: Readonly<Record<string, string>> = {
  [src('text/glob.ts')]: 'export const glob = 1;\n',
  [src('text/glob.test.ts')]: "import { glob } from './glob.ts';\n",
  [src('event/event.ts')]: 'export interface Event {}\n',
  [src('engine/run.ts')]: "import type { Event } from '../event/event.ts';\nimport { glob } from '../text/glob.ts';\n",
  [src('engine/run.test.ts')]: "import { run } from './run.ts';\n",
  [src('packs/dogs/bark.ts')]: "import { loud } from './loud.ts';\n",
  [src('packs/dogs/loud.ts')]: 'export const loud = 1;\n',
  [src('packs/dogs/bark.test.ts')]: "import bark from './bark.ts';\n",
  [src('packs/dogs/pack.ts')]: 'export const pack = {};\n',
  [src('packs/dogs/session.test.ts')]: "import { open } from '../../assembly/open.ts';\n",
  [src('packs/dogs/index.generated.ts')]: load('./bark.ts'),
  [src('packs/cats/purr.ts')]: 'export default 1;\n',
  [src('packs/cats/session.test.ts')]: "import { open } from '../../assembly/open.ts';\n",
  [src('packs/cats/index.generated.ts')]: load('./purr.ts'),
  [src('packs/index.generated.ts')]:
    "import { rules as dogs } from './dogs/index.generated.ts';\nimport { rules as cats } from './cats/index.generated.ts';\n",
  [src('event/packs.generated.ts')]: 'export const PACKS = {};\n',
  [src('assembly/open.ts')]:
    "import {\n  BUILT_IN,\n} from '../packs/index.generated.ts';\nimport { PACKS } from '../event/packs.generated.ts';\n",
  [src('assembly/open.test.ts')]: "import { open } from './open.ts';\n",
  [src('cli/explain.test.ts')]: "import { open } from '../assembly/open.ts';\nexplain('dogs/bark');\n",
  [src('packs/contract.test.ts')]: "import { BUILT_IN } from './index.generated.ts';\n",
  'test/words.ts': "export const WORDS = readFileSync('test/fixtures/words/all.txt');\n",
  'test/words.test.ts': "import { WORDS } from './words.ts';\n",
  'test/client.test.ts': "spawn('cc', ['native/client.c']);\n",
  'test/process/daemon.test.ts': "import { start } from './start.ts';\n",
  'test/process/start.ts': 'export const start = 1;\n',
  'test/architecture.test.ts': 'expect(1).toBe(1);\n',
  'test/docs.test.ts': 'expect(1).toBe(1);\n',
};
const texts = new Map(Object.entries(PROJECT));
const reached = (...changed: string[]): string[] =>
  testsReached(texts, changed).filter((path) => path !== 'test/architecture.test.ts');

describe('a test is reached', () => {
  it.each<[what: string, changed: string, tests: string[]]>([
    [
      'by what it imports, however far away',
      src('text/glob.ts'),
      [src('engine/run.test.ts'), src('text/glob.test.ts')],
    ],
    ['by itself', src('text/glob.test.ts'), [src('text/glob.test.ts')]],
    ['not by a type, which the type checker reads', src('event/event.ts'), []],
    [
      'by what a generated list names where it lies in that pack, names the rule, or imports the list',
      src('packs/dogs/loud.ts'),
      [
        src('cli/explain.test.ts'),
        src('packs/contract.test.ts'),
        src('packs/dogs/bark.test.ts'),
        src('packs/dogs/session.test.ts'),
      ],
    ],
    [
      'by the description of its pack, from which a list is made',
      src('packs/dogs/pack.ts'),
      [src('packs/dogs/session.test.ts')],
    ],
    ['by a generated list that it imports', src('packs/index.generated.ts'), [src('packs/contract.test.ts')]],
    [
      'by an engine, whatever that opens',
      src('assembly/open.ts'),
      [
        src('assembly/open.test.ts'),
        src('cli/explain.test.ts'),
        src('packs/cats/session.test.ts'),
        src('packs/dogs/session.test.ts'),
        'test/process/daemon.test.ts',
      ],
    ],
    ['by data in a folder that its parts name', 'test/fixtures/words/all.txt', ['test/words.test.ts']],
    ['not by data beside it', 'test/fixtures/songs/all.txt', []],
    ['by a file that it names', 'native/client.c', ['test/client.test.ts']],
    ['by what it starts with', 'test/process/start.ts', ['test/process/daemon.test.ts']],
    ['by the part of the product that it is about', src('daemon.ts'), ['test/process/daemon.test.ts']],
    ['by prose where it reads that', 'README.md', ['test/docs.test.ts']],
  ])('%s', (_, changed, tests) => {
    expect(reached(changed)).toEqual(tests);
  });

  it('by what every test runs under', () => {
    expect(testsReached(texts, ['package.json'])).toHaveLength(
      [...texts.keys()].filter((path) => path.endsWith('.test.ts')).length,
    );
  });

  it('by a file that is gone', () => {
    const without = new Map([...texts].filter(([path]) => path !== src('packs/dogs/loud.ts')));
    expect(testsReached(without, [src('packs/dogs/loud.ts')])).toContain(src('packs/dogs/bark.test.ts'));
  });

  it('by code, where it reads all of it', () => {
    expect(testsReached(texts, [src('event/event.ts')])).toEqual(['test/architecture.test.ts']);
  });
});

describe('in this project', () => {
  const own = readTexts(root);
  const tests = [...own.keys()].filter((path) => path.endsWith('.test.ts'));

  it('what the table of started tests names is there', () => {
    for (const [place, names] of Object.entries(STARTED)) {
      const places = place.endsWith('/') || /\.\w+$/.test(place) ? [place] : [`${place}.ts`, `${place}.mjs`];
      expect(
        places.some((path) => existsSync(join(root, path))),
        place,
      ).toBe(true);
      for (const name of names) expect(own.has(`test/process/${name}.test.ts`), name).toBe(true);
    }
  });

  it('a rule reaches its own test and the tests of its pack, and few of the others', () => {
    for (const rule of ['basics/conflict-marker', 'guard/catastrophe', 'context/check-reminders', 'peers/overlap']) {
      const [pack = ''] = rule.split('/');
      const found = testsReached(own, [src(`packs/${rule}.ts`)]);
      expect(found.filter((path) => path.includes(`/${pack}/`)).length, rule).toBeGreaterThan(1);
      expect(found.filter((path) => !path.includes(`/${pack}/`)).length, rule).toBeLessThan(tests.length / 10);
    }
  });

  it('what all stand on reaches most of them', () => {
    expect(testsReached(own, [src('platform/paths.ts')]).length).toBeGreaterThan(tests.length / 2);
  });
});

it('what differs is what was committed since, what was not committed, and what git does not know', () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-reach-')));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const { git, commit } = plantRepository(dir);
  commit('one', 0, 'a.ts', 'b.ts', 'c.ts', 'd.ts');
  const first = git('rev-parse', 'HEAD').trim();
  git('switch', '-q', '-c', 'topic');
  commit('two', 60_000, 'b.ts');
  writeFileSync(join(dir, 'c.ts'), 'changed');
  writeFileSync(join(dir, 'new file.ts'), 'new');
  rmSync(join(dir, 'd.ts'));
  expect(changedSince(dir)).toEqual({ base: first, changed: ['b.ts', 'c.ts', 'd.ts', 'new file.ts'] });
  expect(changedSince(dir, 'HEAD').changed).toEqual(['c.ts', 'd.ts', 'new file.ts']);
  git('switch', '-q', '--detach');
  git('branch', '-q', '-D', 'main', 'topic');
  expect(changedSince(dir)).toEqual({ base: 'HEAD', changed: ['c.ts', 'd.ts', 'new file.ts'] });
});
