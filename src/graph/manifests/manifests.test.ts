import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../parse/parse-file.ts';

describe('readManifest', () => {
  it.each([
    [
      'package.json',
      '{"name":"@a/b","main":"x.js","typings":"x.d.ts","exports":{".":"./x.js"},"imports":{"#a":"./a.js"},"scripts":{}}',
      { name: '@a/b', main: 'x.js', types: 'x.d.ts', exports: { '.': './x.js' }, imports: { '#a': './a.js' } },
    ],
    [
      'tsconfig.base.json',
      '\uFEFF{ // why\n "extends": "./up.json", /* , */ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src//*",], "x": 3 }, }, }',
      { extends: ['./up.json'], references: [], baseUrl: '.', paths: { '@/*': ['src//*'], x: [] } },
    ],
    [
      'tsconfig.json',
      '{"references":[{"path":"./tsconfig.app.json"},{}],"files":[]}',
      { extends: [], references: ['./tsconfig.app.json'] },
    ],
    [
      'go.mod',
      'module example.com/m // m\n\ngo 1.21\nrequire (\n\tx v1\n)\nreplace a.b/c => ../c\nreplace (\n  d v1.2 => ./d\n  e => f v2\n)\n',
      { module: 'example.com/m', replace: { 'a.b/c': '../c', d: './d' } },
    ],
    [
      'go.work',
      'go 1.21\nuse ./one\nuse (\n\t./two\n\t"./three"\n)\nreplace x.y/z => ./z\n',
      { use: ['./one', './two', './three'], replace: { 'x.y/z': './z' } },
    ],
    [
      'Cargo.toml',
      '[package]\nname = "my-crate" # c\n[lib]\npath = "src/mylib.rs"\n[dependencies]\na-b = { path = "../ab", version = "1" }\nserde = "1"\n[dependencies.c]\npath = "../c"\n[workspace]\nmembers = [\n  "crates/*", # all\n  "x",\n]\n',
      { name: 'my_crate', lib: 'src/mylib.rs', members: ['crates/*', 'x'], paths: { a_b: '../ab', c: '../c' } },
    ],
    [
      'pyproject.toml',
      '[project]\nname = "My-Thing"\n[tool.setuptools.packages.find]\nwhere = ["lib"]\n[tool.pytest.ini_options]\npythonpath = "tools"\n[[tool.x]]\ny = 1\n',
      { name: 'my_thing', roots: ['lib', 'tools'] },
    ],
    [
      'pyproject.toml',
      '[tool.poetry]\nname = "p"\npackages = [{ include = "p", from = "source" }]',
      { name: 'p', roots: ['source'], packages: ['p'] },
    ],
    [
      'pyproject.toml',
      '[project]\nname = "acme-app"\n[tool.uv.workspace]\nmembers = ["libs/*"]\nexclude = ["libs/old"]\n' +
        '[tool.uv.sources]\nacme-core = { workspace = true }\nacme-far = { path = "../far" }\nx = { git = "u" }\n' +
        '[tool.hatch.build.targets.wheel]\npackages = ["python/acme"]\n',
      {
        name: 'acme_app',
        roots: ['python'],
        provides: ['acme'],
        members: ['libs/*', '!libs/old'],
        siblings: ['acme_core'],
        packages: ['python/acme'],
        paths: ['../far'],
      },
    ],
    ['setup.cfg', '[metadata]\nname = a-b\n', { name: 'a_b' }],
    ['setup.cfg', '[options]\npackage_dir =\n    = lib\n', { roots: ['lib'] }],
    [
      'Cargo.toml',
      '[package]\nname = "a"\n[target."cfg(unix)".dependencies]\nb = { path = "../b" }\n[patch.crates-io]\nc-d = { path = "../cd" }\n[workspace]\nmembers = ["x/*"]\nexclude = ["x/old"]\n',
      { name: 'a', members: ['x/*', '!x/old'], paths: { b: '../b', c_d: '../cd' } },
    ],
    [
      'package.json',
      '{"workspaces":{"packages":["a/*"]},"dependencies":{"b":"link:../b","c":"workspace:@x/c@*","d":"^1"}}',
      { members: ['a/*'], links: { b: '../b', c: '@x/c' } },
    ],
    [
      'pnpm-workspace.yaml',
      '# all\npackages:\n  # apps\n  - x\n  - \'a/*\' # why\n\n  - "!**/test"\ncatalog:\n  - y\n',
      { members: ['x', 'a/*', '!**/test'] },
    ],
    ['pnpm-workspace.yaml', 'packages: ["a/*", b]\n', { members: ['a/*', 'b'] }],
    ['package.json', '{"name":', {}],
    ['package.json', '[1]', {}],
    ['Cargo.toml', '[__proto__]\npolluted = "yes"\n[package\nname = ', { members: [], paths: {} }],
  ])('%s: %j', (name, text, manifest) => {
    expect(readManifest(`some/dir/${name}`, text).manifest).toEqual(manifest);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('makes a package findable by its name', () => {
    const text = '{ "name": "@a/b" }';
    expect(readManifest('package.json', text).definitions).toMatchObject([{ name: '@a/b', kind: 'namespace', at: 11 }]);
    expect(readManifest('go.mod', 'module x/y').definitions).toMatchObject([{ name: 'x/y' }]);
    expect(readManifest('package.json', '{"module":"a.js"}').definitions).toEqual([]);
  });

  it('reads anything without throwing', () => {
    const names = ['package.json', 'tsconfig.json', 'go.mod', 'go.work', 'Cargo.toml', 'pyproject.toml', 'setup.cfg'];
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '=',
      ',',
      '.',
      '\n',
      'name',
      'module',
      'use (',
      '[[',
      '//',
      '/*',
      '#',
      '"""',
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(fc.oneof(piece, fc.string())), (name, pieces) => {
        expect(readManifest(name, pieces.join(''))).toBeTypeOf('object');
      }),
    );
  });
});
