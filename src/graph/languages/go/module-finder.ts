import type { FileFacts } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import type { World } from '../../resolve/world.ts';
import type { ModuleFinder } from '../module-finder.ts';
import { packagesNamed } from '../packages-named.ts';

/** A module's directory, and what its import paths start with. */
interface GoModule {
  readonly directory: string;
  readonly prefix: string;
}

/** Import paths by `go.mod`, its `replace` lines and `go.work`; a package is all files of its directory but the tests. */
export const go: ModuleFinder = {
  find(world, from, module) {
    const own = moduleAround(world, directoryOf(from.path));
    if (own === undefined) return withoutModule(world, module);
    const known = [own, ...replaced(world, below(own.directory, 'go.mod')), ...workspace(world, own.directory)];
    // One module may be called like a directory of another: the longer name is meant.
    const near = known.toSorted((a, b) => b.prefix.length - a.prefix.length);
    const isOwn = restOf(module, own.prefix) !== undefined;
    return packageOf(world, near, module) ?? inAnyModule(world, own, module) ?? (isOwn ? 'missing' : 'outside');
  },
};

function packageOf(world: World, modules: readonly GoModule[], module: string): FileFacts[] | undefined {
  for (const { directory, prefix } of modules) {
    const rest = restOf(module, prefix);
    const files = rest === undefined ? [] : packageIn(world, rest === '' ? directory : below(directory, rest));
    if (files.length > 0) return files;
  }
  return undefined;
}

/** Modules of one repository may need each other's releases: the source of those is here. */
function inAnyModule(world: World, own: GoModule, module: string): FileFacts[] | undefined {
  // What has no host before it comes with the language, or is known by `go.work`.
  if (!/^[^/]*\./.test(module)) return undefined;
  for (let prefix = module; prefix.includes('/'); prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
    const homes = packagesNamed(world, own.directory, prefix, { own: 'go.mod' });
    const found = packageOf(
      world,
      homes.map((directory) => ({ directory, prefix })),
      module,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function moduleAround(world: World, directory: string): GoModule | undefined {
  for (const at of upwards(directory)) {
    const prefix = world.file(below(at, 'go.mod'))?.manifest?.['module'];
    if (typeof prefix === 'string') return { directory: at, prefix };
  }
  return undefined;
}

function replaced(world: World, manifest: string): GoModule[] {
  const replace = world.file(manifest)?.manifest?.['replace'];
  const found: GoModule[] = [];
  if (typeof replace !== 'object' || replace === null) return found;
  for (const [prefix, to] of Object.entries(replace)) {
    const at = typeof to === 'string' ? join(directoryOf(manifest), to) : undefined;
    if (at !== undefined) found.push({ directory: at, prefix });
  }
  return found;
}

function workspace(world: World, directory: string): GoModule[] {
  for (const around of upwards(directory)) {
    const path = below(around, 'go.work');
    const use = world.file(path)?.manifest?.['use'];
    if (!Array.isArray(use)) continue;
    const found = replaced(world, path);
    for (const entry of use) {
      const at = typeof entry === 'string' ? join(around, entry) : undefined;
      const prefix = at === undefined ? undefined : world.file(below(at, 'go.mod'))?.manifest?.['module'];
      if (at !== undefined && typeof prefix === 'string') found.push({ directory: at, prefix });
    }
    return found;
  }
  return [];
}

/** Undefined when the import is not below the prefix. */
function restOf(module: string, prefix: string): string | undefined {
  if (module === prefix) return '';
  return module.startsWith(`${prefix}/`) ? module.slice(prefix.length + 1) : undefined;
}

function packageIn(world: World, directory: string): FileFacts[] {
  const files: FileFacts[] = [];
  for (const path of world.directory(directory)) {
    if (!path.endsWith('.go') || path.endsWith('_test.go')) continue;
    const file = world.file(path);
    if (file !== undefined) files.push(file);
  }
  return files;
}

/** A tree below `GOPATH` has no `go.mod`: a path of host, owner and name leads to its root. */
function withoutModule(world: World, module: string): readonly FileFacts[] | 'outside' {
  const segments = module.split('/');
  if (segments.length < 3 || segments[0]?.includes('.') !== true) return 'outside';
  const files = packageIn(world, segments.slice(3).join('/'));
  return files.length > 0 ? files : 'outside';
}
