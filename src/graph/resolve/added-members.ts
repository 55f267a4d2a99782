import type { Definition, FileFacts } from '../model/facts.ts';
import { rulesOf } from './language-rules.ts';
import { addedTo, namedIn, qualifiedName } from './qualified-names.ts';
import type { Resolution } from './resolution.ts';
import { makeEnv } from './types.ts';
import type { Env, Member, Type } from './types.ts';
import type { Located } from './world.ts';

/** What is written for a type elsewhere: every definition of the name that says so is asked whose it is. */
export function addedMembers(
  r: Resolution,
  file: FileFacts,
  index: number,
  name: string,
  env: Env,
  args: readonly Type[],
): readonly Member[] {
  if (rulesOf(file.language).includesFiles) {
    const opened = openedElsewhere(r, file, index, name);
    const all = opened.length > 0 ? opened : writtenOutside(r, file, index, name);
    return all.map((one) => ({ file: one.file, index: one.index, env }));
  }
  const found: Member[] = [];
  const owner = file.definitions[index]?.name;
  for (const located of r.world.named(name)) {
    const definition = located.file.definitions[located.index] as Definition;
    if (located.file.language !== file.language) continue;
    const outer = located.file.definitions[definition.container];
    for (const { how, type } of [...definition.bases, ...(outer?.bases ?? [])]) {
      if (how !== 'adds' || headName(type) !== owner) continue;
      const whose = r.type(r, located.file, type, r.root);
      if (whose.is === 'object' && whose.file === file && whose.index === index) {
        found.push({ file: located.file, index: located.index, env: addedEnv(located.file, located.index, args, env) });
        break;
      }
    }
  }
  return found;
}

/** What a namespace, or a class where those can be opened again, has in other files that open it. */
export function openedElsewhere(r: Resolution, file: FileFacts, index: number, name: string): readonly Located[] {
  const { includesFiles, opensClasses } = rulesOf(file.language);
  if (file.path === '' || !includesFiles) return [];
  if (!opensClasses && file.definitions[index]?.kind !== 'namespace') return [];
  const container = qualifiedName(file, index);
  return container === undefined ? [] : namedIn(r.world, file, container, name).filter((one) => one.file !== file);
}

/** Methods of a class that stand outside it, which may leave out namespaces that are in use there. */
function writtenOutside(r: Resolution, file: FileFacts, index: number, name: string): readonly Located[] {
  if (rulesOf(file.language).opensClasses || file.path === '') return [];
  for (let owner = qualifiedName(file, index) ?? ''; owner !== ''; owner = owner.slice(owner.indexOf('.') + 1)) {
    const found = namedIn(r.world, file, owner, name).filter((one) => isWrittenFor(r, one, file, index));
    if (found.length > 0 || !owner.includes('.')) return found;
  }
  return [];
}

function isWrittenFor(r: Resolution, one: Located, file: FileFacts, index: number): boolean {
  const definition = one.file.definitions[one.index] as Definition;
  if (addedTo(definition) === undefined) return false;
  const type = definition.bases.find(({ how }) => how === 'adds')?.type;
  const whose = type && r.type(r, one.file, type, r.root);
  return whose?.is === 'object' && whose.file === file && whose.index === index;
}

/** What is written for `Foo<T>` calls the type arguments by names of its own. */
export function addedEnv(file: FileFacts, index: number, args: readonly Type[], env: Env): Env {
  const { bases, generics } = file.definitions[index] as Definition;
  if (args.length === 0 || generics.length === 0) return env;
  const type = bases.find(({ how }) => how === 'adds')?.type;
  if (type?.is !== 'apply') return env;
  const types = new Map(env.types);
  for (const [n, named] of type.types.entries()) {
    const generic = named.is === 'name' ? generics.find(({ name }) => name === named.name) : undefined;
    const arg = args[n];
    if (generic !== undefined && arg !== undefined) types.set(generic, arg);
  }
  return makeEnv(env.self, types, env.inline);
}

function headName(type: Definition['bases'][number]['type']): string | undefined {
  if (type.is === 'name' || type.is === 'member') return type.name;
  return type.is === 'apply' ? headName(type.of) : undefined;
}
