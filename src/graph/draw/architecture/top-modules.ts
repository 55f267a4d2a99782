import type { District, ModuleGraph } from './module-graph.ts';

const MOST = 3;

/**
 * The modules of each district that most others import, then those that import most themselves; full paths. Where an
 * import names a directory, directories; but the files of a district that is one directory.
 */
export function topModules({ modules, imports }: ModuleGraph, districts: readonly District[]): string[][] {
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
