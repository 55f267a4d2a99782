import type { Files } from '../../platform/files.ts';
import type { AnswerState, Doubt, ImpactAnswer, Mention, SymbolInfo } from './answer.ts';
import { edgesOf, groupLinks } from './calls.ts';
import type { Direction } from './calls.ts';
import { mention } from './describe-symbol.ts';
import { familyOf } from './family.ts';
import { changedIn } from './fresh-answer.ts';
import type { GraphReader, SymbolEntry } from './graph-reader.ts';
import { askImpact } from './impact.ts';
import { nameSymbol } from './name-symbol.ts';

/** A symbol and what is around it, as a picture to walk in has it. Calls lead from left to right: -2, -1, 0 (itself), 1. */
export interface Neighbourhood extends Doubt {
  readonly symbol: SymbolInfo;
  readonly nodes: readonly Neighbour[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly sites: number }[];
  /** All that there are, by column, whether or not they are among the nodes. */
  readonly totals: Readonly<Record<string, number>>;
  /** Within two calls. */
  readonly files: ImpactAnswer['files'];
  readonly tests: ImpactAnswer['tests'];
  readonly complete: boolean;
  readonly state: AnswerState;
}

export interface Neighbour extends Mention {
  readonly column: number;
  readonly isTest: boolean;
}

const DEPTH = 2;
const MOST_FILES = 40;

/** As the graph is, without reading any file again. Undefined where nothing, or more than one symbol, is called so. */
export function neighbourhoodOf(
  reader: GraphReader,
  wanted: string,
  perColumn: number,
  files: Pick<Files, 'stat'>,
): Neighbourhood | undefined {
  const id = reader.byKey(wanted) ?? oneNamed(reader, wanted);
  if (id === undefined) return undefined;
  const impact = askImpact(reader, id, { depth: DEPTH, maxNodes: MOST_FILES });
  const { nodes, edges } = drawnAround(reader, id, perColumn);
  const [near, far] = impact.levels;
  const changed = changedIn(reader, [...new Set(nodes.map(({ path }) => path))], files);
  return {
    ...{ symbol: impact.symbol, nodes, edges },
    totals: { [-DEPTH]: far?.callers.total ?? 0, [-1]: near?.callers.total ?? 0, 1: impact.callees.total },
    ...{ files: impact.files, tests: impact.tests, complete: impact.complete },
    ...{ possible: impact.possible, unresolved: impact.unresolved, state: changed.length > 0 ? 'stale' : 'stable' },
  };
}

/** What calls it and is called by it stands on the side of callers, with both edges. */
function drawnAround(reader: GraphReader, id: number, perColumn: number): Pick<Neighbourhood, 'nodes' | 'edges'> {
  const nodes = new Map<number, Neighbour>();
  const edges: Neighbourhood['edges'][number][] = [];
  const add = (symbol: SymbolEntry, column: number) =>
    void nodes.set(symbol.id, { ...mention(symbol), column, isTest: symbol.role === 'test' });
  const join = (from: SymbolEntry, to: SymbolEntry, sites: number) =>
    void edges.push({ from: from.key, to: to.key, sites });
  const groups = (of: number, direction: Direction) => {
    const family = familyOf(reader, of);
    return groupLinks(reader, family, edgesOf(reader, family, direction).calls);
  };
  const centre = reader.symbol(id);
  add(centre, 0);
  const callers = groups(id, 'callers')
    .filter(({ symbol }) => symbol.id !== id)
    .slice(0, perColumn);
  for (const { symbol, links } of callers) {
    add(symbol, -1);
    join(symbol, centre, links.length);
  }
  let room = perColumn;
  for (const { symbol: caller } of callers)
    for (const { symbol, links } of groups(caller.id, 'callers')) {
      if (!nodes.has(symbol.id) && room > 0) {
        add(symbol, -DEPTH);
        room -= 1;
      }
      if (nodes.get(symbol.id)?.column === -DEPTH) join(symbol, caller, links.length);
    }
  for (const { symbol, links } of groups(id, 'callees').slice(0, perColumn)) {
    if (symbol.id === id) continue;
    if (!nodes.has(symbol.id)) add(symbol, 1);
    join(centre, symbol, links.length);
  }
  return { nodes: [...nodes.values()], edges };
}

function oneNamed(reader: GraphReader, wanted: string): number | undefined {
  const naming = nameSymbol(reader, wanted);
  return naming.is === 'one' ? naming.id : undefined;
}
