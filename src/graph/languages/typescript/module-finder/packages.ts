import { below, join } from '../../../model/paths.ts';
import type { Manifest } from '../../../model/facts.ts';
import type { World } from '../../../resolve/world.ts';
import { configOf, matchPattern } from './compiler-config.ts';
import { nearestPackage } from './workspace.ts';

/** Conditions by how near they are to what was written. */
const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'node', 'default', 'require', 'browser'];

/** Directories that hold what a build made. */
const OUTPUT =
  /^[_.]?(?:dist|build|lib|out|output|esm|cjs|es|mjs|types|typings|dts|tsbuild|module|commonjs|bundle)(?:[-_.][\w-]+)?$/;

const CODE_EXTENSION = /(\.d)?\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;
/** What builds put before the extension: `index.cjs.js`, `react.production.min.js`. */
const FORMAT = /(?:\.(?:cjs|esm|umd|iife|mjs|module|modern|global|min|production|development|bundle))+$/;

/** Where a subpath of a package (`.`, `./x`) may lie, best first, as written and where its source is likely to be. */
export function* packageTargets(world: World, home: string, subpath: string): Generator<string> {
  const manifest = world.file(below(home, 'package.json'))?.manifest;
  const exported = manifest?.['exports'];
  yield* allPlaces(world, home, targetsOf(exported, subpath));
  if (subpath !== '.') {
    yield* allPlaces(world, home, [subpath]);
    yield* inside(home, `src/${subpath}`);
    return;
  }
  const mains = ['source', 'types', 'module', 'main'].map((key) => manifest?.[key]);
  yield* allPlaces(
    world,
    home,
    mains.filter((target) => typeof target === 'string'),
  );
  for (const entry of ENTRIES) yield below(home, entry);
}

const ENTRIES = ['src/index', 'index', 'lib/index', 'src/main', 'source/index', 'src/mod', 'mod'];

/** All files that a manifest names as what the package is used by. */
export function namedTargets(manifest: Manifest): string[] {
  return ['source', 'types', 'module', 'main', 'bin', 'exports'].flatMap((key) => leaves(manifest[key], '*'));
}

/** As written, what a build makes last: its source comes before it, and code before declarations, which do nothing. */
function* allPlaces(world: World, home: string, targets: readonly string[]): Generator<string> {
  const written = targets.filter((target) => !DECLARATION.test(target));
  const isMade = (target: string) => target.split('/').some((segment) => OUTPUT.test(segment));
  const sources = targets.map((target) => sourcesOf(world, home, target));
  for (const target of written) if (!isMade(target)) yield* inside(home, target);
  for (const { likely } of sources) yield* likely;
  for (const target of written) if (isMade(target)) yield* inside(home, target);
  for (const { possible } of sources) yield* possible;
  for (const target of targets) yield* inside(home, target);
}

/** Where the source of what a build makes may lie. */
export function sourcePlaces(world: World, home: string, target: string): string[] {
  const { likely, possible } = sourcesOf(world, home, target);
  return [...likely, ...possible];
}

/** What `#name` stands for by the `imports` of the package around a directory: a path, or else the name of a package. */
export function* importsTargets(world: World, directory: string, module: string): Generator<ImportsTarget> {
  const home = nearestPackage(world, directory);
  if (home === undefined) return;
  const imports = world.file(below(home, 'package.json'))?.manifest?.['imports'];
  for (const target of targetsOf(imports, module)) {
    if (!target.startsWith('.')) yield { package: target };
    else for (const path of allPlaces(world, home, [target])) yield { path };
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

/**
 * What a build makes is not indexed as a rule: its source lies where the compiler's settings say, or in `src` under the same
 * name; possibly where the output would be without the directory of the output.
 */
function sourcesOf(world: World, home: string, target: string) {
  const likely: string[] = [];
  const possible: string[] = [];
  const path = join(home, target);
  if (path === undefined || (home !== '' && !path.startsWith(`${home}/`))) return { likely, possible };
  const stem = path.replace(CODE_EXTENSION, '').replace(FORMAT, '');
  const config = configOf(world, home);
  if (config?.outDir !== undefined && stem.startsWith(`${config.outDir}/`)) {
    const rest = stem.slice(config.outDir.length + 1);
    likely.push(below(config.rootDir ?? home, rest));
    if (config.rootDir === undefined) likely.push(below(below(home, 'src'), rest));
  }
  const segments = (home === '' ? stem : stem.slice(home.length + 1)).split('/');
  for (let at = 0; at < segments.length - 1; at += 1) {
    if (!OUTPUT.test(segments[at] ?? '')) continue;
    const [before, rest] = [segments.slice(0, at), segments.slice(at + 1)];
    const inner = before.reduce(below, home);
    likely.push(rest.reduce(below, below(inner, 'src')));
    if (before.length > 0) likely.push(rest.reduce(below, before.reduce(below, below(home, 'src'))));
    // A build of all packages keeps their paths: `dist/packages/a/src/b.js`.
    const source = rest.indexOf('src');
    if (source >= 0) likely.push(rest.slice(source).reduce(below, home));
    possible.push(rest.reduce(below, inner));
  }
  return { likely, possible };
}

function* inside(home: string, target: string): Generator<string> {
  const path = join(home, target);
  if (path !== undefined) yield path;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
