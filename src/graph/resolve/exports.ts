import type { Expression } from '../model/expression.ts';
import type { Export, FileFacts, Import } from '../model/facts.ts';
import type { Meaning } from './meaning.ts';
import { childrenNamed } from './file-table.ts';
import { rulesOf } from './language-rules.ts';
import { moduleNames } from './module-names.ts';
import { findModule } from './find-module.ts';
import { namedIn } from './qualified-names.ts';
import { includedFiles } from './included-files.ts';
import type { World } from './world.ts';

type Path = ReadonlySet<string>;

const NONE: readonly Meaning[] = [];
const OUTSIDE: readonly Meaning[] = [{ is: 'outside' }];
const START: Path = new Set();

/** What others get when they ask this file for a name; `*` is the module itself, `default` its default export. */
export function exportsNamed(world: World, file: FileFacts, name: string): readonly Meaning[] {
  return named(world, file, name, START);
}

/** What an import binds its local name to. Nothing when the module should be there and is not, or lacks the name. */
export function importMeanings(world: World, file: FileFacts, entry: Import): readonly Meaning[] {
  return imported(world, file, entry, START);
}

/** What a name means that is not written in this file but may come by `from x import *` and its like. */
export function starMeanings(
  world: World,
  file: FileFacts,
  name: string,
  stars: readonly Import[] = moduleNames(file).stars,
): readonly Meaning[] {
  return fromStars(world, file, name, START, stars);
}

function named(world: World, file: FileFacts, name: string, path: Path): readonly Meaning[] {
  const step = `${file.path}\0${name}`;
  if (path.has(step)) return NONE;
  const further = new Set(path).add(step);
  if (file.path === '') return builtInNamed(file, name);
  const rules = rulesOf(file.language);
  if (rules.exportsAll) return anyNamed(world, file, name, further);
  if (rules.includesFiles) return includedNamed(world, file, name);
  if (name === '*') return [...replaced(world, file, undefined, further), { is: 'module', files: [file] }];
  const names = moduleNames(file);
  const found: Meaning[] = [];
  const own = names.definitions.get(name) ?? [];
  for (const index of own) {
    if (file.definitions[index]?.exported === true) found.push({ is: 'definition', file, index });
  }
  for (const entry of names.exports.get(name) ?? []) addNew(found, exported(world, file, entry, further));
  if (found.length > 0) return found;
  if (name === 'default' && (rules.defaultIsModule || names.exports.has('='))) {
    return [...replaced(world, file, undefined, further), { is: 'module', files: [file] }];
  }
  if (names.exports.has('=')) return replaced(world, file, name, further);
  if (!rules.hidesUnexported && own.length > 0) return own.map((index) => ({ is: 'definition', file, index }));
  if (rules.importsNested) return nestedNamed(file, name);
  if (rules.passesImportsOn) {
    const near = local(world, file, name, further);
    return near.length > 0 ? near : fromStars(world, file, name, further);
  }
  return name === 'default' ? NONE : fromStarExports(world, file, name, further);
}

/** What is included is passed on. */
function includedNamed(world: World, file: FileFacts, name: string): readonly Meaning[] {
  if (name === '*') return [{ is: 'module', files: [file] }];
  const own = moduleNames(file).definitions.get(name);
  if (own !== undefined) return own.map((index) => ({ is: 'definition', file, index }));
  const files = includedFiles(world, file);
  const found: Meaning[] = [];
  for (const one of namedIn(world, file, '', name)) {
    if (files.has(one.file)) found.push({ is: 'definition', file: one.file, index: one.index });
  }
  return found;
}

/** What a language brings with it is not all written down. */
function builtInNamed(file: FileFacts, name: string): readonly Meaning[] {
  if (name === '*') return [{ is: 'module', files: [file] }];
  const own = moduleNames(file).definitions.get(name);
  return own === undefined ? OUTSIDE : own.map((index) => ({ is: 'definition', file, index }));
}

/** Classes inside classes and static members are imported by their own names. */
function nestedNamed(file: FileFacts, name: string): readonly Meaning[] {
  const found: Meaning[] = [];
  for (const [index, definition] of file.definitions.entries()) {
    if (definition.name === name && !definition.traits.includes('local')) found.push({ is: 'definition', file, index });
  }
  return found;
}

/** What `export =` or `module.exports =` put in the place of the module, or a member of that. */
function replaced(world: World, file: FileFacts, member: string | undefined, path: Path): readonly Meaning[] {
  const found: Meaning[] = [];
  for (const entry of moduleNames(file).exports.get('=') ?? []) {
    if (member === undefined) {
      addNew(found, exported(world, file, entry, path));
      continue;
    }
    const whole: Expression = entry.value ?? { is: 'name', name: entry.local, at: entry.at };
    const field = whole.is === 'record' ? whole.fields.find(([key]) => key === member)?.[1] : undefined;
    if (field?.is === 'name') addNew(found, local(world, file, field.name, path));
    else if (field !== undefined) found.push({ is: 'value', file, value: field });
    else if (whole.is !== 'record') found.push(...membersOf(world, file, whole, member, path));
  }
  return found;
}

function membersOf(world: World, file: FileFacts, whole: Expression, member: string, path: Path): readonly Meaning[] {
  const found: Meaning[] = [];
  if (whole.is === 'name') {
    for (const meaning of local(world, file, whole.name, path)) {
      if (meaning.is === 'module') for (const one of meaning.files) addNew(found, named(world, one, member, path));
      if (meaning.is === 'definition') {
        meaning.file.definitions.forEach(({ name, container }, index) => {
          if (container === meaning.index && name === member) {
            found.push({ is: 'definition', file: meaning.file, index });
          }
        });
      }
    }
  }
  return found.length > 0 ? found : [{ is: 'value', file, value: { is: 'member', of: whole, name: member } }];
}

function exported(world: World, file: FileFacts, entry: Export, path: Path): readonly Meaning[] {
  if (entry.module !== undefined) return from(world, file, entry.module, entry.local, path);
  const found = entry.local === '' ? NONE : local(world, file, entry.local, path);
  if (found.length > 0) return found;
  if (entry.value?.is === 'name') {
    const meant = local(world, file, entry.value.name, path);
    if (meant.length > 0) return meant;
  }
  return entry.value === undefined ? NONE : [{ is: 'value', file, value: entry.value }];
}

/** What a name means on the outer level of its own file. */
function local(world: World, file: FileFacts, name: string, path: Path): readonly Meaning[] {
  const names = moduleNames(file);
  const found: Meaning[] = [];
  for (const index of names.definitions.get(name) ?? []) found.push({ is: 'definition', file, index });
  for (const entry of names.imports.get(name) ?? []) addNew(found, imported(world, file, entry, path));
  return found;
}

function imported(world: World, file: FileFacts, entry: Import, path: Path): readonly Meaning[] {
  const { module, name, local: bound } = entry;
  const dot = module.indexOf('.');
  if (rulesOf(file.language).bindsTopPackage && name === '*' && dot > 0 && bound === module.slice(0, dot)) {
    return from(world, file, bound, '*', path);
  }
  return from(world, file, module, name, path);
}

function from(world: World, file: FileFacts, module: string, name: string, path: Path): readonly Meaning[] {
  const files = findModule(world, file, module);
  const { innerModule } = rulesOf(file.language);
  if (innerModule?.when === 'no-file' && typeof files === 'string' && name !== '*') {
    const inner = findModule(world, file, innerModule.pathOf(module, name));
    if (typeof inner !== 'string') return [{ is: 'module', files: inner }];
  }
  if (files === 'outside') return OUTSIDE;
  if (files === 'missing') return insidePath(world, file, module, name, path);
  if (name === '*' && files.length !== 1) return [{ is: 'module', files }];
  const found: Meaning[] = [];
  for (const target of files) addNew(found, named(world, target, name, path));
  if (innerModule?.when === 'no-name' && found.length === 0 && name !== '*') {
    const inner = findModule(world, file, innerModule.pathOf(module, name));
    if (typeof inner !== 'string') return [{ is: 'module', files: inner }];
  }
  return found;
}

/** A path may lead into a module or type that has no file of its own. */
function insidePath(world: World, file: FileFacts, module: string, name: string, path: Path): readonly Meaning[] {
  const parts = rulesOf(file.language).splitPath(module);
  const found: Meaning[] = [];
  if (parts === undefined) return found;
  for (const outer of from(world, file, parts[0], parts[1], path)) {
    if (outer.is === 'outside') return OUTSIDE;
    if (name === '*') found.push(outer);
    else if (outer.is === 'module') for (const one of outer.files) addNew(found, named(world, one, name, path));
    else if (outer.is === 'definition') {
      for (const index of childrenNamed(outer.file, outer.index, name)) {
        found.push({ is: 'definition', file: outer.file, index });
      }
    }
  }
  return found;
}

function fromStarExports(world: World, file: FileFacts, name: string, path: Path): readonly Meaning[] {
  let leadsOutside = false;
  for (const entry of moduleNames(file).starExports) {
    const files = entry.module === undefined ? 'missing' : findModule(world, file, entry.module);
    if (files === 'outside') leadsOutside = true;
    if (typeof files === 'string') continue;
    for (const target of files) {
      const found = named(world, target, name, path);
      if (found.some(({ is }) => is !== 'outside')) return found;
      leadsOutside ||= found.length > 0;
    }
  }
  return leadsOutside ? OUTSIDE : NONE;
}

/** What a file defines, imports or contains as a module. */
function anyNamed(world: World, file: FileFacts, name: string, path: Path): readonly Meaning[] {
  if (name === '*') return [{ is: 'module', files: [file] }];
  const found = local(world, file, name, path);
  if (found.length > 0) return found;
  const inner = rulesOf(file.language).submodule(world, file, name);
  if (inner !== undefined) return [{ is: 'module', files: [inner] }];
  return fromStars(world, file, name, path);
}

/** The last star that has the name wins, as later bindings do. */
function fromStars(
  world: World,
  file: FileFacts,
  name: string,
  path: Path,
  stars: readonly Import[] = moduleNames(file).stars,
): readonly Meaning[] {
  const { packageMembers, declarations } = rulesOf(file.language);
  let leadsOutside = false;
  for (let n = stars.length - 1; n >= 0; n--) {
    const star = stars[n];
    if (star !== undefined && packageMembers !== undefined) {
      const [located] = packageMembers(world, star.module, name);
      if (located !== undefined) return [{ is: 'definition', file: located.file, index: located.index }];
    }
    const files = star === undefined ? 'missing' : findModule(world, file, star.module);
    if (files === 'missing' && star !== undefined) {
      const found = insidePath(world, file, star.module, name, path);
      if (found.length > 0) return found;
    }
    // A package has its classes alone to give, which were asked for already.
    const isPackage = typeof files !== 'string' && files.some(({ package: own }) => own === star?.module);
    if (packageMembers !== undefined && isPackage) continue;
    if (files === 'outside') leadsOutside = true;
    if (typeof files === 'string') continue;
    for (const target of files) {
      if (!rulesOf(target.language).starOffers(target, name)) continue;
      const found = named(world, target, name, path);
      if (found.some(({ is }) => is !== 'outside')) return found;
      leadsOutside ||= found.length > 0;
    }
  }
  const declaring = declarations?.(world, file);
  const declared = declaring === undefined ? NONE : named(world, declaring, name, path);
  if (declared.length > 0) return declared;
  return leadsOutside ? OUTSIDE : NONE;
}

function addNew(found: Meaning[], more: readonly Meaning[]): void {
  for (const meaning of more) if (!found.some((known) => isSame(known, meaning))) found.push(meaning);
}

function isSame(a: Meaning, b: Meaning): boolean {
  if (a.is === 'outside') return b.is === 'outside';
  if (a.is === 'definition') return b.is === 'definition' && a.file === b.file && a.index === b.index;
  if (a.is === 'module') return b.is === 'module' && a.files.every((file, n) => file === b.files[n]);
  return a === b;
}
