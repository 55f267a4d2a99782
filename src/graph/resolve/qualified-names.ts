import type { Expression } from '../model/expression.ts';
import type { Definition, FileFacts } from '../model/facts.ts';
import { rulesOf } from './language-rules.ts';
import type { Located, World } from './world.ts';

/** Definitions of one name, by what they are written in: `shop.Box` for `put`, empty for the outer level. */
type ByContainer = ReadonlyMap<string, readonly Located[]>;

/** Follows from the list alone, which a world keeps for as long as it holds. */
const known = new WeakMap<readonly Located[], ByContainer>();
const NONE: readonly Located[] = [];

/**
 * What namespaces have of a name, and classes where those can be opened in any file again, so that their qualified name alone
 * says what belongs together.
 */
export function namedIn(world: World, file: FileFacts, container: string, name: string): readonly Located[] {
  const all = world.named(name);
  let byContainer = known.get(all);
  if (byContainer === undefined) known.set(all, (byContainer = arrange(all)));
  const found = byContainer.get(container) ?? NONE;
  const isUsable = (one: Located): boolean => isSameFamily(one.file, file);
  return found.every(isUsable) ? found : found.filter(isUsable);
}

/** Languages whose files can use each other's definitions. */
export function isSameFamily(a: FileFacts, b: FileFacts): boolean {
  return a.language === b.language || rulesOf(a.language).family === rulesOf(b.language).family;
}

function arrange(all: readonly Located[]): ByContainer {
  const containers = new Map<string, Located[]>();
  for (const located of all) {
    const container = containerName(located.file, located.index);
    if (container === undefined) continue;
    const entries = containers.get(container);
    if (entries === undefined) containers.set(container, [located]);
    else entries.push(located);
  }
  return containers;
}

/** The qualified name of what a definition is written in or for; undefined for what only a function sees. */
export function containerName(file: FileFacts, index: number): string | undefined {
  const definition = file.definitions[index];
  if (definition === undefined || definition.traits.includes('local')) return undefined;
  if (rulesOf(file.language).functionsAreGlobal) return '';
  const outer = definition.container === -1 ? '' : qualifiedName(file, definition.container);
  const added = addedTo(definition);
  if (outer === undefined || added === undefined) return outer;
  return outer === '' ? added : `${outer}.${added}`;
}

/** A definition's own name with all that it is written in. */
export function qualifiedName(file: FileFacts, index: number): string | undefined {
  const container = containerName(file, index);
  const name = file.definitions[index]?.name ?? '';
  if (container === undefined) return undefined;
  return container === '' ? name : `${container}.${name}`;
}

/** `shop.Box` of `void shop::Box::put()`. */
export function addedTo({ bases }: Definition): string | undefined {
  for (const { how, type } of bases) if (how === 'adds') return dotted(type);
  return undefined;
}

function dotted(type: Expression): string | undefined {
  if (type.is === 'apply') return dotted(type.of);
  if (type.is === 'name') return type.name;
  const outer = type.is === 'member' ? dotted(type.of) : undefined;
  return type.is === 'member' && outer !== undefined ? `${outer}.${type.name}` : undefined;
}
