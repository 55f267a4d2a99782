import { below, join } from '../../../model/paths.ts';
import type { World } from '../../../resolve/world.ts';
import { configOf, matchPattern } from './compiler-config.ts';
import { nearestPackage } from './workspace.ts';

/** Conditions by how near they are to what was written. */
const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'node', 'default', 'require', 'browser'];

/** Directories that hold what a build made. */
const OUTPUT = /^(dist|build|lib|out|output|esm|cjs|es|mjs|types|typings|dts|module|commonjs|bundle|_esm|_cjs|_types)$/;

const CODE_EXTENSION = /(\.d)?\.[cm]?[jt]sx?$/;

/** Where a subpath of a package (`.`, `./x`) may lie, best first, as written and where its source is likely to be. */
export function* packageTargets(world: World, home: string, subpath: string): Generator<string> {
  const manifest = world.file(below(home, 'package.json'))?.manifest;
  const exported = manifest?.['exports'];
  if (exported !== undefined) {
    for (const target of targetsOf(exported, subpath)) yield* places(world, home, target);
  }
  if (subpath !== '.') {
    yield* places(world, home, subpath);
    yield* inside(home, `src/${subpath}`);
    return;
  }
  for (const key of ['source', 'types', 'module', 'main']) {
    const target = manifest?.[key];
    if (typeof target === 'string') yield* places(world, home, target);
  }
  for (const entry of ['src/index', 'index', 'lib/index', 'src/main']) yield below(home, entry);
}

/** What `#name` stands for by the `imports` of the package around a directory: a path, or else the name of a package. */
export function* importsTargets(world: World, directory: string, module: string): Generator<ImportsTarget> {
  const home = nearestPackage(world, directory);
  if (home === undefined) return;
  const imports = world.file(below(home, 'package.json'))?.manifest?.['imports'];
  for (const target of targetsOf(imports, module)) {
    if (!target.startsWith('.')) yield { package: target };
    else for (const path of places(world, home, target)) yield { path };
  }
}

export type ImportsTarget = { readonly path: string } | { readonly package: string };

/** All leaves of an `exports` or `imports` map for one key, in the order of `CONDITIONS`. */
function targetsOf(map: unknown, key: string): string[] {
  if (!isRecord(map) || !Object.keys(map).some((entry) => /^[.#]/.test(entry))) {
    return key === '.' ? leaves(map, '') : [];
  }
  const matched = matchPattern(Object.keys(map), key);
  if (matched !== undefined) return leaves(map[matched.pattern], matched.star);
  const folder = Object.keys(map).find((entry) => entry.endsWith('/') && key.startsWith(entry));
  if (folder === undefined) return [];
  return leaves(map[folder], '').map((target) => target + key.slice(folder.length));
}

function leaves(node: unknown, star: string): string[] {
  if (typeof node === 'string') return [node.replaceAll('*', () => star)];
  if (Array.isArray(node)) return node.flatMap((entry) => leaves(entry, star));
  if (!isRecord(node)) return [];
  const rank = (condition: string) => {
    const at = CONDITIONS.indexOf(condition.replace(/^@.*\/(source)$/, '$1'));
    return at === -1 ? CONDITIONS.length : at;
  };
  const conditions = Object.keys(node).sort((a, b) => rank(a) - rank(b));
  return conditions.flatMap((condition) => leaves(node[condition], star));
}

/** What a build makes is not indexed: its source lies where the compiler's settings say, or in `src` under the same name. */
function* places(world: World, home: string, target: string): Generator<string> {
  const path = join(home, target);
  if (path === undefined) return;
  yield path;
  const stem = path.replace(CODE_EXTENSION, '');
  const config = configOf(world, home);
  if (config?.outDir !== undefined && stem.startsWith(`${config.outDir}/`)) {
    const rest = stem.slice(config.outDir.length + 1);
    yield below(config.rootDir ?? home, rest);
    if (config.rootDir === undefined) yield below(below(home, 'src'), rest);
  }
  let rest = home === '' ? stem : stem.slice(home.length + 1);
  for (;;) {
    const slash = rest.indexOf('/');
    if (slash === -1 || !OUTPUT.test(rest.slice(0, slash))) return;
    rest = rest.slice(slash + 1);
    yield below(below(home, 'src'), rest);
    yield below(home, rest);
  }
}

function* inside(home: string, target: string): Generator<string> {
  const path = join(home, target);
  if (path !== undefined) yield path;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
