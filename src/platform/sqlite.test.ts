import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const OPENER = `
import { openSqlite } from './src/platform/sqlite.ts';
const db = openSqlite(':memory:');
console.log(db.prepare('SELECT 6 * 7 AS answer').get().answer, Object.keys(require.cache).some((path) => path.endsWith('index.cjs')));`;

const SYSTEM = `${process.platform}-${process.arch}`;
let base: string;
let opener: string;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'fairlead-sqlite-'));
  opener = join(base, 'opener.cjs');
  await build({
    stdin: { contents: OPENER, resolveDir: process.cwd() },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    outfile: opener,
    external: ['@photostructure/sqlite'],
    define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__filename' },
  });
});
afterAll(() => rmSync(base, { recursive: true }));

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(base, 'case-'));
});

/** Lays our package and that of SQLite down; the first has its own modules, or lies among those of somebody else. */
function install(modules: string, dist: string): { run: (env?: Record<string, string>) => string; sqlite: string } {
  const sqlite = join(place, modules, '@photostructure', 'sqlite');
  const own = join(process.cwd(), 'node_modules');
  for (const part of ['package.json', 'dist', join('prebuilds', SYSTEM)])
    cpSync(join(own, '@photostructure', 'sqlite', part), join(sqlite, part), { recursive: true });
  cpSync(join(own, 'node-gyp-build'), join(place, modules, 'node-gyp-build'), { recursive: true });
  mkdirSync(join(place, dist), { recursive: true });
  const program = join(place, dist, 'opener.cjs');
  cpSync(opener, program);
  const run = (env = {}) =>
    execFileSync(process.execPath, [program], { env: { PATH: '/', ...env }, encoding: 'utf8', stdio: 'pipe' }).trim();
  return { run, sqlite };
}

const prebuilt = (sqlite: string) =>
  readdirSync(join(sqlite, 'prebuilds', SYSTEM)).map((name) => join(sqlite, 'prebuilds', SYSTEM, name));

/** Where the package has to look for itself. */
const looks = existsSync('/etc/alpine-release');

it.each([
  ['among our modules', 'fairlead/node_modules', 'fairlead/dist'],
  ['next to our package', 'node_modules', 'node_modules/fairlead/dist'],
])('loads the native part %s, whatever the environment says', (_, modules, dist) => {
  const { run } = install(modules, dist);
  expect(run(looks ? {} : { LIBC: 'none', npm_config_arch: 'none' })).toBe(`42 ${looks}`);
});

it('lets the package look where it lies elsewhere', () => {
  expect(install('node_modules', 'node_modules/a/b/dist').run()).toBe('42 true');
});

it('lets the package look where its native part does not fit, and says what is wrong where it finds none', () => {
  const { run, sqlite } = install('fairlead/node_modules', 'fairlead/dist');
  mkdirSync(join(sqlite, 'build', 'Release'), { recursive: true });
  const own = join(sqlite, 'build', 'Release', 'sqlite.node');
  cpSync(prebuilt(sqlite).find((path) => !path.includes('musl') || looks) ?? '', own);
  for (const path of prebuilt(sqlite)) writeFileSync(path, 'not for this machine');
  expect(run()).toBe('42 true');
  rmSync(own);
  expect(() => run()).toThrow('Command failed');
});
