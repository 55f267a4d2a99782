import type { Generic } from '../model/expression.ts';
import type { Binding, Definition, DefinitionKind, FileFacts } from '../model/facts.ts';
import { directoryOf } from '../model/paths.ts';
import { importMeanings, starMeanings } from './exports.ts';
import { childrenNamed, definitionAt, isBound, tableOf } from './file-table.ts';
import { rulesOf } from './language-rules.ts';
import type { Meaning } from './meaning.ts';
import { isClassLike } from './class-parts.ts';
import { membersOf } from './members.ts';
import { moduleNames } from './module-names.ts';
import { FOUND_OUTSIDE, NOT_FOUND, objectOf } from './resolution.ts';
import type { Lookup, Resolution } from './resolution.ts';
import { findGlobal, lookInsideIncluded } from './included-scope.ts';
import { isIn, meaningsOf } from './spaces.ts';
import type { Space } from './spaces.ts';

/** Innermost first: bindings and local definitions, the module, its imports, what the language adds. */
export function lookUp(r: Resolution, file: FileFacts, name: string, at: number, space: Space): Lookup {
  const binding = bindingAt(file, name, at, space);
  const look = rulesOf(file.language).includesFiles ? lookInsideIncluded : lookInside;
  const inner = look(r, file, name, at, space, binding);
  if (inner !== undefined) return inner;
  if (binding !== undefined) {
    const index = tableOf(file).locals.get(binding.at);
    if (index === undefined) return { meanings: [{ is: 'binding', file, binding }], by: 'scope' };
    const { container } = file.definitions[index] as Definition;
    // Overloads have the same range and container.
    const all = container === -1 ? [index] : childrenNamed(file, container, name);
    return {
      meanings: meaningsOf(file, all.length > 1 ? all.filter((one) => isSeen(file, one, binding)) : [index]),
      by: 'scope',
    };
  }
  return lookInModule(r, file, name, space);
}

/** What a name means on the outer level of a file. */
function lookInModule(r: Resolution, file: FileFacts, name: string, space: Space): Lookup {
  if (space === 'call') return findInModule(r, file, name, space);
  const lookups = space === 'type' ? r.typeLookups : r.valueLookups;
  let known = lookups.get(file);
  if (known === undefined) lookups.set(file, (known = new Map<string, Lookup>()));
  let lookup = known.get(name);
  if (lookup === undefined) known.set(name, (lookup = findInModule(r, file, name, space)));
  return lookup;
}

function findInModule(r: Resolution, file: FileFacts, name: string, space: Space): Lookup {
  const names = moduleNames(file);
  const own = names.definitions.get(name)?.filter((index) => !isBound(file, index)) ?? NONE;
  const { includesFiles, declarations, namesPackages } = rulesOf(file.language);
  if (includesFiles) return findGlobal(r, file, name, space, own);
  // What is a type here can be a value elsewhere, and the other way round.
  if (own.some((index) => isIn(space, file.definitions[index]?.kind))) {
    return { meanings: meaningsOf(file, own), by: 'scope' };
  }
  const imports = names.imports.get(name);
  if (imports !== undefined) {
    const meanings: Meaning[] = [];
    for (const entry of imports) meanings.push(...importMeanings(r.world, file, entry));
    return { meanings, by: 'import' };
  }
  const hasMore = names.stars.length > 0 || declarations !== undefined;
  const fromStars = hasMore ? starMeanings(r.world, file, name) : [];
  if (fromStars.some(({ is }) => is !== 'outside')) return { meanings: fromStars, by: 'import' };
  const around = lookAround(r, file, name);
  if (around.by !== 'nothing') return around;
  if (own.length > 0) return { meanings: meaningsOf(file, own), by: 'scope' };
  const packages = namesPackages ? packagesNamed(r, file, name) : [];
  if (packages.length > 0) return { meanings: packages, by: 'import' };
  // What nothing else explains may come from outside with all names of a module.
  return fromStars.length > 0 ? { meanings: fromStars, by: 'import' } : around;
}

const NONE: readonly number[] = [];

/** Packages that go by the name that their files say. */
function packagesNamed(r: Resolution, file: FileFacts, name: string): Meaning[] {
  const meanings: Meaning[] = [];
  for (const entry of file.imports) {
    if (entry.kind !== 'value') continue;
    for (const meaning of importMeanings(r.world, file, entry)) {
      if (meaning.is === 'module' && meaning.files.some((other) => other.package === name)) meanings.push(meaning);
    }
  }
  return meanings;
}

/** What another file's definition or the directory says to a name that its own file does not know. */
function lookAround(r: Resolution, file: FileFacts, name: string): Lookup {
  const { builtIns, sharesDirectory, isGlobal } = rulesOf(file.language);
  if (sharesDirectory !== false) {
    const meanings = namedNearby(r, file, name, sharesDirectory === 'package');
    if (meanings.length > 0) return { meanings, by: 'import' };
  }
  if (isGlobal(name)) {
    const [only, other] = r.world.named(name);
    if (only !== undefined && other === undefined) return { meanings: [{ is: 'definition', ...only }], by: 'package' };
  }
  const declared = moduleNames(builtIns.file).definitions.get(name);
  if (declared !== undefined) return { meanings: meaningsOf(builtIns.file, declared), by: 'built-in' };
  return builtIns.names.has(name) ? FOUND_OUTSIDE : NOT_FOUND;
}

function namedNearby(r: Resolution, file: FileFacts, name: string, inPackage: boolean): Meaning[] {
  const directory = directoryOf(file.path);
  const meanings: Meaning[] = [];
  for (const { file: other, index } of r.world.named(name)) {
    if (other.language !== file.language || other.package !== file.package) continue;
    if (!inPackage && directoryOf(other.path) !== directory) continue;
    if (moduleNames(other).definitions.get(name)?.includes(index) !== true) continue;
    meanings.push({ is: 'definition', file: other, index });
  }
  return meanings;
}

/** Definitions and imports inside the definitions around a place, as far as they are nearer than the binding. */
function lookInside(
  r: Resolution,
  file: FileFacts,
  name: string,
  at: number,
  space: Space,
  binding: Binding | undefined,
): Lookup | undefined {
  const { children, innerImports, innerNames, around } = tableOf(file);
  const imports = innerImports.get(name);
  const stars = innerImports.get('*');
  const { impliesThis } = rulesOf(file.language);
  if (imports === undefined && stars === undefined && !innerNames.has(name) && !impliesThis) return undefined;
  for (let index = definitionAt(file, at); index !== -1; index = around[index] ?? -1) {
    const outer = file.definitions[index] as Definition;
    if (binding !== undefined && outer.start < binding.from) return undefined;
    const found = children
      .get(index)
      ?.get(name)
      ?.filter((child) => !isBound(file, child));
    if (found !== undefined && found.length > 0 && (impliesThis || showsInside(outer.kind, file, found[0] ?? -1))) {
      if (found.some((child) => isIn(space, file.definitions[child]?.kind))) {
        // A class adds to the overloads that it inherits.
        const owner = space === 'call' && isClassLike(outer) ? { owner: objectOf(r, file, index, []) } : {};
        return { meanings: meaningsOf(file, found), by: 'scope', ...owner };
      }
    }
    const inherited = impliesThis ? lookInBases(r, file, index, name, space) : undefined;
    if (inherited !== undefined) return inherited;
    if (imports === undefined && stars === undefined) continue;
    const meanings: Meaning[] = [];
    for (const entry of imports ?? []) {
      if (entry.within === index) meanings.push(...importMeanings(r.world, file, entry));
    }
    if (meanings.length > 0) return { meanings, by: 'import' };
    for (const entry of stars ?? []) {
      if (entry.within === index) meanings.push(...starMeanings(r.world, file, name, [entry]));
    }
    if (meanings.some(({ is }) => is !== 'outside')) return { meanings, by: 'import' };
  }
  return undefined;
}

/** What the class that a definition is has from the classes it extends. */
function lookInBases(r: Resolution, file: FileFacts, index: number, name: string, space: Space): Lookup | undefined {
  const outer = file.definitions[index] as Definition;
  // The bases themselves are types, so that types cannot be looked for there.
  if (space === 'type' || (outer.bases.length === 0 && space !== 'call')) return undefined;
  if (!isClassLike(outer) || outer.kind === 'namespace') return undefined;
  const owner = objectOf(r, file, index, []);
  const meanings: Meaning[] = [];
  for (const member of membersOf(r, owner, name)) {
    if (member.file === undefined || member.file.path === '') continue;
    const { kind, traits } = member.file.definitions[member.index] as Definition;
    if (isIn(space, kind) || (space === 'call' && traits.includes('callable'))) {
      meanings.push({ is: 'definition', file: member.file, index: member.index });
    }
  }
  return meanings.length > 0 ? { meanings, by: 'class', owner } : undefined;
}

/** Members of classes are not in scope; what functions and namespaces contain is. */
function showsInside(outer: DefinitionKind, file: FileFacts, child: number): boolean {
  if (outer === 'namespace') return true;
  if (outer === 'function' || outer === 'method') return true;
  return file.definitions[child]?.traits.includes('local') === true;
}

/** Whether a local definition is seen exactly where a binding is. */
function isSeen(file: FileFacts, index: number, { name, from, to }: Binding): boolean {
  const at = file.definitions[index]?.at;
  const own = tableOf(file)
    .bindings.get(name)
    ?.find((binding) => binding.at === at);
  return own !== undefined && own.from === from && own.to === to;
}

/** The innermost binding; of several in one block the last before the place. */
function bindingAt(file: FileFacts, name: string, at: number, space: Space): Binding | undefined {
  const { bindings: all, locals } = tableOf(file);
  const bindings = all.get(name);
  if (bindings === undefined || space === 'call') return undefined;
  let best: Binding | undefined;
  for (const binding of bindings) {
    if (binding.from > at || binding.to <= at) continue;
    // Variables are no types; a class inside a function is.
    if (space === 'type' && !isIn('type', file.definitions[locals.get(binding.at) ?? -1]?.kind)) continue;
    if (best === undefined || isNearer(binding, best, at)) best = binding;
  }
  return best;
}

function isNearer(a: Binding, b: Binding, at: number): boolean {
  const size = a.to - a.from - (b.to - b.from);
  if (size !== 0) return size < 0;
  if (a.at > at) return false;
  return b.at > at || a.at >= b.at;
}

/** The type parameter a name means, if it means one. */
export function genericAt(file: FileFacts, name: string, at: number): Generic | undefined {
  const { generics, around } = tableOf(file);
  if (!generics.has(name)) return undefined;
  for (let index = definitionAt(file, at); index !== -1; index = around[index] ?? -1) {
    for (const generic of file.definitions[index]?.generics ?? []) if (generic.name === name) return generic;
  }
  return undefined;
}
