import { serveRequests } from './indexer/serve.ts';
import type { ServeOptions, Serving } from './indexer/serve.ts';
import { createParser } from './parse/parse-file.ts';
import { resolveFile } from './resolve/resolve-file.ts';

export type { NumberedDrawRequest, NumberedRequest } from './indexer/request.ts';

/** For the indexing process alone: it brings the parsers along. What draws is loaded with the first picture. */
export function serveIndexing(options: Pick<ServeOptions, 'state' | 'files' | 'pid' | 'reply'>): Serving {
  return serveRequests({
    ...options,
    parser: createParser(),
    resolve: resolveFile,
    loadDrawing: () => import('./indexer/drawing.ts'),
  });
}
