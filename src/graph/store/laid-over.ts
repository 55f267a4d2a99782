import type { GraphReader } from '../query/graph-reader.ts';
import type { MergedFiles } from './merged-files.ts';
import type { Pairs, Postings } from './postings.ts';
import { EDGE, openRecord } from './record.ts';
import type { Snapshot } from './snapshot.ts';

type Places = (readonly [file: number, nth: number])[];

/** What is found by name or by what leads there: in the snapshot where its records still count, else in those that replaced them. */
export interface LaidOver extends Pick<GraphReader, 'named' | 'eachName' | 'unresolved'> {
  /** Files and positions of the edges that lead to a symbol of `file`, in the order of files. */
  incoming(id: number, file: number, base: Postings<number>, which: 'edges' | 'possible'): Places;
}

export function createLaidOver(files: MergedFiles, snapshot: Snapshot): LaidOver {
  const { first, fromBase, inBase } = files;
  const baseFirst = firstSymbols(snapshot);
  const names = new Map<string, number[]>();
  const unresolved = new Map<string, number>();
  const leads = { edges: new Map<number, Pairs>(), possible: new Map<number, Pairs>() };

  for (const file of files.changed) {
    const record = openRecord(files.packOf(file).recordAt(files.indexOf(file)));
    record.names().forEach((name, index) => append(names, name, (first[file] as number) + 1 + index));
    const links = record.links();
    for (const [name, times] of links.unresolved) unresolved.set(name, (unresolved.get(name) ?? 0) + times);
    for (const which of ['edges', 'possible'] as const) {
      const edges = links[which];
      for (let n = 0, nth = 0; n < edges.length; n += EDGE.width, nth += 1) {
        const target = files.numberOf.get(links.strings[edges[n + EDGE.path] as number] as string);
        if (target === undefined) continue;
        append(leads[which], (first[target] as number) + 1 + (edges[n + EDGE.target] as number), file, nth);
      }
    }
  }

  function idsAt(index: number): number[] {
    const ids: number[] = [];
    snapshot.names.each(index, (base, symbol) => {
      const file = fromBase[base] as number;
      if (file >= 0) ids.push((first[file] as number) + 1 + symbol);
    });
    return ids;
  }

  return {
    named(name) {
      const index = snapshot.names.find(name);
      const ids = index < 0 ? [] : idsAt(index);
      const more = names.get(name);
      return more === undefined ? ids : [...ids, ...more].sort((a, b) => a - b);
    },
    eachName(visit) {
      const rest = [...names.keys()].sort();
      let next = 0;
      for (let index = 0; index < snapshot.names.size; index += 1) {
        const name = snapshot.names.keyAt(index);
        for (; next < rest.length && (rest[next] as string) < name; next += 1)
          visit(rest[next] as string, names.get(rest[next] as string) ?? []);
        const ids = idsAt(index);
        if (rest[next] === name) {
          visit(
            name,
            [...ids, ...(names.get(name) ?? [])].sort((a, b) => a - b),
          );
          next += 1;
        } else if (ids.length > 0) visit(name, ids);
      }
      for (; next < rest.length; next += 1) visit(rest[next] as string, names.get(rest[next] as string) ?? []);
    },
    unresolved(name) {
      let count = unresolved.get(name) ?? 0;
      const index = snapshot.unresolved.find(name);
      if (index >= 0) snapshot.unresolved.each(index, (base, times) => (count += fromBase[base] === -1 ? 0 : times));
      return count;
    },
    incoming(id, file, base, which) {
      const places: Places = [];
      const was = inBase[file] as number;
      const local = id - (first[file] as number);
      // It may have more symbols now than it had: beyond those the numbers are of the next file.
      const wasThere = was >= 0 && local <= snapshot.pack.totalOf(was, 'symbols');
      const index = wasThere ? base.find((baseFirst[was] as number) + local) : -1;
      if (index >= 0)
        base.each(index, (source, nth) => {
          const now = fromBase[source] as number;
          if (now >= 0) places.push([now, nth]);
        });
      const more = leads[which].get(id);
      if (more === undefined) return places;
      for (let n = 0; n < more.length; n += 2) places.push([more[n] as number, more[n + 1] as number]);
      return places.sort(([a, x], [b, y]) => a - b || x - y);
    },
  };
}

function firstSymbols({ pack }: Snapshot): Uint32Array {
  const first = new Uint32Array(pack.paths.length);
  for (let file = 1; file < first.length; file += 1)
    first[file] = (first[file - 1] as number) + 1 + pack.totalOf(file - 1, 'symbols');
  return first;
}

function append<K>(into: Map<K, number[]>, key: K, ...values: number[]): void {
  const list = into.get(key);
  if (list === undefined) into.set(key, values);
  else list.push(...values);
}
