import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { findModule } from '../resolve/find-module.ts';
import { callsOf, worldOf } from '../resolve/world.fixture.ts';

const json = (value: object) => JSON.stringify(value);
const ts = 'export const x = 1;\n';

type Sources = Readonly<Record<string, string>>;

async function found(sources: Sources, from: string, module: string): Promise<string> {
  const world = await worldOf({ [from]: '', ...sources });
  const file = world.file(from);
  if (file === undefined) throw new Error('no file');
  const files = findModule(world, file, module);
  return typeof files === 'string' ? files : files.map(({ path }) => path).join(' ');
}

const NPM: Sources = {
  'package.json': json({ name: 'shop', private: true, workspaces: ['packages/*', '!packages/old'] }),
  'packages/shop/package.json': json({ name: 'shop', exports: { '.': { import: './dist/index.js' } } }),
  'packages/shop/src/index.ts': ts,
  'packages/old/package.json': json({ name: 'shop', main: 'index.js' }),
  'packages/old/index.js': ts,
  'examples/copy/package.json': json({ name: 'shop', main: 'index.js' }),
  'examples/copy/index.js': ts,
  'packages/app/package.json': json({
    name: 'app',
    dependencies: { near: 'link:../../tools/near', other: 'workspace:shop@*' },
  }),
  'tools/near/package.json': json({ name: 'called-otherwise', main: './lib/main.js' }),
  'tools/near/lib/main.ts': ts,
};

const EXPORTS: Sources = {
  'a/package.json': json({
    name: 'a',
    exports: {
      '.': { types: './dist/index.d.ts', 'a-live': './src/entry.ts', default: './dist/index.js' },
      './hooks': { import: './hooks/dist/hooks.mjs' },
      './all': { types: './types/all.d.ts', default: './lib/all.js' },
      './format': './dist/format.cjs.js',
      './whole': './dist/packages/a/src/whole.js',
      './*': ['./dist/*.js', null],
    },
  }),
  'a/src/entry.ts': ts,
  'a/src/index.ts': ts,
  'a/hooks/src/hooks.ts': ts,
  'a/types/all.d.ts': 'export const x: number;\n',
  'a/lib/all.js': ts,
  'a/src/format.ts': ts,
  'a/src/whole.ts': ts,
  'a/src/rest/index.ts': ts,
  'built/package.json': json({ name: 'built', main: 'dist-cjs/index.js', module: 'dist-esm/index.mjs' }),
  'built/dist-cjs/index.js': ts,
  'built/dist-esm/index.mjs': ts,
  'built/src/index.ts': ts,
  'plain/package.json': json({ name: 'plain', main: 'lib/index.js' }),
  'plain/lib/index.js': ts,
  'plain/index.js': ts,
};

const CONFIG: Sources = {
  'tsconfig.base.json': json({ compilerOptions: { paths: { '@lib/*': ['libs/*/src/index.ts'] } } }),
  'libs/core/src/index.ts': ts,
  'libs/ui/tsconfig.json': json({ references: [{ path: './tsconfig.lib.json' }, { path: '../core' }] }),
  'libs/ui/tsconfig.lib.json': json({ extends: '../../tsconfig.base.json', compilerOptions: { outDir: 'made' } }),
  'libs/ui/package.json': json({ name: 'ui', main: './made/start.js' }),
  'libs/ui/src/start.ts': ts,
  'shared/tsconfig.json': json({ compilerOptions: { paths: { '~/*': ['${configDir}/src/*'] } } }),
  'apps/web/tsconfig.json': json({ extends: '../../shared/tsconfig.json' }),
  'apps/web/src/page.ts': ts,
  'over/tsconfig.json': json({
    extends: '../tsconfig.over.json',
    compilerOptions: { baseUrl: './code' },
  }),
  'tsconfig.over.json': json({ compilerOptions: { baseUrl: '.', paths: { '%/*': ['inner/*'] } } }),
  'over/code/inner/a.ts': ts,
};

const CARGO: Sources = {
  'Cargo.toml':
    '[workspace]\nmembers = ["crates/*", "tool"]\nexclude = ["crates/old"]\n[workspace.dependencies]\nutil = { path = "crates/util-impl", package = "my-util" }\n',
  'crates/app/Cargo.toml':
    '[package]\nname = "app"\n[dependencies]\nutil.workspace = true\n[target."cfg(unix)".dependencies]\nsys-unix = { path = "../sys" }\n',
  'crates/util-impl/Cargo.toml': '[package]\nname = "my-util"\n',
  'crates/util-impl/src/lib.rs': 'pub fn help() {}\n',
  'crates/sys/Cargo.toml': '[package]\nname = "sys-unix"\n[lib]\npath = "code/root.rs"\n',
  'crates/sys/code/root.rs': 'pub fn call() {}\n',
  'crates/placed-elsewhere/Cargo.toml': '[package]\nname = "member"\n',
  'crates/placed-elsewhere/src/lib.rs': '',
  'crates/old/Cargo.toml': '[package]\nname = "log"\n',
  'crates/old/src/lib.rs': '',
};

const GO: Sources = {
  'go.work': 'go 1.21\nuse (\n\t./app\n\t./lib/store\n)\nreplace x.org/moved => ./moved\n',
  'app/go.mod': 'module x.org/app\n',
  'lib/store/go.mod': 'module x.org/app/store\n',
  'lib/store/store.go': 'package store\n',
  'lib/store/mem/mem.go': 'package mem\n',
  'moved/go.mod': 'module x.org/moved\n',
  'moved/moved.go': 'package moved\n',
  'released/go.mod': 'module x.org/released/v2\n',
  'released/deep/deep.go': 'package deep\n',
};

const PYTHON: Sources = {
  'pyproject.toml':
    '[project]\nname = "acme"\n[tool.uv.workspace]\nmembers = ["packages/*"]\n[tool.uv.sources]\nodd-name = { workspace = true }\n',
  'packages/app/pyproject.toml':
    '[project]\nname = "acme-app"\ndependencies = ["odd-name"]\n[tool.poetry.dependencies]\nfar = { path = "../../far", develop = true }\n',
  'packages/odd/pyproject.toml': '[project]\nname = "odd-name"\n',
  'packages/odd/src/inner/__init__.py': 'def a(): pass\n',
  'packages/core/pyproject.toml': '[project]\nname = "acme-core"\n',
  'packages/core/src/acme/core/__init__.py': 'def b(): pass\n',
  'packages/flat/pyproject.toml':
    '[project]\nname = "something"\n[tool.hatch.build.targets.wheel]\npackages = ["python/flatly"]\n',
  'packages/flat/python/flatly/run.py': 'def c(): pass\n',
  'far/pyproject.toml': '[tool.poetry]\nname = "far"\npackages = [{ include = "faraway", from = "code" }]\n',
  'far/code/faraway.py': 'def d(): pass\n',
};

describe('imports across packages lead to sources', () => {
  it.each<[string, Sources, string, string, string]>([
    ['npm: not the root of that name', NPM, 'packages/app/m.ts', 'shop', 'packages/shop/src/index.ts'],
    ['npm: nor from the root itself', NPM, 'scripts/m.ts', 'shop', 'packages/shop/src/index.ts'],
    ['npm: the package around comes first', NPM, 'examples/copy/m.js', 'shop', 'examples/copy/index.js'],
    ['npm: a dependency by path', NPM, 'packages/app/m.ts', 'near', 'tools/near/lib/main.ts'],
    ['npm: a dependency by another name', NPM, 'packages/app/m.ts', 'other', 'packages/shop/src/index.ts'],
    [
      'npm: what tests import of the build',
      NPM,
      'packages/shop/test/m.ts',
      '../build/index.js',
      'packages/shop/src/index.ts',
    ],
    ['exports: a condition of its own', EXPORTS, 'm.ts', 'a', 'a/src/entry.ts'],
    ['exports: a build inside', EXPORTS, 'm.ts', 'a/hooks', 'a/hooks/src/hooks.ts'],
    ['exports: code before declarations', EXPORTS, 'm.ts', 'a/all', 'a/lib/all.js'],
    ['exports: the format in the name', EXPORTS, 'm.ts', 'a/format', 'a/src/format.ts'],
    ['exports: a build of all packages', EXPORTS, 'm.ts', 'a/whole', 'a/src/whole.ts'],
    ['exports: pattern with alternatives', EXPORTS, 'm.ts', 'a/rest', 'a/src/rest/index.ts'],
    ['exports: the source before a build beside it', EXPORTS, 'm.ts', 'built', 'built/src/index.ts'],
    ['exports: what only looks like a build', EXPORTS, 'm.ts', 'plain', 'plain/lib/index.js'],
    ['tsconfig: paths through a reference', CONFIG, 'libs/ui/src/m.ts', '@lib/core', 'libs/core/src/index.ts'],
    ['tsconfig: outDir through a reference', CONFIG, 'm.ts', 'ui', 'libs/ui/src/start.ts'],
    ['tsconfig: the directory of who extends', CONFIG, 'apps/web/m.ts', '~/page', 'apps/web/src/page.ts'],
    ['tsconfig: baseUrl of who extends', CONFIG, 'over/m.ts', '%/a', 'over/code/inner/a.ts'],
    ['cargo: renamed by the workspace', CARGO, 'crates/app/src/lib.rs', 'util', 'crates/util-impl/src/lib.rs'],
    ['cargo: for one target', CARGO, 'crates/app/src/lib.rs', 'sys_unix', 'crates/sys/code/root.rs'],
    ['cargo: a member wherever', CARGO, 'crates/app/src/lib.rs', 'member', 'crates/placed-elsewhere/src/lib.rs'],
    ['cargo: not what is excluded', CARGO, 'crates/app/src/lib.rs', 'log', 'outside'],
    ['go: the longer name', GO, 'app/main.go', 'x.org/app/store/mem', 'lib/store/mem/mem.go'],
    ['go: replaced by the workspace', GO, 'app/main.go', 'x.org/moved', 'moved/moved.go'],
    ['go: a module that is released', GO, 'app/main.go', 'x.org/released/v2/deep', 'released/deep/deep.go'],
    ['go: what is not there', GO, 'app/main.go', 'x.org/app/none', 'missing'],
    ['go: what is elsewhere', GO, 'app/main.go', 'x.org/other', 'outside'],
    ['uv: a project of another name', PYTHON, 'packages/app/src/m.py', 'inner', 'packages/odd/src/inner/__init__.py'],
    [
      'uv: a part of a namespace',
      PYTHON,
      'packages/app/src/m.py',
      'acme.core',
      'packages/core/src/acme/core/__init__.py',
    ],
    [
      'hatch: a package that is listed',
      PYTHON,
      'packages/app/src/m.py',
      'flatly.run',
      'packages/flat/python/flatly/run.py',
    ],
    ['poetry: a project by path', PYTHON, 'packages/app/src/m.py', 'faraway', 'far/code/faraway.py'],
    ['python: what is elsewhere', PYTHON, 'packages/app/src/m.py', 'requests.api', 'outside'],
  ])('%s', async (_, sources, from, module, expected) => {
    expect(await found(sources, from, module)).toBe(expected);
  });

  it('and so do calls', async () => {
    const world = await worldOf({
      ...NPM,
      'packages/shop/src/index.ts': 'export function buy() {}\n',
      'packages/app/m.ts': "import { buy } from 'shop';\nexport function go() { buy(); }\n",
    });
    expect(callsOf(world, 'packages/app/m.ts')).toEqual(['go -> packages/shop/src/index.ts#buy import']);
  });
});

describe('of packages with one name', () => {
  const word = fc.constantFrom('a', 'b', 'c');
  const place = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `packages/${words.join('/')}`);

  it('the member is meant, wherever else that name is', async () => {
    await fc.assert(
      fc.asyncProperty(place, fc.array(place, { maxLength: 4 }), place, async (member, others, from) => {
        const sources: Record<string, string> = {
          'package.json': json({ name: 'same', workspaces: [member] }),
        };
        for (const other of [...others, member]) {
          sources[`${other}/package.json`] = json({ name: 'same' });
          sources[`${other}/index.ts`] = ts;
        }
        // What is in one of them means itself.
        fc.pre(![...others].some((other) => `${from}/`.startsWith(`${other}/`)));
        expect(await found(sources, `${from}/m.ts`, 'same')).toBe(`${member}/index.ts`);
      }),
      cases(60),
    );
  });
});
