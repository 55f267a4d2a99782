import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { pythonBuiltIns } from './built-ins.ts';
import { python as modules, starOffers, submodule } from './module-finder.ts';
import { roleOf } from './roles.ts';

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
