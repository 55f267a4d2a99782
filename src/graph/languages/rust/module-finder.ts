import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import { rustBuiltIns } from './built-ins.ts';
import type { World } from '../../resolve/world.ts';
import type { ModuleFinder } from '../module-finder.ts';
import { isFellow, packagesNamed } from '../packages-named.ts';
import type { ManifestNames } from '../packages-named.ts';

const STANDARD = new Set(['std', 'core', 'alloc']);
/** Files that are the root of a crate by their name or place. */
const ROOTS = ['src/lib.rs', 'src/main.rs'];

/** Paths of modules, `crate`, `self` and `super` included; the first name may be a crate of the workspace. */
export const rust: ModuleFinder = {
  find(world, from, module) {
    const segments = module.split('::').filter((segment) => segment !== '');
    const [first = ''] = segments;
    const own = crateOf(world, from.path);
    let at: string | undefined;
    let used = 1;
    if (first === 'crate') at = own?.root;
    else if (first === 'self') at = from.path;
    else if (first === 'super') {
      at = from.path;
      for (used = 0; segments[used] === 'super' && at !== undefined; used++) at = parentOf(world, at);
    } else {
      at = childOf(world, from.path, first);
      if (at === undefined && STANDARD.has(first)) return [rustBuiltIns.file];
      at ??= crateNamed(world, own?.directory, first);
      if (at === undefined) return 'outside';
    }
    for (const segment of segments.slice(used)) at = at === undefined ? undefined : childOf(world, at, segment);
    const file = at === undefined ? undefined : world.file(at);
    return file === undefined ? 'missing' : [file];
  },
};

interface Crate {
  readonly directory: string;
  readonly root: string;
}

/** The package around a file and the root of the crate that the file is part of. */
function crateOf(world: World, path: string): Crate | undefined {
  for (const directory of upwards(directoryOf(path))) {
    const manifest = world.file(below(directory, 'Cargo.toml'))?.manifest;
    if (typeof manifest?.['name'] !== 'string') continue;
    // Tests, examples and programs beside the library are crates of their own.
    const rest = directory === '' ? path : path.slice(directory.length + 1);
    const alone = /^(?:(?:tests|examples|benches|src\/bin)\/)([^/]+)(?:\.rs|\/)/.exec(rest);
    if (alone !== null) {
      const folder = rest.slice(0, rest.indexOf(alone[1] ?? ''));
      for (const root of [`${folder}${alone[1]}.rs`, `${folder}${alone[1]}/main.rs`]) {
        if (world.file(below(directory, root)) !== undefined) return { directory, root: below(directory, root) };
      }
      // What several of them share, or what they read: no part of the library.
      if (!folder.startsWith('src/')) return { directory, root: path };
    }
    const lib = manifest['lib'];
    const roots = typeof lib === 'string' ? [lib, ...ROOTS] : rest === 'src/main.rs' ? ['src/main.rs'] : ROOTS;
    for (const root of roots) {
      if (world.file(below(directory, root)) !== undefined) return { directory, root: below(directory, root) };
    }
    return { directory, root: path };
  }
  // Without a manifest: the nearest file that can be a root.
  for (const directory of upwards(directoryOf(path))) {
    for (const root of ['lib.rs', 'main.rs']) {
      if (world.file(below(directory, root)) !== undefined) return { directory, root: below(directory, root) };
    }
  }
  return undefined;
}

/** Where a file's child modules lie: beside it for a root or `mod.rs`, else in a directory of its name. */
function homeOf(path: string): string {
  const directory = directoryOf(path);
  const name = path.slice(directory === '' ? 0 : directory.length + 1);
  if (name === 'mod.rs' || name === 'lib.rs' || name === 'main.rs' || isAloneRoot(directory)) return directory;
  return below(directory, name.replace(/\.rs$/, ''));
}

function isAloneRoot(directory: string): boolean {
  return /(?:^|\/)(?:tests|examples|benches|src\/bin)$/.test(directory);
}

function childOf(world: World, path: string, name: string): string | undefined {
  const home = homeOf(path);
  for (const child of [below(home, `${name}.rs`), below(home, `${name}/mod.rs`)]) {
    if (child !== path && world.file(child) !== undefined) return child;
  }
  return undefined;
}

function parentOf(world: World, path: string): string | undefined {
  const directory = directoryOf(path);
  const isMod = path.endsWith('/mod.rs');
  const home = isMod ? directoryOf(directory) : directory;
  for (const name of ['mod.rs', 'lib.rs', 'main.rs']) {
    const parent = below(home, name);
    if (parent !== path && world.file(parent) !== undefined) return parent;
  }
  const named = home === '' ? undefined : `${home}.rs`;
  return named !== undefined && world.file(named) !== undefined ? named : undefined;
}

const MANIFESTS: ManifestNames = { own: 'Cargo.toml' };

/** A crate by its name: a dependency by path, else the package's own library, else a member of the workspace. */
function crateNamed(world: World, directory: string | undefined, name: string): string | undefined {
  if (directory === undefined) return undefined;
  for (const around of upwards(directory)) {
    const manifest = world.file(below(around, MANIFESTS.own))?.manifest;
    if (manifest === undefined) continue;
    if (manifest['name'] === name) return libraryIn(world, around);
    const paths = manifest['paths'];
    const path = typeof paths === 'object' && paths !== null ? (paths as Record<string, unknown>)[name] : undefined;
    const library = typeof path === 'string' ? libraryIn(world, join(around, path)) : undefined;
    if (library !== undefined) return library;
  }
  // What is not in the workspace is an example or a fixture: the dependency of that name is another one.
  for (const home of packagesNamed(world, directory, name, MANIFESTS)) {
    const library = isFellow(world, directory, home, MANIFESTS) ? libraryIn(world, home) : undefined;
    if (library !== undefined) return library;
  }
  return undefined;
}

function libraryIn(world: World, directory: string | undefined): string | undefined {
  if (directory === undefined) return undefined;
  const lib = world.file(below(directory, 'Cargo.toml'))?.manifest?.['lib'];
  for (const root of typeof lib === 'string' ? [lib, ...ROOTS] : ROOTS) {
    if (world.file(below(directory, root)) !== undefined) return below(directory, root);
  }
  return undefined;
}

/** What a path stands for that is no file: an inline module or a type, as its parent and its name there. */
export function splitPath(module: string): readonly [parent: string, name: string] | undefined {
  const cut = module.lastIndexOf('::');
  return cut === -1 ? undefined : [module.slice(0, cut), module.slice(cut + 2)];
}
