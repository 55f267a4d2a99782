import { describe, expect, it } from 'vitest';
import { worldOf } from '../../../resolve/world.fixture.ts';
import { watched } from '../../../resolve/world.ts';
import { typescript } from './find.ts';

const code = 'export const x = 1;';
const json = (value: object) => JSON.stringify(value);

async function find(sources: string[] | Readonly<Record<string, string>>, from: string, module: string) {
  const texts = Array.isArray(sources) ? Object.fromEntries(sources.map((path) => [path, code])) : sources;
  const { world, asked } = watched(await worldOf({ ...texts, [from]: code }));
  const file = world.file(from);
  if (file === undefined) throw new Error('no file');
  const found = typescript.find(world, file, module);
  return { found: typeof found === 'string' ? found : found[0]?.path, asked: asked() };
}

describe('relative paths', () => {
  it.each<[string, string[], string, string, string]>([
    ['extension left out', ['a/b.ts'], 'a/m.ts', './b', 'a/b.ts'],
    ['tsx', ['a/b.tsx'], 'a/m.ts', './b', 'a/b.tsx'],
    ['parent', ['b.ts'], 'a/m.ts', '../b', 'b.ts'],
    ['written as source', ['b.ts'], 'm.ts', './b.ts', 'b.ts'],
    ['written as output', ['b.ts', 'b.js'], 'm.ts', './b.js', 'b.ts'],
    ['output of tsx', ['b.tsx'], 'm.ts', './b.js', 'b.tsx'],
    ['mjs', ['b.mts'], 'm.ts', './b.mjs', 'b.mts'],
    ['cjs', ['b.cts'], 'm.ts', './b.cjs', 'b.cts'],
    ['plain JavaScript', ['b.js'], 'm.js', './b', 'b.js'],
    ['code before declarations', ['b.js', 'b.d.ts'], 'm.js', './b', 'b.js'],
    ['a name with a dot', ['b.service.ts'], 'm.ts', './b.service', 'b.service.ts'],
    ['directory', ['b/index.ts'], 'm.ts', './b', 'b/index.ts'],
    ['file before directory', ['b.ts', 'b/index.ts'], 'm.ts', './b', 'b.ts'],
    ['own directory', ['a/index.ts'], 'a/m.ts', '.', 'a/index.ts'],
    ['parent directory', ['index.ts'], 'a/m.ts', '..', 'index.ts'],
    ['with a slash', ['b/index.ts'], 'm.ts', './b/', 'b/index.ts'],
    ['not there', [], 'm.ts', './b', 'missing'],
    ['no code', [], 'm.ts', './style.css', 'outside'],
    ['out of the root', [], 'm.ts', '../../b', 'outside'],
    ['built-in', [], 'm.ts', 'node:fs', 'outside'],
    ['built-in by its old name', ['fs.ts'], 'm.ts', 'fs', 'outside'],
    ['a package that is not there', [], 'm.ts', '@a/b/c', 'outside'],
  ])('%s', async (_, files, from, module, expected) => {
    expect((await find(files, from, module)).found).toBe(expected);
  });

  it('a directory whose package.json says where', async () => {
    const sources = { 'b/package.json': json({ main: './lib/main.js' }), 'b/lib/main.ts': code };
    expect((await find(sources, 'm.ts', './b')).found).toBe('b/lib/main.ts');
  });

  it('asks for what would change the answer', async () => {
    expect((await find(['b/index.ts'], 'm.ts', './b')).asked).toEqual(
      expect.arrayContaining(['file:b.ts', 'file:b.tsx', 'file:b/index.ts', 'file:b/package.json']),
    );
  });
});

describe('tsconfig', () => {
  it.each<[string, Record<string, string>, string, string, string]>([
    [
      'paths',
      { 'tsconfig.json': json({ compilerOptions: { paths: { '@/*': ['./src/*'] } } }), 'src/a.ts': code },
      'src/m.ts',
      '@/a',
      'src/a.ts',
    ],
    [
      'exact before pattern',
      {
        'tsconfig.json': json({ compilerOptions: { paths: { '*': ['x/*'], a: ['y/a'] } } }),
        'x/a.ts': code,
        'y/a.ts': code,
      },
      'm.ts',
      'a',
      'y/a.ts',
    ],
    [
      'longest prefix',
      {
        'tsconfig.json': json({ compilerOptions: { paths: { '@/*': ['x/*'], '@/l/*': ['y/*'] } } }),
        'x/l/a.ts': code,
        'y/a.ts': code,
      },
      'm.ts',
      '@/l/a',
      'y/a.ts',
    ],
    [
      'second target',
      { 'tsconfig.json': json({ compilerOptions: { paths: { '@/*': ['x/*', 'y/*'] } } }), 'y/a.ts': code },
      'm.ts',
      '@/a',
      'y/a.ts',
    ],
    [
      'text after the star',
      { 'tsconfig.json': json({ compilerOptions: { paths: { 'e-*-x': ['e/*/i.ts'] } } }), 'e/q/i.ts': code },
      'm.ts',
      'e-q-x',
      'e/q/i.ts',
    ],
    [
      'baseUrl',
      { 'tsconfig.json': json({ compilerOptions: { baseUrl: 'src' } }), 'src/lib/a.ts': code },
      'src/deep/m.ts',
      'lib/a',
      'src/lib/a.ts',
    ],
    [
      'paths from baseUrl',
      { 'tsconfig.json': json({ compilerOptions: { baseUrl: 'src', paths: { '~/*': ['./*'] } } }), 'src/a.ts': code },
      'm.ts',
      '~/a',
      'src/a.ts',
    ],
    [
      'nearest',
      {
        'tsconfig.json': json({ compilerOptions: { paths: { '@/*': ['x/*'] } } }),
        'p/tsconfig.json': json({ compilerOptions: { paths: { '@/*': ['y/*'] } } }),
        'x/a.ts': code,
        'p/y/a.ts': code,
      },
      'p/q/m.ts',
      '@/a',
      'p/y/a.ts',
    ],
    [
      'extends, relative to where it is written',
      {
        'c/tsconfig.base.json': json({ compilerOptions: { paths: { '@/*': ['../x/*'] } } }),
        'p/tsconfig.json': json({ extends: '../c/tsconfig.base' }),
        'x/a.ts': code,
      },
      'p/m.ts',
      '@/a',
      'x/a.ts',
    ],
    [
      'extends several, the last wins',
      {
        'tsconfig.a.json': json({ compilerOptions: { baseUrl: 'x' } }),
        'tsconfig.b.json': json({ compilerOptions: { baseUrl: 'y' } }),
        'tsconfig.json': json({ extends: ['./tsconfig.a.json', './tsconfig.b.json'] }),
        'x/a.ts': code,
        'y/a.ts': code,
      },
      'm.ts',
      'a',
      'y/a.ts',
    ],
    [
      'extends a workspace package',
      {
        'conf/package.json': json({ name: '@me/conf' }),
        'conf/tsconfig.base.json': json({ compilerOptions: { paths: { '@/*': ['../x/*'] } } }),
        'tsconfig.json': json({ extends: '@me/conf/tsconfig.base.json' }),
        'x/a.ts': code,
      },
      'm.ts',
      '@/a',
      'x/a.ts',
    ],
    ['extends itself', { 'tsconfig.json': json({ extends: './tsconfig.json' }) }, 'm.ts', 'a', 'outside'],
    [
      'only lists others',
      {
        'tsconfig.json': json({ files: [], references: [{ path: './tsconfig.app.json' }] }),
        'tsconfig.app.json': json({ compilerOptions: { paths: { '@/*': ['./src/*'] } } }),
        'src/a.ts': code,
      },
      'src/m.ts',
      '@/a',
      'src/a.ts',
    ],
    [
      'jsconfig',
      { 'jsconfig.json': json({ compilerOptions: { baseUrl: '.' } }), 'lib/a.js': code },
      'm.js',
      'lib/a',
      'lib/a.js',
    ],
    [
      'relative paths know nothing of it',
      { 'tsconfig.json': json({ compilerOptions: { paths: { './a': ['x/a'] } } }), 'x/a.ts': code },
      'm.ts',
      './a',
      'missing',
    ],
  ])('%s', async (_, sources, from, module, expected) => {
    expect((await find(sources, from, module)).found).toBe(expected);
  });
});

const WORKSPACE = {
  'packages/plain/package.json': json({ name: '@me/plain', main: 'dist/index.js' }),
  'packages/plain/src/index.ts': code,
  'packages/plain/src/deep/x.ts': code,
  'packages/map/package.json': json({
    name: 'map',
    exports: {
      '.': { types: './dist/index.d.ts', import: './dist/esm/index.js', default: './dist/cjs/index.js' },
      './sub': './dist/esm/sub/index.js',
      './f/*': { import: './build/features/*.js' },
      './f/internal/*': null,
      './deep/*.js': './dist/*.js',
      './src': { '@me/source': './src/special.ts', default: './dist/special.js' },
      './folder/': './lib/',
    },
    imports: { '#util': './src/util.ts', '#p/*': { default: './dist/p/*.js' }, '#out': 'lodash' },
  }),
  'packages/map/src/index.ts': code,
  'packages/map/src/sub/index.ts': code,
  'packages/map/src/features/a.ts': code,
  'packages/map/src/z.ts': code,
  'packages/map/src/special.ts': code,
  'packages/map/src/util.ts': code,
  'packages/map/src/p/q.ts': code,
  'packages/out/package.json': json({ name: 'out', main: './output/js/main.js' }),
  'packages/out/tsconfig.json': json({ compilerOptions: { rootDir: './code', outDir: './output/js' } }),
  'packages/out/code/main.ts': code,
};

describe('packages of the workspace', () => {
  it.each([
    ['main leads to its source', 'packages/map/m.ts', '@me/plain', 'packages/plain/src/index.ts'],
    ['path inside', 'packages/map/m.ts', '@me/plain/src/deep/x', 'packages/plain/src/deep/x.ts'],
    ['path of the output', 'packages/map/m.ts', '@me/plain/dist/deep/x.js', 'packages/plain/src/deep/x.ts'],
    ['exports', 'packages/plain/m.ts', 'map', 'packages/map/src/index.ts'],
    ['subpath', 'packages/plain/m.ts', 'map/sub', 'packages/map/src/sub/index.ts'],
    ['pattern', 'packages/plain/m.ts', 'map/f/a', 'packages/map/src/features/a.ts'],
    ['pattern that is closed', 'packages/plain/m.ts', 'map/f/internal/a', 'missing'],
    ['pattern with an end', 'packages/plain/m.ts', 'map/deep/z.js', 'packages/map/src/z.ts'],
    ['a condition that names the source', 'packages/plain/m.ts', 'map/src', 'packages/map/src/special.ts'],
    ['folder', 'packages/plain/m.ts', 'map/folder/z', 'packages/map/src/z.ts'],
    ['rootDir and outDir', 'packages/plain/m.ts', 'out', 'packages/out/code/main.ts'],
    ['its own name', 'packages/map/src/m.ts', 'map/sub', 'packages/map/src/sub/index.ts'],
    ['imports', 'packages/map/src/m.ts', '#util', 'packages/map/src/util.ts'],
    ['imports by pattern', 'packages/map/src/m.ts', '#p/q', 'packages/map/src/p/q.ts'],
    ['imports of another package', 'packages/map/src/m.ts', '#out', 'outside'],
    ['imports that are not there', 'packages/map/src/m.ts', '#nothing', 'missing'],
    ['what it does not have', 'packages/plain/m.ts', 'map/none', 'missing'],
  ])('%s', async (_, from, module, expected) => {
    expect((await find(WORKSPACE, from, module)).found).toBe(expected);
  });
});
