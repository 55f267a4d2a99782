import type { Binding, Definition, FileFacts, Import } from '../model/facts.ts';

/** One file's facts, arranged for looking up by name and place. */
export interface FileTable {
  /** Indices of what a definition contains, by its index; what the module contains is in `moduleNames`. */
  readonly children: ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>;
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  /** Local definitions by where their name stands, which is where the binding stands that says how far they are seen. */
  readonly locals: ReadonlyMap<number, number>;
  /** Names of all that definitions contain and no binding says the range of. */
  readonly innerNames: ReadonlySet<string>;
  /** Imports inside functions. */
  readonly innerImports: ReadonlyMap<string, readonly Import[]>;
  /** Names of all type parameters of definitions. */
  readonly generics: ReadonlySet<string>;
  /** Definitions by start, and for each the next outer one by place, which need not be its container. */
  readonly order: readonly number[];
  readonly around: Int32Array;
}

const known = new WeakMap<FileFacts, FileTable>();

/** Follows from the facts alone, which never change, so it is kept for as long as they are. */
export function tableOf(file: FileFacts): FileTable {
  let table = known.get(file);
  if (table === undefined) known.set(file, (table = arrange(file)));
  return table;
}

/** The innermost definition around a place, -1 for the module. */
export function definitionAt(file: FileFacts, at: number): number {
  const { order, around } = tableOf(file);
  const { definitions } = file;
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((definitions[order[middle] ?? -1]?.start ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  let index = order[low - 1] ?? -1;
  while (index !== -1 && (definitions[index]?.end ?? 0) <= at) index = around[index] ?? -1;
  return index;
}

/** Definitions of this name that another one contains. */
export function childrenNamed(file: FileFacts, container: number, name: string): readonly number[] {
  return tableOf(file).children.get(container)?.get(name) ?? NONE;
}

const NONE: readonly number[] = [];

function arrange(file: FileFacts): FileTable {
  const { definitions } = file;
  const children = new Map<number, Map<string, number[]>>();
  const generics = new Set<string>();
  const locals = new Map<number, number>();
  const order: number[] = [];
  let isSorted = true;
  let last = -1;
  for (let index = 0; index < definitions.length; index++) {
    const definition = definitions[index] as Definition;
    order.push(index);
    if (definition.start < last) isSorted = false;
    last = definition.start;
    for (const { name } of definition.generics) generics.add(name);
    if (definition.traits.includes('local')) locals.set(definition.at, index);
    if (definition.container === -1) continue;
    let names = children.get(definition.container);
    if (names === undefined) children.set(definition.container, (names = new Map()));
    add(names, definition.name, index);
  }
  if (!isSorted) order.sort((a, b) => startOf(definitions, a) - startOf(definitions, b) || a - b);
  const bindings = new Map<string, Binding[]>();
  for (const binding of file.bindings) add(bindings, binding.name, binding);
  const innerNames = new Set<string>();
  for (const names of children.values()) {
    for (const [name, indices] of names) {
      if (indices.some((index) => !hasRange(definitions, bindings, index))) innerNames.add(name);
    }
  }
  const innerImports = new Map<string, Import[]>();
  for (const entry of file.imports) if (entry.within !== -1) add(innerImports, entry.local, entry);
  return { children, bindings, locals, innerNames, innerImports, generics, order, around: nest(definitions, order) };
}

function hasRange(
  definitions: readonly Definition[],
  bindings: ReadonlyMap<string, readonly Binding[]>,
  index: number,
): boolean {
  const { at, name, traits } = definitions[index] as Definition;
  return traits.includes('local') && bindings.get(name)?.some((binding) => binding.at === at) === true;
}

/** Whether a binding says how far a local definition is seen. */
export function isBound(file: FileFacts, index: number): boolean {
  return hasRange(file.definitions, tableOf(file).bindings, index);
}

function nest(definitions: readonly Definition[], order: readonly number[]): Int32Array {
  const around = new Int32Array(definitions.length).fill(-1);
  const open: number[] = [];
  for (const index of order) {
    const start = startOf(definitions, index);
    while (open.length > 0 && (definitions[open.at(-1) ?? -1]?.end ?? 0) <= start) open.pop();
    around[index] = open.at(-1) ?? -1;
    open.push(index);
  }
  return around;
}

function startOf(definitions: readonly Definition[], index: number): number {
  return definitions[index]?.start ?? 0;
}

function add<T>(map: Map<string, T[]>, name: string, entry: T): void {
  const entries = map.get(name);
  if (entries === undefined) map.set(name, [entry]);
  else entries.push(entry);
}
