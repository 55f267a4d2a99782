import { sha256 } from '../../../platform/hash.ts';
import type { GraphReader } from '../../query/graph-reader.ts';
import { collect } from './collect.ts';
import { findDistricts } from './districts.ts';
import { flowsBetween, sumOf } from './flows.ts';
import type { Flow } from './flows.ts';
import { findDepths, findLayers } from './layers.ts';
import type { LayerName } from './layers.ts';
import { readModules } from './module-graph.ts';
import type { LeftOut, District, ModuleGraph } from './module-graph.ts';

/** For each node the number of its strongly connected part; parts count from what is reached last. */
function condense(count: number, targetsOf: (node: number) => readonly number[]): number[] {
  const part = Array.from({ length: count }, () => -1);
  const order = Array.from({ length: count }, () => -1);
  const low = Array.from({ length: count }, () => 0);
  const stack: number[] = [];
  let [next, parts] = [0, 0];
  for (let start = 0; start < count; start += 1) {
    if (order[start] !== -1) continue;
    // By hand instead of by calls: a chain of imports may be longer than the stack.
    const walk: { node: number; targets: readonly number[]; at: number }[] = [];
    enter(start);
    for (let top = walk.at(-1); top !== undefined; top = walk.at(-1)) {
      const target = top.targets[top.at];
      top.at += 1;
      if (target === undefined) leave(top.node);
      else if (order[target] === -1) enter(target);
      else if (part[target] === -1) low[top.node] = Math.min(low[top.node] as number, order[target] as number);
    }
    function enter(node: number): void {
      order[node] = low[node] = next;
      next += 1;
      stack.push(node);
      walk.push({ node, targets: targetsOf(node), at: 0 });
    }
    function leave(node: number): void {
      walk.pop();
      const above = walk.at(-1);
      if (above !== undefined) low[above.node] = Math.min(low[above.node] as number, low[node] as number);
      if (low[node] !== order[node]) return;
      let member: number | undefined;
      do {
        member = stack.pop() as number;
        part[member] = parts;
      } while (member !== node);
      parts += 1;
    }
  }
  return part;
}

const MOST = 3;

/**
 * The modules of each district that most others import, then those that import most themselves; full paths. Where an
 * import names a directory, directories; but the files of a district that is one directory.
 */
function topModules({ modules, imports }: ModuleGraph, districts: readonly District[]): string[][] {
  const unitOf = (module: number): string => modules[module]?.unit ?? '';
  const into = new Map<string, Set<number>>();
  const out = new Map<string, number>();
  for (const { from, to } of imports) {
    if (unitOf(from) === unitOf(to)) continue;
    const own = into.get(unitOf(to));
    if (own === undefined) into.set(unitOf(to), new Set([from]));
    else own.add(from);
    out.set(unitOf(from), (out.get(unitOf(from)) ?? 0) + 1);
  }
  return districts.map(({ modules: own }) => {
    if (own.length < 2) return [];
    const written = own.filter((module) => modules[module]?.isGenerated === false);
    const units = [...new Set(written.map(unitOf))];
    const names = units.length > 1 ? units : written.map((module) => modules[module]?.path ?? '');
    return names
      .toSorted(
        (a, b) =>
          (into.get(b)?.size ?? 0) - (into.get(a)?.size ?? 0) ||
          (out.get(b) ?? 0) - (out.get(a) ?? 0) ||
          (a < b ? -1 : 1),
      )
      .slice(0, MOST);
  });
}

/** What the picture shows of a project, and nothing else. */
export interface ArchitectureModel {
  readonly layers: readonly Layer[];
  /** The heaviest, heaviest first. */
  readonly edges: readonly DistrictEdge[];
  /** What those stand for that are not among them. */
  readonly moreImports: number;
  readonly modules: number;
  readonly districts: number;
  /** Groups of districts that import each other in a circle, and how many districts are in them. */
  readonly cycles: number;
  readonly inCycles: number;
  readonly leftOut: LeftOut;
  /** What `classes` of a card counts: classes alone, or interfaces and the like too. */
  readonly typeWord: 'classes' | 'types';
}

export interface Layer {
  readonly name: LayerName;
  readonly cards: readonly DistrictCard[];
}

export interface DistrictCard {
  /** `entry 0`: what edges call it. */
  readonly id: string;
  readonly name: string;
  /** Districts in it: more than one only in the card that stands for all that had no room. */
  readonly districts: number;
  readonly modules: number;
  readonly classes: number;
  readonly functions: number;
  readonly importsIn: number;
  readonly importsOut: number;
  /** Full paths, most important first; of the card for several districts, their names. */
  readonly top: readonly string[];
  /** Part of all imports between districts that begin or end here. */
  readonly centrality: number;
  /** How far down it stands between those who import it and what it imports: 0 is above all. */
  readonly depth: number;
}

export interface DistrictEdge {
  readonly from: string;
  readonly to: string;
  readonly imports: number;
  readonly isCycle: boolean;
}

const LAYERS: readonly LayerName[] = ['entry', 'core', 'foundation'];
const MOST_CARDS = 8;
const MOST_UNTIED = 4;
const MOST_NAMED = 12;
const MOST_EDGES = 20;
const REST = ' rest';

export function architectureModel(reader: GraphReader): ArchitectureModel {
  const graph = readModules(reader);
  const districts = findDistricts(graph);
  const flows = flowsBetween(graph, districts);
  const targets = districts.map(() => [] as number[]);
  for (const { from, to } of flows) targets[from]?.push(to);
  const part = condense(districts.length, (node) => targets[node] ?? []);
  const layerOf = findLayers(flows, part);
  const depthOf = findDepths(flows, part);
  const total = flows.reduce((sum, { imports }) => sum + imports, 0);
  const top = topModules(graph, districts);

  const facts = districts.map(({ name, modules }, own) => {
    const importsIn = sumOf(flows.filter(({ to }) => to === own));
    const importsOut = sumOf(flows.filter(({ from }) => from === own));
    return {
      name,
      districts: 1,
      modules: modules.length,
      classes: modules.reduce((sum, module) => sum + (graph.modules[module]?.classes ?? 0), 0),
      functions: modules.reduce((sum, module) => sum + (graph.modules[module]?.functions ?? 0), 0),
      importsIn,
      importsOut,
      top: top[own] ?? [],
      centrality: total === 0 ? 0 : (importsIn + importsOut) / (2 * total),
      depth: depthOf[own] ?? 0,
    };
  });
  const idOf = districts.map(() => '');
  const layers = LAYERS.map((name) => {
    const ranked = facts
      .map((_, own) => own)
      .filter((own) => layerOf[own] === name)
      .toSorted((a, b) => merit(b) - merit(a) || (facts[b]?.modules ?? 0) - (facts[a]?.modules ?? 0) || a - b);
    // What has to do with no other district takes no room from those that have.
    const tied = ranked.filter((own) => merit(own) > 0);
    const most = ranked.length > MOST_UNTIED && tied.length > 0 ? Math.min(MOST_CARDS, tied.length) : MOST_CARDS;
    const shown = ranked.slice(0, most).toSorted((a, b) => a - b);
    const rest = ranked.slice(most);
    shown.forEach((own, index) => (idOf[own] = `${name} ${index}`));
    for (const own of rest) idOf[own] = name + REST;
    const cards: DistrictCard[] = shown.map((own) => ({ id: idOf[own] as string, ...(facts[own] as Facts) }));
    if (rest.length > 0) cards.push(restCard(name, rest));
    return { name, cards };
  });

  const heaviest = flows
    .filter(({ from, to }) => !idOf[from]?.endsWith(REST) && !idOf[to]?.endsWith(REST))
    .toSorted((a, b) => b.imports - a.imports || a.from - b.from || a.to - b.to)
    .slice(0, MOST_EDGES);
  const circles = [...collect(part, (own) => own).values()].filter(({ length }) => length > 1);
  return {
    layers,
    edges: nameEdges(heaviest, idOf),
    moreImports: total - sumOf(heaviest),
    modules: graph.modules.length,
    districts: districts.length,
    cycles: circles.length,
    inCycles: circles.reduce((sum, { length }) => sum + length, 0),
    leftOut: graph.leftOut,
    typeWord: graph.hasOtherTypes ? 'types' : 'classes',
  };

  function merit(own: number): number {
    return facts[own]?.centrality ?? 0;
  }

  function restCard(name: LayerName, rest: readonly number[]): DistrictCard {
    const own = rest.map((district) => facts[district] as Facts);
    const sum = (of: 'modules' | 'classes' | 'functions'): number => own.reduce((all, each) => all + each[of], 0);
    const inside = new Set(rest);
    const crossing = flows.filter(({ from, to }) => !(inside.has(from) && inside.has(to)));
    const importsIn = sumOf(crossing.filter(({ to }) => inside.has(to)));
    const importsOut = sumOf(crossing.filter(({ from }) => inside.has(from)));
    return {
      id: name + REST,
      name: `+${rest.length} ${rest.length === 1 ? 'district' : 'districts'}`,
      districts: rest.length,
      modules: sum('modules'),
      classes: sum('classes'),
      functions: sum('functions'),
      importsIn,
      importsOut,
      top: own.slice(0, MOST_NAMED).map((each) => each.name),
      centrality: total === 0 ? 0 : (importsIn + importsOut) / (2 * total),
      depth: Math.max(...own.map(({ depth }) => depth)),
    };
  }
}

type Facts = Omit<DistrictCard, 'id'>;

export function architectureDigest(model: ArchitectureModel): string {
  return sha256(JSON.stringify(model));
}

/** Marked are circles that can be followed in the picture. */
function nameEdges(flows: readonly Flow[], idOf: readonly string[]): readonly DistrictEdge[] {
  const part = condense(idOf.length, (node) => flows.filter(({ from }) => from === node).map(({ to }) => to));
  return flows.map(({ from, to, imports }) => ({
    from: idOf[from] as string,
    to: idOf[to] as string,
    imports,
    isCycle: part[from] === part[to],
  }));
}
