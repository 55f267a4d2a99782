import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { typescriptBuiltIns } from './built-ins.ts';
import { typescript as modules } from './module-finder/find.ts';
import type { FileFlag } from '../../model/facts.ts';
import { below, directoryOf } from '../../model/paths.ts';
import { isProductIn } from '../../model/role.ts';
import type { World } from '../../resolve/world.ts';
import { namedTargets, sourcePlaces } from './module-finder/packages.ts';
import { nearestPackage } from './module-finder/workspace.ts';

const DECLARATION = /\.d\.[cm]?ts$/;
const CODE = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs'];

/** Declarations that a package has of its own sources, and what it publishes from a place that looks like no product. */
function roleOf(world: World, path: string, isProduction: boolean): FileFlag | undefined {
  if (isProduction && !DECLARATION.test(path)) return undefined;
  const home = nearestPackage(world, directoryOf(path));
  const manifest = home === undefined ? undefined : world.file(below(home, 'package.json'))?.manifest;
  if (home === undefined || manifest === undefined) return undefined;
  const inside = home === '' ? path : path.slice(home.length + 1);
  const targets = namedTargets(manifest);
  if (isProduction) {
    const isNamed = targets.some((target) => DECLARATION.test(target) && topOf(target) === topOf(inside));
    return isNamed && hasSource(world, sourcePlaces(world, home, inside), path) ? 'generated' : undefined;
  }
  if (manifest['private'] === true) return undefined;
  const places = targets.flatMap((target) => [below(home, plain(target)), ...sourcePlaces(world, home, target)]);
  return places.some((place) => isBeside(path, place)) ? 'product' : undefined;
}

function hasSource(world: World, places: readonly string[], path: string): boolean {
  return places.some((place) =>
    CODE.some((ending) => `${place}${ending}` !== path && world.file(`${place}${ending}`) !== undefined),
  );
}

function plain(target: string): string {
  return target.replace(/^\.\//, '');
}

/** The directory that a path starts with; empty for a file of the package itself. */
function topOf(path: string): string {
  const own = plain(path);
  return own.includes('/') ? own.slice(0, own.indexOf('/')) : '';
}

/** In the directory of what is published, or below. */
function isBeside(path: string, place: string): boolean {
  const directory = directoryOf(place);
  return directory === '' ? path === place : isProductIn(path, directory);
}

export const typescript: LanguageRules = {
  ...COMMON,
  family: 'typescript',
  builtIns: typescriptBuiltIns,
  modules,
  hidesUnexported: true,
  separatesStatic: true,
  fieldsOverride: true,
  constructors: ['constructor'],
  iterators: ['[Symbol.iterator]', '[Symbol.asyncIterator]'],
  list: 'Array',
  promise: { name: 'Promise', isDeclared: true },
  generator: 'Generator',
  roleOf,
};

/** An import of CommonJS by default gives all that it exports. */
export const javascript: LanguageRules = { ...typescript, defaultIsModule: true };
