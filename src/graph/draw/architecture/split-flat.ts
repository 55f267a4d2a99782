import { directoryOf } from '../../model/paths.ts';
import { collect } from './collect.ts';
import type { District, ModuleGraph } from './module-graph.ts';

/** Both directions, once for each two; weights are counts. */
interface Tie {
  readonly one: number;
  readonly other: number;
  readonly weight: number;
}

const MOST_ROUNDS = 12;

/**
 * Groups of nodes that have more to do with each other than with the rest: nodes move to the neighbour that raises the
 * modularity most, then groups are taken as nodes, until nothing moves. Ties in rank go to the lower number.
 */
function findCommunities(count: number, ties: readonly Tie[]): number[] {
  let of = Array.from({ length: count }, (_, node) => node);
  let [nodes, between] = [count, ties];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const moved = moveNodes(nodes, between);
    const numbers = new Map<number, number>();
    for (const community of moved) if (!numbers.has(community)) numbers.set(community, numbers.size);
    const compact = moved.map((community) => numbers.get(community) as number);
    of = of.map((node) => compact[node] as number);
    if (numbers.size === nodes) break;
    between = mergeTies(between, compact, numbers.size);
    nodes = numbers.size;
  }
  return of;
}

function moveNodes(count: number, ties: readonly Tie[]): number[] {
  const neighbours = Array.from({ length: count }, () => [] as (readonly [node: number, weight: number])[]);
  const degree = Array.from({ length: count }, () => 0);
  let total = 0;
  for (const { one, other, weight } of ties) {
    degree[one] = (degree[one] as number) + weight;
    degree[other] = (degree[other] as number) + weight;
    total += 2 * weight;
    if (one === other) continue;
    neighbours[one]?.push([other, weight]);
    neighbours[other]?.push([one, weight]);
  }
  const of = Array.from({ length: count }, (_, node) => node);
  const sum = [...degree];
  for (let round = 0, moves = 1; round < MOST_ROUNDS && moves > 0; round += 1) {
    moves = 0;
    for (let node = 0; node < count; node += 1) {
      const [own, weightOfNode] = [of[node] as number, degree[node] as number];
      const towards = new Map<number, number>();
      for (const [neighbour, weight] of neighbours[node] ?? []) {
        const community = of[neighbour] as number;
        towards.set(community, (towards.get(community) ?? 0) + weight);
      }
      sum[own] = (sum[own] as number) - weightOfNode;
      const gain = (community: number): number =>
        (towards.get(community) ?? 0) * total - (sum[community] as number) * weightOfNode;
      let best = own;
      for (const community of towards.keys()) {
        const more = gain(community) - gain(best);
        if (more > 0 || (more === 0 && community < best && best !== own)) best = community;
      }
      sum[best] = (sum[best] as number) + weightOfNode;
      if (best === own) continue;
      of[node] = best;
      moves += 1;
    }
  }
  return of;
}

function mergeTies(ties: readonly Tie[], of: readonly number[], count: number): Tie[] {
  const weights = new Map<number, number>();
  for (const { one, other, weight } of ties) {
    const [a, b] = [of[one] as number, of[other] as number];
    const key = Math.min(a, b) * count + Math.max(a, b);
    weights.set(key, (weights.get(key) ?? 0) + weight);
  }
  return [...weights].map(([key, weight]) => ({ one: Math.floor(key / count), other: key % count, weight }));
}

/** As many stand for themselves; of more, groups are made. */
const MOST_ALONE = 12;
const SMALLEST = 3;

/** Modules of one directory in groups of those that import each other, or else are called alike. */
export function splitFlat(graph: ModuleGraph, district: District, most: number): readonly District[] {
  const { name, modules } = district;
  const pathOf = (module: number): string => graph.modules[module]?.path ?? '';
  if (modules.length <= MOST_ALONE) return modules.map((module) => ({ name: pathOf(module), modules: [module] }));
  const degrees = new Map<number, number>();
  const groups = [byImports(graph, modules, degrees), byFirstWord(modules, pathOf)]
    .map((some) => gather(some, most))
    .find((some) => some.length > 1);
  if (groups === undefined) return [district];
  const directory = name.endsWith('/*') ? name.slice(0, -2) : name;
  return groups.map((group) => ({ name: nameOf(group), modules: group.modules }));

  function nameOf({ modules: own, isRest }: Gathered): string {
    if (isRest) return `${directory === '' ? '.' : directory}/*`;
    const lead = own.toSorted((a, b) => (degrees.get(b) ?? 0) - (degrees.get(a) ?? 0) || a - b)[0] as number;
    const prefix = commonStart(own.map((module) => fileName(pathOf(module))));
    if (prefix.length >= SMALLEST) return `${directoryOf(pathOf(lead))}/${prefix}*`.replace(/^\//, '');
    return `${pathOf(lead).replace(/\.\w+$/, '')} +${own.length - 1}`;
  }
}

interface Gathered {
  readonly modules: readonly number[];
  readonly isRest: boolean;
}

/** The largest, and all that is left in one. */
function gather(groups: readonly (readonly number[])[], most: number): readonly Gathered[] {
  const bySize = groups.toSorted((a, b) => b.length - a.length || (a[0] as number) - (b[0] as number));
  const large = bySize.filter(({ length }) => length >= SMALLEST).slice(0, most - 1);
  const rest = bySize.filter((group) => !large.includes(group)).flat();
  return [
    ...large.map((modules) => ({ modules, isRest: false })),
    ...(rest.length === 0 ? [] : [{ modules: rest.toSorted((a, b) => a - b), isRest: true }]),
  ];
}

function byImports(
  { imports }: ModuleGraph,
  modules: readonly number[],
  degrees: Map<number, number>,
): readonly (readonly number[])[] {
  const local = new Map(modules.map((module, index) => [module, index]));
  const ties = new Map<number, { one: number; other: number; weight: number }>();
  for (const { from, to } of imports) {
    const [a, b] = [local.get(from), local.get(to)];
    if (a === undefined || b === undefined) continue;
    degrees.set(to, (degrees.get(to) ?? 0) + 1);
    const [one, other] = a < b ? [a, b] : [b, a];
    const tie = ties.get(one * modules.length + other);
    if (tie === undefined) ties.set(one * modules.length + other, { one, other, weight: 1 });
    else tie.weight += 1;
  }
  if (ties.size === 0) return [];
  const of = findCommunities(modules.length, [...ties.values()]);
  return [...collect(modules, (_, index) => of[index]).values()];
}

function byFirstWord(modules: readonly number[], pathOf: (module: number) => string): readonly (readonly number[])[] {
  return [...collect(modules, (module) => /^_*[A-Z]*[a-z\d]*/.exec(fileName(pathOf(module)))?.[0]).values()];
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

function commonStart([first = '', ...names]: readonly string[]): string {
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
