import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { pythonBuiltIns } from './built-ins.ts';
import { python as modules, starOffers, submodule } from './module-finder.ts';
import { strings } from '../../manifests/fields.ts';
import type { FileFlag } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import { isProductIn } from '../../model/role.ts';
import type { World } from '../../resolve/world.ts';

const MANIFESTS = ['pyproject.toml', 'setup.cfg'];

/** Where pytest looks for tests, and packages that are published from a place that looks like no product. */
function roleOf(world: World, path: string): FileFlag | undefined {
  for (const directory of upwards(directoryOf(path))) {
    for (const name of MANIFESTS) {
      const manifest = world.file(below(directory, name))?.manifest ?? {};
      const places = (key: string) => strings(manifest[key]).map((place) => join(directory, place) ?? '');
      if (places('packages').some((place) => isProductIn(path, place))) return 'product';
      if (places('tests').some((place) => place !== '' && path.startsWith(`${place}/`))) return 'test';
    }
  }
  return undefined;
}

export const python: LanguageRules = {
  ...COMMON,
  family: 'python',
  builtIns: pythonBuiltIns,
  modules,
  exportsAll: true,
  fieldsOverride: true,
  bindsTopPackage: true,
  constructors: ['__init__', '__new__'],
  allocator: '__new__',
  classMember: '__class__',
  callMember: '__call__',
  iterators: ['__iter__', '__aiter__'],
  enters: ['__enter__', '__aenter__'],
  list: 'list',
  promise: { name: 'Awaitable', isDeclared: false },
  generator: 'Generator',
  submodule,
  roleOf,
  // A directory without `__init__` is no file, but what lies in it can be imported from it.
  innerModule: {
    when: 'no-file',
    pathOf: (module, name) => (module.endsWith('.') ? module + name : `${module}.${name}`),
  },
  starOffers,
};
