import type { Edge, EdgeKind, FileLinks, Question, Why } from '../model/links.ts';

/** Gathers what the references of one file lead to. */
export interface Collector {
  readonly edges: Edge[];
  readonly possible: Edge[];
  readonly unresolved: Map<string, number>;
  outside: number;
}

export function startCollecting(): Collector {
  return { edges: [], possible: [], unresolved: new Map(), outside: 0 };
}

export function addEdge(
  list: Edge[],
  source: number,
  kind: EdgeKind,
  path: string,
  target: number,
  at: number,
  why: Why,
): void {
  list.push({ source, kind, path, target, at, why });
}

export function addUnresolved({ unresolved }: Collector, name: string): void {
  unresolved.set(name, (unresolved.get(name) ?? 0) + 1);
}

export function finish({ edges, possible, unresolved, outside }: Collector, asked: readonly Question[]): FileLinks {
  return {
    edges: inOrder(edges),
    possible: inOrder(possible),
    unresolved: [...unresolved].sort(([a], [b]) => compare(a, b)),
    outside,
    asked,
  };
}

/** By place, kind and target; each once. */
function inOrder(edges: Edge[]): readonly Edge[] {
  edges.sort(byPlace);
  return edges.filter((edge, n) => n === 0 || byPlace(edges[n - 1] as Edge, edge) !== 0);
}

function byPlace(a: Edge, b: Edge): number {
  return (
    a.at - b.at || compare(a.kind, b.kind) || compare(a.path, b.path) || a.target - b.target || a.source - b.source
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
