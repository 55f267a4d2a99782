import { createGraphs } from './graphs.ts';
import type { Graphs, GraphsDeps } from './graphs.ts';
import { createIndexing } from './indexer/start-indexer.ts';
import { ANSWERS_FROM } from './store/made-by.ts';
import { graphStamp, openGraph } from './store/open-graph.ts';
import { graphPlace } from './store/place.ts';

/** The graphs of a process that stays: read from the state directory, kept current by an indexing process in the background. */
export function storedGraphs(deps: GraphsDeps, node: string, program: string): Graphs {
  const { state, files } = deps;
  const indexing = createIndexing({ state, node, program, isBackground: true });
  const graphs = createGraphs({
    ...deps,
    stampOf: (root) => graphStamp(files, graphPlace(state, root)),
    open: (root) => openGraph(files, graphPlace(state, root), root, ANSWERS_FROM),
    ask: (task) => indexing.ask(task),
  });
  return {
    at: graphs.at,
    see: graphs.see,
    close() {
      graphs.close();
      indexing.close();
    },
  };
}
