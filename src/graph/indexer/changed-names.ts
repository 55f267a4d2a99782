import { keysOf } from '../model/facts.ts';
import type { Binding, Definition, FileFacts } from '../model/facts.ts';
import { digestOf, reachedBindings } from './surface.ts';
import { addOffered } from './mentions.ts';

/** How a file's definitions changed, when that can be said by name. */
export interface NamedChange {
  /** What looks up none of these finds what it found before. */
  readonly names: ReadonlySet<string>;
  /** For each definition before, its index now; -1 when it is gone. Those that are left are in the same order. */
  readonly moved: Int32Array;
}

/** Looked up without being written: by construction, calls, loops, `with`, operators, default imports. */
const UNWRITTEN =
  /^(?:$|__|constructor$|default$|call$|new$|next$|then$|iterator$|iter$|into_iter$|deref$|index$|Item$|Target$|Output$|initialize$|each$|invoke$|apply$|run$|init$)|[^\p{L}\p{N}_$]/u;

/** Undefined when anything that asked about the file may find something else now. */
export function changedNames(before: FileFacts, after: FileFacts): NamedChange | undefined {
  if (before.language !== after.language || before.package !== after.package) return undefined;
  if (before.manifest !== undefined || after.manifest !== undefined) return undefined;
  const names = new Set<string>();
  if (!compareImports(before, after, names) || !compareExports(before, after, names)) return undefined;
  const [was, now] = [describe(before), describe(after)];
  if (was.loose !== now.loose) return undefined;
  // Two definitions with one key cannot be told apart.
  if (was.byKey.size < before.definitions.length || now.byKey.size < after.definitions.length) return undefined;
  const changed = { before: new Set<number>(), after: new Set<number>() };
  const moved = new Int32Array(before.definitions.length).fill(-1);
  let last = -1;
  for (const [key, index] of was.byKey) {
    const next = now.byKey.get(key);
    if (next === undefined) changed.before.add(index);
    else {
      if (next < last) return undefined;
      last = moved[index] = next;
      if (!isSame(was, index, now, next)) {
        changed.before.add(index);
        changed.after.add(next);
      }
    }
  }
  for (const [key, index] of now.byKey) if (!was.byKey.has(key)) changed.after.add(index);
  for (const [facts, some] of [
    [before, changed.before],
    [after, changed.after],
  ] as const) {
    withContained(facts.definitions, some);
    for (const index of some) names.add(facts.definitions[index]?.name ?? '');
  }
  for (const name of names) if (UNWRITTEN.test(name)) return undefined;
  // What stayed may lead to what did not.
  const mentioned = new Set<string>();
  for (const [facts, some, { bindings }] of [
    [before, changed.before, was],
    [after, changed.after, now],
  ] as const) {
    const staying = facts.definitions.filter((_, index) => !some.has(index));
    const imports = facts.imports.filter(({ local }) => !names.has(local));
    const exports = facts.exports.filter(({ name }) => !names.has(name));
    const own = bindings.filter(({ within }) => !some.has(within));
    addOffered({ imports, exports }, staying, own, mentioned);
  }
  for (const name of names) if (mentioned.has(name)) return undefined;
  return { names, moved };
}

interface Description {
  readonly definitions: readonly Definition[];
  readonly byKey: ReadonlyMap<string, number>;
  readonly bindings: readonly Binding[];
  /** By the definition they are in. */
  readonly inside: ReadonlyMap<number, readonly Binding[]>;
  /** Of the bindings that belong to no definition. */
  readonly loose: string;
}

function describe(facts: FileFacts): Description {
  const bindings = reachedBindings(facts);
  const inside = new Map<number, Binding[]>();
  for (const binding of bindings) {
    const own = inside.get(binding.within);
    if (own === undefined) inside.set(binding.within, [binding]);
    else own.push(binding);
  }
  const byKey = new Map(keysOf(facts).map((key, index) => [key, index]));
  const loose = digestOf(EMPTY, inside.get(-1) ?? []);
  return { definitions: facts.definitions, byKey, bindings, inside, loose };
}

/** Where it stands and what it is in says nothing about what it is. */
function isSame(was: Description, index: number, now: Description, next: number): boolean {
  const [before, after] = [was.definitions[index] as Definition, now.definitions[next] as Definition];
  const [mine, other] = [was.inside.get(index) ?? [], now.inside.get(next) ?? []];
  const by = after.at - before.at;
  const isMoved = PARTS.every((part) => isShifted(before[part], after[part], by)) && isShifted(mine, other, by);
  return isMoved || alone(before, mine) === alone(after, other);
}

const PARTS = [
  'kind',
  'exported',
  'visibility',
  'traits',
  'bases',
  'generics',
  'parameters',
  'type',
  'values',
] as const;

/** The same but for places, which are all so much further on. Quicker than a digest, and true of all that was not touched. */
function isShifted(before: unknown, after: unknown, by: number): boolean {
  if (before === after) return true;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false;
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || before.length !== after.length) return false;
    for (let n = 0; n < before.length; n += 1) if (!isShifted(before[n], after[n], by)) return false;
    return true;
  }
  const [mine, other] = [before as Record<string, unknown>, after as Record<string, unknown>];
  let left = 0;
  for (const key in other) if (key !== 'within') left += 1;
  for (const key in mine) {
    if (key === 'within') continue;
    left -= 1;
    const [one, two] = [mine[key], other[key]];
    const isPlace = key === 'at' || key === 'from' || key === 'to';
    if (isPlace && typeof one === 'number' ? two !== one + by : !isShifted(one, two, by)) return false;
  }
  return left === 0;
}

function alone(definition: Definition, bindings: readonly Binding[]): string {
  const { at } = definition;
  const own = bindings.map((binding) => ({ ...binding, within: -1 }));
  return digestOf({ ...EMPTY, definitions: [{ ...definition, container: -1, start: at, end: at }] }, own);
}

const EMPTY: FileFacts = {
  path: '',
  language: 'manifest',
  flags: [],
  lines: [],
  definitions: [],
  references: [],
  imports: [],
  exports: [],
  bindings: [],
};

/** What `this` is, and which names are in sight, changes with the container. */
function withContained(definitions: readonly Definition[], some: Set<number>): void {
  definitions.forEach(({ container }, index) => {
    if (some.has(container)) some.add(index);
  });
}

/** False when it cannot be said by name. */
function compareImports(before: FileFacts, after: FileFacts, names: Set<string>): boolean {
  const [was, now] = [before, after].map((facts) => {
    const keys = keysOf(facts);
    return facts.imports.map(({ local, module, name, kind, within }) =>
      JSON.stringify([local, module, name, kind, keys[within] ?? '']),
    );
  });
  for (const entry of differing(was ?? [], now ?? [])) {
    const [local, , , kind] = JSON.parse(entry) as string[];
    if (local === undefined || local === '' || local === '*' || kind === 'star' || kind === 'effect') return false;
    names.add(local);
  }
  return true;
}

function compareExports(before: FileFacts, after: FileFacts, names: Set<string>): boolean {
  const [was, now] = [before, after].map(({ exports }) =>
    exports.map((entry) => `${digestOf({ ...EMPTY, exports: [{ ...entry, at: 0 }] }, [])} ${entry.name}`),
  );
  for (const entry of differing(was ?? [], now ?? [])) {
    const name = entry.slice(entry.indexOf(' ') + 1);
    if (name === '*' || name === '=') return false;
    names.add(name);
  }
  return true;
}

/** What is in one of them alone, or more often than in the other. */
function differing(some: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of some) counts.set(each, (counts.get(each) ?? 0) + 1);
  for (const each of others) counts.set(each, (counts.get(each) ?? 0) - 1);
  return [...counts].flatMap(([each, count]) => (count === 0 ? [] : [each]));
}
