import { describe, expect, it } from 'vitest';
import { breakAt, choosePlaces, findBreaks } from '../scripts/mutate/places.mjs';
import type { Place } from '../scripts/mutate/places.mjs';
import { createReach } from '../scripts/mutate/reach.mjs';
import { readModule } from '../scripts/source-graph.mjs';

/** Each way to break it, as the source would be. */
const brokenOf = (source: string): string[] =>
  findBreaks('src/a.ts', source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));

describe('where the product can be broken', () => {
  it.each([
    ['if (a) b = 1;', ['if (!(a)) b = 1;', 'if (a) ;', 'if (a) b = 2;']],
    ['const a = (b) < c;', ['const a = (b) <= c;', 'const a = (c) < ((b));']],
    ['const a = b ?? c;', ['const a = (b);']],
    ['const a = b && c;', ['const a = b || c;']],
    ['const a = b + c;', ['const a = b - c;']],
    ["const a = b + '; ';", []],
    ['const a = true;', ['const a = false;']],
    ["const a = new Set(['rm']);", ["const a = new Set(['rm_']);"]],
    ['const a = "x";', ['const a = "x_";']],
    ['const a = /^b/u;', ['const a = /(?!)/u;']],
    ['const a = f(b, c);', ['const a = f(c, b);']],
    ['function f() { const a = b; return a; }', ['function f() { return; const a = b; return a; }']],
    [
      'const f = (a) => { if (a) return b; throw c; };',
      expect.arrayContaining(['const f = (a) => { if (a) ; throw c; };', 'const f = (a) => { if (a) return b; ; };']),
    ],
    ['const a = (b as 1) satisfies 2;', []],
    ["type A = 'x' | 1; interface B { a: true }", []],
    ["import { a } from './a.ts'; export * from './b.ts'; export { c } from './c.ts';", []],
    ["'use strict';", []],
    ["const a = { 'b-c': d };", []],
    ["const a = { description: 'words', summary: f('a', 'b') };", []],
    ["console.log(a < 1, 'b');", []],
    ["throw new Error('gone');", [';']],
    ["const a = 'a sentence of words';", []],
    ['// if (a) b();\n', []],
  ])('%s', (source, expected) => {
    expect(brokenOf(source)).toEqual(expected);
  });
});

describe('which places are chosen', () => {
  const source = ['a', 'b', 'c', 'd']
    .map((name) => `export const ${name} = (b: number) => (b < 1 ? true : false);\n`)
    .join('');
  const sources = new Map(['core/a', 'core/b', 'shell/a', 'page/a'].map((path) => [`src/${path}.ts`, source]));
  const roomOf = (path: string) => path.split('/')[1];
  const choose = (count: number, seed: number) => choosePlaces(sources, roomOf, count, seed);

  it('are the same for the same seed, and others for another', () => {
    expect(choose(6, 37)).toEqual(choose(6, 37));
    expect(choose(6, 37)).not.toEqual(choose(6, 38));
  });

  it('are spread evenly over the rooms', () => {
    const rooms = choose(9, 37).map(({ room }) => room);
    expect(rooms.sort().join(' ')).toBe('core core core page page page shell shell shell');
  });

  it('are no more than there are', () => {
    const few = choosePlaces(new Map([['src/core/a.ts', 'export const a = true;\n']]), roomOf, 5, 37);
    expect(few).toMatchObject([{ file: 'src/core/a.ts', line: 1, column: 17, original: 'true', text: 'false' }]);
  });
});

describe('a place of an earlier run', () => {
  const source = 'const a = 1;\nif (a) b();\nc();\nif (a) b();\n';
  const place: Place = {
    ...{ room: 'core', file: 'src/a.ts', kind: 'negate condition', original: 'a', text: '!(a)' },
    ...{ line: 4, column: 4, nth: 1, lineText: 'if (a) b();' },
  };

  it.each([
    ['where it was', source, 'const a = 1;\nif (a) b();\nc();\nif (!(a)) b();\n'],
    ['further down', `// more\n${source}`, '// more\nconst a = 1;\nif (a) b();\nc();\nif (!(a)) b();\n'],
    ['gone', 'const a = 1;\n', undefined],
    ['changed', source.replaceAll('b()', 'd()'), undefined],
  ])('is found %s', (_, now, expected) => {
    expect(breakAt(now, place)).toBe(expected);
  });
});

describe('the tests that reach a file', () => {
  const texts = {
    'src/a.ts': '',
    'src/b.ts': "import { a } from './a.ts';",
    'src/types.ts': "import type { A } from './a.ts';",
    'src/late.ts': "const load = () => import('./b.ts');",
    'src/a.test.ts': "import { a } from './a.ts';",
    'src/z.test.ts': "import { a } from './a.ts';",
    'src/late.test.ts': "import { load } from './late.ts';",
    'src/types.test.ts': "import { t } from './types.ts';",
    'src/built.test.ts': "import { a } from './a.ts'; import { start } from './built.fixture.ts';",
    // In parts, else this test would be one of those itself.
    'src/built.fixture.ts': "const cli = join(root, 'DIST/cli.js');".toLowerCase(),
    'src/daemon.ts': '',
    'test/process/daemon-a.test.ts': 'a longer one',
    'test/process/daemon.test.ts': '',
    'test/e2e/a.test.ts': "import { a } from '../../src/a.ts';",
  };
  const reach = createReach(
    new Map(
      Object.entries(texts).map(([path, text]) => [
        path,
        readModule(path, path.startsWith('test/process') ? '' : text),
      ]),
    ),
    new Map(Object.entries(texts)),
  );

  it('are those that load it, nearest first, by values alone', () => {
    expect(reach.byImport('src/a.ts')).toEqual(['src/a.test.ts', 'src/z.test.ts', 'src/late.test.ts']);
  });

  it('are those of its name among what runs as it is built', () => {
    expect(reach.byImport('src/daemon.ts')).toEqual([]);
    expect(reach.byBuild('src/daemon.ts')).toEqual(['test/process/daemon.test.ts', 'test/process/daemon-a.test.ts']);
  });
});
