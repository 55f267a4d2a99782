import {
  architectureModel,
  graphPaths,
  holderOf,
  indexedRoots,
  neighbourhoodOf,
  openGraphHandle,
  searchSymbols,
} from '../../graph/index.ts';
import type { GraphHandle } from '../../graph/index.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { CliWorld } from '../command.ts';
import { rootAt } from '../known-rules.ts';
import { shownAs } from './rows.ts';
import type { Architecture, FoundSymbols, GraphRoots, SymbolAround, SymbolLine } from './shapes.ts';

const MOST_FOUND = 40;
const PER_COLUMN = 9;
const LONGEST_QUERY = 200;

/** What the page shows of code graphs, as they are stored: it asks nobody to index, and reads no code. */
export interface GraphViews {
  roots(): GraphRoots;
  search(root: string | undefined, query: string | undefined): FoundSymbols | undefined;
  around(root: string | undefined, symbol: string | undefined): SymbolAround | undefined;
  architecture(root: string | undefined): Architecture | undefined;
}

export function createGraphViews(world: CliWorld): GraphViews {
  const { state } = world.paths;
  let opened: { readonly root: string; readonly handle: GraphHandle } | undefined;
  /** Of the graph as it was when it was last asked for: to make it takes a second where there are thousands of modules. */
  let drawn: { readonly digest: string; readonly data: Architecture } | undefined;

  /** Only of a root that is indexed; one graph is kept open at a time. */
  function readerOf(root: string | undefined) {
    if (root === undefined || !indexedRoots(nodeFiles, state).some((each) => each.root === root)) return undefined;
    if (opened?.root !== root) {
      opened?.handle.close();
      opened = { root, handle: openGraphHandle(nodeFiles, state, root) };
    }
    return opened.handle.open();
  }

  return {
    roots() {
      const here = rootAt(world);
      const isIndexing = holderOf(nodeFiles, graphPaths(state, here)) !== undefined;
      const roots = indexedRoots(nodeFiles, state).toSorted(
        (a, b) => Number(b.root === here) - Number(a.root === here) || (b.indexedAt ?? 0) - (a.indexedAt ?? 0),
      );
      return { here, isIndexing, roots };
    },
    search(root, query = '') {
      const reader = readerOf(root);
      if (!reader || query.length > LONGEST_QUERY) return undefined;
      const { symbols } = searchSymbols(reader, query, { limit: MOST_FOUND });
      return {
        total: symbols.total,
        symbols: symbols.items.map((symbol) => ({ ...lineOf(symbol), callers: symbol.callers })),
      };
    },
    around(root, symbol = '') {
      const reader = readerOf(root);
      const found = reader && neighbourhoodOf(reader, symbol, PER_COLUMN, nodeFiles);
      if (!found) return undefined;
      const { nodes, edges, totals, files, tests, possible, complete } = found;
      const { signature, doc = '' } = found.symbol;
      return {
        symbol: { ...lineOf(found.symbol), signature: shownAs(signature), doc: shownAs(doc) },
        nodes: nodes.map((node) => ({ ...lineOf(node), column: node.column, isTest: node.isTest })),
        ...{ edges, totals, possible, complete, isStale: found.state === 'stale' },
        files: { total: files.total, items: files.items.map((each) => ({ ...each, path: shownAs(each.path) })) },
        tests: { total: tests.total, items: tests.items.map(lineOf) },
      };
    },
    architecture(root) {
      const reader = readerOf(root);
      if (!reader) return undefined;
      const digest = `${reader.root} ${reader.digest}`;
      if (drawn?.digest !== digest) {
        const { layers, edges, moreImports, modules, cycles } = architectureModel(reader);
        drawn = { digest, data: { layers, edges, moreImports, modules, cycles } };
      }
      return drawn.data;
    },
  };
}

/** Its key stays as it is: the page sends it back. */
function lineOf({ key, name, kind, path, line }: SymbolLine): SymbolLine {
  return { key, name: shownAs(name), kind, path: shownAs(path), line };
}
