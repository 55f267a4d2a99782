import type { FileFacts } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import { moduleNames } from '../../resolve/module-names.ts';
import type { World } from '../../resolve/world.ts';
import { listedFile } from '../../resolve/listed-file.ts';
import type { ModuleFinder } from '../module-finder.ts';
import { STANDARD_LIBRARY } from './standard-library.ts';

const PROJECT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg'];

export const python: ModuleFinder = {
  find(world, from, module) {
    if (INCLUDED.test(module)) return findIncluded(world, from, module);
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const segments = module
      .slice(dots)
      .split('.')
      .filter((segment) => segment !== '');
    return dots > 0 ? findRelative(world, from, dots, segments) : findAbsolute(world, from, segments);
  },
};

/** Cython includes by path: what ends like a file is no module. */
const INCLUDED = /\.(?:pxi|pyx|pxd)$/;

/** Beside the file that includes it, or below a directory around it, where paths to look in are said to the compiler. */
function findIncluded(world: World, from: FileFacts, path: string) {
  for (const directory of upwards(directoryOf(from.path))) {
    const target = join(directory, path);
    const found = target === undefined || target === from.path ? undefined : listedFile(world, target);
    if (found !== undefined) return [found];
  }
  return 'missing';
}

/** What declares the C side of a Cython module, whose names the module has without saying so. */
export function declarationsOf(world: World, file: FileFacts): FileFacts | undefined {
  return file.path.endsWith('.pyx') ? listedFile(world, `${file.path.slice(0, -4)}.pxd`) : undefined;
}

/** A module or package inside the package whose `__init__` this file is. */
export function submodule(world: World, file: FileFacts, name: string): FileFacts | undefined {
  return isInit(file.path) ? moduleAt(world, directoryOf(file.path), [name]) : undefined;
}

/** Whether `from file import *` brings a name: what `__all__` lists, else all without a leading underscore. */
export function starOffers(file: FileFacts, name: string): boolean {
  const names = listedNames(file);
  return names === undefined ? !name.startsWith('_') : names.has(name);
}

const listed = new WeakMap<FileFacts, ReadonlySet<string> | null>();

function listedNames(file: FileFacts): ReadonlySet<string> | undefined {
  let names = listed.get(file);
  if (names === undefined) listed.set(file, (names = readAll(file)));
  return names ?? undefined;
}

/** Null when there is no list, or one that is put together in ways that only running it would show. */
function readAll(file: FileFacts): ReadonlySet<string> | null {
  const lists = moduleNames(file).definitions.get('__all__') ?? [];
  const values = lists.flatMap((index) => file.definitions[index]?.values ?? []);
  if (values.some(({ is }) => is !== 'tuple')) return null;
  return file.exports.length === 0 ? null : new Set(file.exports.map(({ name }) => name));
}

function findRelative(world: World, from: FileFacts, dots: number, segments: readonly string[]) {
  const directory = join(directoryOf(from.path), '../'.repeat(dots - 1));
  const found = directory === undefined ? undefined : moduleAt(world, directory, segments);
  return found === undefined ? 'missing' : [found];
}

function findAbsolute(world: World, from: FileFacts, segments: readonly string[]) {
  const [top = ''] = segments;
  const isStandard = STANDARD_LIBRARY.has(top);
  const roots = isStandard ? nearRoots(world, from) : sourceRoots(world, from, top);
  for (const root of roots) {
    const found = moduleAt(world, root, segments);
    if (found !== undefined) return [found];
  }
  if (segments.length === 1 || isStandard) return 'outside';
  return roots.some((root) => moduleAt(world, root, [top]) !== undefined) ? 'missing' : 'outside';
}

/** Where the outermost package lies that this file is part of; its own directory when it is in none. */
function nearRoots(world: World, from: FileFacts): string[] {
  let directory = directoryOf(from.path);
  while (directory !== '' && hasInit(world, directory)) directory = directoryOf(directory);
  return [directory];
}

function sourceRoots(world: World, from: FileFacts, top: string): string[] {
  const roots = new Set(nearRoots(world, from));
  for (const directory of upwards(directoryOf(from.path))) {
    const isProject = PROJECT_FILES.some((name) => world.file(below(directory, name)) !== undefined);
    if (isProject) addProject(world, roots, directory);
  }
  addProject(world, roots, '');
  for (const { file } of world.named(top)) {
    if (file.language === 'manifest') addProject(world, roots, directoryOf(file.path));
  }
  roots.add(directoryOf(from.path));
  return [...roots];
}

function addProject(world: World, roots: Set<string>, directory: string): void {
  roots.add(directory);
  roots.add(below(directory, 'src'));
  const hints = world.file(below(directory, 'pyproject.toml'))?.manifest?.['roots'];
  for (const hint of Array.isArray(hints) ? hints : []) {
    const root = typeof hint === 'string' ? join(directory, hint) : undefined;
    if (root !== undefined) roots.add(root);
  }
}

const INITS = ['__init__.py', '__init__.pyi', '__init__.pyx', '__init__.pxd'];
const MODULES = ['.py', '.pyi'];
const CYTHON = ['.pyx', '.pxd'];

/**
 * A package before a module of the same name, as Python looks; source before stubs, which only say what a module offers.
 * Directories are listed instead of files tried: most imports lead out of the project, and each try is a question to keep.
 */
function moduleAt(world: World, directory: string, segments: readonly string[]): FileFacts | undefined {
  const path = segments.reduce(below, directory);
  const inside = world.directory(path);
  const beside = segments.length === 0 ? NOTHING : world.directory(directoryOf(path));
  const isIn = (files: readonly string[], file: string): boolean => files.length > 0 && files.includes(file);
  const [init = '', ...others] = inside.length === 0 ? NOTHING : INITS;
  if (isIn(inside, below(path, init))) return world.file(below(path, init));
  for (const ending of MODULES) if (isIn(beside, path + ending)) return world.file(path + ending);
  for (const other of others) if (isIn(inside, below(path, other))) return world.file(below(path, other));
  for (const ending of CYTHON) if (isIn(beside, path + ending)) return world.file(path + ending);
  return undefined;
}

const NOTHING: readonly string[] = [];

function hasInit(world: World, directory: string): boolean {
  const inside = world.directory(directory);
  return INITS.some((name) => inside.includes(below(directory, name)));
}

function isInit(path: string): boolean {
  return /(^|\/)__init__\.(?:pyi?|pyx|pxd)$/.test(path);
}
