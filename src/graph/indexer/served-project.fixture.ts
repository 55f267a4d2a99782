import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { renderPng } from '../../platform/picture-renderer.ts';
import { createParser } from '../parse/parse-file.ts';
import { resolveFile } from '../resolve/resolve-file.ts';
import { drawRequested } from './draw-request.ts';
import type { DrawRequest, DrawResult, IndexReply, IndexRequest, IndexResult } from './request.ts';
import { serveRequests } from './serve.ts';

export interface Served {
  ask(request: Omit<IndexRequest, 'root'>): Promise<IndexResult>;
  draw(request: Omit<DrawRequest, 'root' | 'do'>): Promise<DrawResult>;
  /** What was answered, in this order: `index`, `impact`. */
  readonly order: string[];
  /** How often a PNG was made. */
  rendered: number;
  close(): Promise<void>;
}

interface Replaced {
  readonly files?: Files;
  renderPng?(svg: string): Promise<Uint8Array>;
}

/** The indexing process's part, inside this one. */
export function serveProject(state: string, root: string, replaced: Replaced = {}): Served {
  const waiting = new Map<number, { name: string; take(reply: IndexReply): void }>();
  let lastId = 0;
  const serving = serveRequests({
    state,
    files: replaced.files ?? nodeFiles,
    parser: createParser({ budgetMs: 60_000 }),
    resolve: resolveFile,
    pid: process.pid,
    loadDrawing: async () => ({
      drawRequested,
      renderPng(svg) {
        served.rendered += 1;
        return (replaced.renderPng ?? renderPng)(svg);
      },
    }),
    reply(reply) {
      if ('progress' in reply) return;
      const { name, take } = waiting.get(reply.id) ?? { name: '', take() {} };
      served.order.push(name);
      take(reply);
    },
  });

  function pose<Result>(
    name: string,
    request: Omit<IndexRequest, 'root'> | Omit<DrawRequest, 'root'>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const id = (lastId += 1);
      waiting.set(id, {
        name,
        take(reply) {
          if ('failed' in reply) reject(new Error(reply.failed));
          else if ('done' in reply) resolve(reply.done as Result);
          else if ('drawn' in reply) resolve(reply.drawn as Result);
        },
      });
      serving.take({ ...request, root, id });
    });
  }

  const served: Served = {
    ask: (request) => pose(request.do, request),
    draw: (request) => pose(request.what, { ...request, do: 'draw' }),
    order: [],
    rendered: 0,
    async close() {
      await serving.idle();
      serving.close();
    },
  };
  return served;
}
