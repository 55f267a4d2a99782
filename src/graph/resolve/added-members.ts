import type { Definition, FileFacts } from '../facts.ts';
import type { Member } from './members.ts';
import type { Resolution } from './resolution.ts';
import { makeEnv } from './types.ts';
import type { Env, Type } from './types.ts';

/** What is written for a type elsewhere: every definition of the name that says so is asked whose it is. */
export function addedMembers(
  r: Resolution,
  file: FileFacts,
  index: number,
  name: string,
  env: Env,
  args: readonly Type[],
): readonly Member[] {
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
