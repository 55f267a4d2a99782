import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { rustBuiltIns } from './built-ins.ts';
import { rust as modules, splitPath } from './module-finder.ts';
import { strings } from '../../manifests/fields.ts';
import type { FileFlag } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import type { World } from '../../resolve/world.ts';

const SAID: readonly (readonly [key: string, flag: FileFlag])[] = [
  ['programs', 'product'],
  ['tests', 'test'],
  ['samples', 'sample'],
];

/** Tests, examples and programs that a manifest places elsewhere than usual. */
function roleOf(world: World, path: string): FileFlag | undefined {
  for (const directory of upwards(directoryOf(path))) {
    const manifest = world.file(below(directory, 'Cargo.toml'))?.manifest;
    if (manifest === undefined) continue;
    for (const [key, flag] of SAID)
      for (const target of strings(manifest[key])) if (isPartOf(path, join(directory, target))) return flag;
    return undefined;
  }
  return undefined;
}

/** The target itself, or what lies with its `main.rs`. */
function isPartOf(path: string, target: string | undefined): boolean {
  if (target === undefined) return false;
  return path === target || (target.endsWith('/main.rs') && path.startsWith(target.slice(0, -'main.rs'.length)));
}

export const rust: LanguageRules = {
  ...COMMON,
  family: 'rust',
  builtIns: rustBuiltIns,
  modules,
  passesImportsOn: true,
  // A macro is seen by all that comes after it, in files of modules as well.
  isGlobal: (name) => name.endsWith('!'),
  addsMembers: true,
  traitsInScope: true,
  iterators: ['iter', 'into_iter'],
  list: 'Vec',
  promise: { name: 'Future', isDeclared: false },
  // A module may be declared where it is not seen, as inside of a macro; its file is there.
  innerModule: { when: 'no-name', pathOf: (module, name) => `${module}::${name}` },
  splitPath,
  roleOf,
};
