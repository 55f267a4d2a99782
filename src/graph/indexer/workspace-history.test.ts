import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { openProject } from './project.fixture.ts';

const json = (value: object) => JSON.stringify(value);

/** What each file of a workspace may be; the first is what it is at first, undefined that it is gone. */
const FILES: Readonly<Record<string, readonly (string | undefined)[]>> = {
  'package.json': [
    json({ name: 'shop', workspaces: ['packages/*'] }),
    json({ name: 'shop', workspaces: ['other/*'] }),
    json({ name: 'root' }),
  ],
  'pnpm-workspace.yaml': [undefined, 'packages:\n  - other/*\n'],
  'packages/shop/package.json': [
    json({ name: 'shop', exports: { '.': './dist/index.js' } }),
    json({ name: 'shop', exports: { '.': { live: './src/live.ts', default: './dist/index.js' } } }),
    undefined,
  ],
  'packages/shop/tsconfig.json': [undefined, json({ compilerOptions: { outDir: 'dist', rootDir: 'code' } })],
  'packages/shop/src/index.ts': ['export function buy() {}\n', undefined],
  'packages/shop/src/live.ts': ['export function buy() {}\n'],
  'packages/shop/code/index.ts': [undefined, 'export function buy() {}\n'],
  'other/shop/package.json': [json({ name: 'shop', main: 'index.js' }), undefined],
  'other/shop/index.ts': ['export function buy() {}\n', 'export const buy = 1;\n'],
  'packages/app/package.json': [json({ name: 'app' }), json({ dependencies: { shop: 'link:../../other/shop' } })],
  'packages/app/main.ts': ["import { buy } from 'shop';\nbuy();\n"],
  'go.work': ['use (\n\t./app\n\t./store\n)\n', 'use ./app\nreplace x.org/app/store => ./old\n', undefined],
  'app/go.mod': ['module x.org/app\n'],
  'app/main.go': ['package main\n\nimport "x.org/app/store"\n\nfunc main() { store.Open() }\n'],
  'app/store/store.go': [undefined, 'package store\n\nfunc Open() {}\n'],
  'store/go.mod': ['module x.org/app/store\n', 'module x.org/none\n', undefined],
  'store/store.go': ['package store\n\nfunc Open() {}\n'],
  'old/store.go': ['package store\n\nfunc Open() {}\n'],
  'Cargo.toml': ['[workspace]\nmembers = ["crates/*"]\n', '[workspace]\nmembers = ["crates/a"]\n'],
  'crates/a/Cargo.toml': [
    '[package]\nname = "a"\n',
    '[package]\nname = "a"\n[dependencies]\nb = { path = "../../spare" }\n',
  ],
  'crates/a/src/lib.rs': ['pub fn run() { b::help(); }\n'],
  'crates/else/Cargo.toml': ['[package]\nname = "b"\n', '[package]\nname = "c"\n', undefined],
  'crates/else/src/lib.rs': ['pub fn help() {}\n'],
  'spare/Cargo.toml': ['[package]\nname = "b"\n'],
  'spare/src/lib.rs': ['pub fn help() {}\n'],
  'py/app/pyproject.toml': [
    '[project]\nname = "py-app"\n',
    '[project]\nname = "py-app"\n[tool.uv.sources]\nodd = { workspace = true }\n',
    '[tool.poetry.dependencies]\nodd = { path = "../odd" }\n',
  ],
  'py/app/main.py': ['from inner.part import help\nhelp()\n'],
  'py/odd/pyproject.toml': [
    '[project]\nname = "odd"\n',
    '[project]\nname = "odd"\n[tool.hatch.build.targets.wheel]\npackages = ["code/inner"]\n',
    '[project]\nname = "inner"\n',
  ],
  'py/odd/src/inner/part.py': ['def help(): pass\n'],
  'py/odd/code/inner/part.py': ['def help(): pass\n', undefined],
};
const PATHS = Object.keys(FILES);

const change = fc.constantFrom(...PATHS).chain((path) =>
  fc.record({
    path: fc.constant(path),
    text: fc.constantFrom(...(FILES[path] ?? [])),
    isTold: fc.boolean(),
  }),
);

it('after any changes to manifests the graph has the bytes of one that is made anew', async () => {
  const start = Object.fromEntries(
    PATHS.flatMap((path) => (FILES[path]?.[0] === undefined ? [] : [[path, FILES[path][0]] as const])),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 12 }), async (changes) => {
      const project = openProject(start);
      const there = new Set(Object.keys(start));
      try {
        const indexer = project.indexer();
        await indexer.indexAll();
        for (const { path, text, isTold } of changes) {
          if (text !== undefined) project.write(path, text);
          else if (there.has(path)) project.remove(path);
          if (text === undefined) there.delete(path);
          else there.add(path);
          await (isTold ? indexer.refresh([`${project.root}/${path}`]) : indexer.sweep());
        }
        indexer.compact();
        expect(await project.difference()).toEqual([]);
      } finally {
        project.close();
      }
    }),
    cases(25),
  );
});
