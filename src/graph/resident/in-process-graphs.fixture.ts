import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import type { Graphs } from './graphs.ts';
import type { GraphsDeps } from './graphs-options.ts';
import type { DrawRequest, IndexReply, IndexRequest, IndexResult } from '../indexer/request.ts';
import { serveRequests } from '../indexer/serve.ts';
import { createParser } from '../parse/parse-file.ts';
import { resolveFile } from '../resolve/resolve-file.ts';
import { createStoredGraphs } from './open-graphs.ts';

/** Graphs whose indexing is done in this very process, so that a test knows when it is over. */
export interface InProcessGraphs {
  create(deps: GraphsDeps): Graphs;
  /** What was asked for so far. */
  readonly asked: IndexRequest[];
  /** Pictures that were asked for; none is drawn. */
  readonly drawn: DrawRequest[];
  /** As the indexing process sees them. */
  files: Files;
  /** Resolves when nothing is under way; what waits for a timer is not waited for. */
  idle(): Promise<void>;
}

/** One for all: a grammar takes long to load. */
const parser = createParser({ budgetMs: 60_000 });
/** Rounds of the event loop in which nothing happens before nothing is taken to be under way. */
const QUIET_ROUNDS = 5;

export function graphsInProcess(): InProcessGraphs {
  const asked: IndexRequest[] = [];
  const drawn: DrawRequest[] = [];
  let underWay = 0;
  const self: InProcessGraphs = {
    asked,
    drawn,
    files: nodeFiles,
    create(deps) {
      const replies = new Map<number, (reply: IndexReply) => void>();
      let lastId = 0;
      const watched = new Proxy(nodeFiles, { get: (_, name: keyof Files) => self.files[name] });
      const serving = serveRequests({
        state: deps.state,
        files: watched,
        parser,
        resolve: resolveFile,
        pid: process.pid,
        loadDrawing: () => import('../indexer/drawing.ts'),
        reply: (reply) => replies.get(reply.id)?.(reply),
      });
      const graphs = createStoredGraphs(deps, {
        pid: undefined,
        async draw(request) {
          drawn.push(request);
          return { evidence: `E${drawn.length}` };
        },
        async ask(request) {
          asked.push(request);
          underWay += 1;
          const id = (lastId += 1);
          try {
            return await new Promise<IndexResult>((resolve, reject) => {
              replies.set(id, (reply) => {
                if ('done' in reply) resolve(reply.done);
                if ('failed' in reply) reject(new Error(reply.failed));
              });
              serving.take({ ...request, id });
            });
          } finally {
            underWay -= 1;
          }
        },
      });
      return {
        ...graphs,
        close() {
          graphs.close();
          serving.stop();
          serving.close();
        },
      };
    },
    async idle() {
      for (let quiet = 0; quiet < QUIET_ROUNDS;) {
        await new Promise(setImmediate);
        quiet = underWay > 0 ? 0 : quiet + 1;
      }
    },
  };
  return self;
}
