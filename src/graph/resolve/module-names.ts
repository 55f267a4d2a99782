import type { Export, FileFacts, Import } from '../model/facts.ts';

/** The names that stand on the outer level of a file, by name. */
export interface ModuleNames {
  /** Indices; several for overloads, merged declarations and conditional duplicates. */
  readonly definitions: ReadonlyMap<string, readonly number[]>;
  readonly imports: ReadonlyMap<string, readonly Import[]>;
  /** Imports that bring in all names of a module. */
  readonly stars: readonly Import[];
  readonly exports: ReadonlyMap<string, readonly Export[]>;
  /** `export * from` without a name. */
  readonly starExports: readonly Export[];
}

const known = new WeakMap<FileFacts, ModuleNames>();

/** Follows from the facts alone, which never change, so it is kept for as long as they are. */
export function moduleNames(file: FileFacts): ModuleNames {
  let names = known.get(file);
  if (names === undefined) known.set(file, (names = collect(file)));
  return names;
}

function collect(file: FileFacts): ModuleNames {
  const definitions = new Map<string, number[]>();
  for (let index = 0; index < file.definitions.length; index++) {
    const definition = file.definitions[index];
    // A local one stands inside a function that has no name.
    if (definition === undefined || definition.container !== -1 || definition.traits.includes('local')) continue;
    // What is added to a type from elsewhere is reached through that type.
    if (!definition.bases.some(({ how }) => how === 'adds')) add(definitions, definition.name, index);
  }
  const imports = new Map<string, Import[]>();
  const stars: Import[] = [];
  for (const entry of file.imports) {
    if (entry.within !== -1) continue;
    if (entry.kind === 'star' || entry.local === '*') stars.push(entry);
    else if (entry.local !== '') add(imports, entry.local, entry);
  }
  const exports = new Map<string, Export[]>();
  const starExports: Export[] = [];
  for (const entry of file.exports) {
    if (entry.name === '*') starExports.push(entry);
    else add(exports, entry.name, entry);
  }
  return { definitions, imports, stars, exports, starExports };
}

function add<T>(map: Map<string, T[]>, name: string, entry: T): void {
  const entries = map.get(name);
  if (entries === undefined) map.set(name, [entry]);
  else entries.push(entry);
}
