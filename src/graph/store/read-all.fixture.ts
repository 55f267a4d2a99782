import type { GraphReader } from '../query/graph-reader.ts';

/** Every answer that a graph can give. */
export function readAll(graph: GraphReader): unknown {
  const files = graph.files();
  const names: [string, readonly number[]][] = [];
  graph.eachName((name, symbols) => names.push([name, symbols]));
  const ids = Array.from({ length: files.length + graph.counts.symbols }, (_, id) => id);
  return {
    digest: graph.digest,
    root: graph.root,
    counts: graph.counts,
    files: files.map((file) => [file, graph.file(file.path), graph.symbolsOf(file.path)]),
    names: names.map(([name, symbols]) => [name, symbols, graph.named(name)]),
    unresolved: [...names.map(([name]) => name), 'nowhere', 'lost'].map((name) => graph.unresolved(name)),
    symbols: ids.map((id) => [
      graph.symbol(id),
      graph.byKey(graph.symbol(id).key),
      graph.incoming(id),
      graph.outgoing(id),
      graph.maybeIncoming(id),
      graph.maybeOutgoing(id),
    ]),
  };
}
