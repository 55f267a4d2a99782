import { below, directoryOf, join, upwards } from '../../../model/paths.ts';
import type { World } from '../../../resolve/world.ts';
import { homesOf, splitSpecifier } from './workspace.ts';

/** The settings of a tsconfig or jsconfig that lead from names to files, with those it extends. Paths are below the root. */
export interface CompilerPaths {
  readonly baseUrl?: string;
  readonly paths?: Readonly<Record<string, readonly string[]>>;
  /** What the targets of `paths` are relative to where there is no `baseUrl`. */
  readonly pathsBase?: string;
  readonly rootDir?: string;
  readonly outDir?: string;
}

const MOST_EXTENDED = 8;

/** Where a bare name may lead by `paths` and `baseUrl` of the configuration that a directory belongs to. */
export function* aliasTargets(world: World, directory: string, module: string): Generator<string> {
  const config = configOf(world, directory);
  if (config === undefined) return;
  const base = config.baseUrl ?? config.pathsBase;
  const matched = base === undefined ? undefined : matchPattern(Object.keys(config.paths ?? {}), module);
  if (matched !== undefined && base !== undefined) {
    for (const target of config.paths?.[matched.pattern] ?? []) {
      const path = join(
        base,
        target.replace(HOME, '').replace('*', () => matched.star),
      );
      if (path !== undefined) yield path;
    }
  }
  const path = config.baseUrl === undefined ? undefined : join(config.baseUrl, module);
  if (path !== undefined) yield path;
}

/** The configuration nearest to a directory. One that only lists others stands for those. */
export function configOf(world: World, directory: string): CompilerPaths | undefined {
  for (const above of upwards(directory)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const path = below(above, name);
      if (world.file(path)?.manifest !== undefined) return readConfig(world, path, above, MOST_EXTENDED);
    }
  }
  return undefined;
}

/** An exact pattern wins, then the longest prefix. */
export function matchPattern(
  patterns: readonly string[],
  name: string,
): { readonly pattern: string; readonly star: string } | undefined {
  let best: { pattern: string; star: string; length: number } | undefined;
  for (const pattern of patterns) {
    if (pattern === name) return { pattern, star: '' };
    const at = pattern.indexOf('*');
    if (at === -1 || at <= (best?.length ?? -1)) continue;
    const tail = pattern.slice(at + 1);
    if (name.length < at + tail.length || !name.startsWith(pattern.slice(0, at)) || !name.endsWith(tail)) continue;
    best = { pattern, star: name.slice(at, name.length - tail.length), length: at };
  }
  return best;
}

/** `home` is the directory of the configuration that is in force; this one may be what that one extends. */
function readConfig(world: World, path: string, home: string, left: number): CompilerPaths | undefined {
  const manifest = world.file(path)?.manifest;
  if (manifest === undefined || left === 0) return undefined;
  const directory = directoryOf(path);
  let config: CompilerPaths = {};
  for (const base of strings(manifest['extends'])) {
    const target = extendedPath(world, directory, base);
    const inherited = target === undefined ? undefined : readConfig(world, target, home, left - 1);
    if (inherited !== undefined) config = { ...config, ...inherited };
  }
  for (const key of ['baseUrl', 'rootDir', 'outDir'] as const) {
    const value = manifest[key];
    const at = typeof value === 'string' ? placeOf(value, directory, home) : undefined;
    if (at !== undefined) config = { ...config, [key]: at };
  }
  const paths = manifest['paths'] as CompilerPaths['paths'];
  if (paths !== undefined) config = { ...config, paths, pathsBase: usesHome(paths) ? home : directory };
  if (config.paths !== undefined && config.outDir !== undefined) return config;
  for (const reference of strings(manifest['references'])) {
    const target = join(directory, reference);
    if (target === undefined) continue;
    const file = target.endsWith('.json') ? target : below(target, 'tsconfig.json');
    const referenced = directoryOf(file) === directory ? readConfig(world, file, home, left - 1) : undefined;
    // What a part says holds where the whole says nothing.
    if (referenced !== undefined && config.paths === undefined) config = { ...config, ...referenced };
    else if (referenced !== undefined) config = { ...referenced, ...config };
  }
  return config;
}

const HOME = /^\$\{configDir\}\/?/;

function placeOf(value: string, directory: string, home: string): string | undefined {
  return HOME.test(value) ? join(home, value.replace(HOME, '')) : join(directory, value);
}

function usesHome(paths: NonNullable<CompilerPaths['paths']>): boolean {
  return Object.values(paths).some((targets) => targets.some((target) => HOME.test(target)));
}

function extendedPath(world: World, directory: string, base: string): string | undefined {
  if (base.startsWith('.') || base.startsWith('/')) return existing(world, join(directory, base));
  const { name, subpath } = splitSpecifier(base);
  for (const home of homesOf(world, directory, name)) {
    const found = existing(world, join(home, subpath === '.' ? 'tsconfig.json' : subpath));
    if (found !== undefined) return found;
  }
  return undefined;
}

function existing(world: World, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  for (const candidate of [path, `${path}.json`, below(path, 'tsconfig.json')]) {
    if (world.file(candidate)?.manifest !== undefined) return candidate;
  }
  return undefined;
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
