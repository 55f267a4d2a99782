import type { District, ModuleGraph } from './module-graph.ts';

/** Imports from one district to another, by number. */
export interface Flow {
  readonly from: number;
  readonly to: number;
  readonly imports: number;
}

export function sumOf(flows: readonly { readonly imports: number }[]): number {
  return flows.reduce((sum, { imports }) => sum + imports, 0);
}

/** How many modules, or directories at once, the modules of one district import of another. */
export function flowsBetween({ modules, imports }: ModuleGraph, districts: readonly District[]): readonly Flow[] {
  const districtOf = Array.from({ length: modules.length }, () => 0);
  districts.forEach(({ modules: own }, district) => {
    for (const module of own) districtOf[module] = district;
  });
  const units = new Map<number, Set<string>>();
  for (const { from, to } of imports) {
    const [source, target] = [districtOf[from] as number, districtOf[to] as number];
    if (source === target) continue;
    const key = source * districts.length + target;
    const unit = `${from} ${modules[to]?.unit}`;
    const own = units.get(key);
    if (own === undefined) units.set(key, new Set([unit]));
    else own.add(unit);
  }
  return [...units]
    .toSorted(([a], [b]) => a - b)
    .map(([key, own]) => ({
      from: Math.floor(key / districts.length),
      to: key % districts.length,
      imports: own.size,
    }));
}
