/** What measurements take to index without a process of its own. */
export { createIndexer } from './indexer/indexer.ts';
export type { FileFacts } from './model/facts.ts';
export { createParser } from './parse/parse-file.ts';
export { resolveFile } from './resolve/resolve-file.ts';
export type { Located, World } from './resolve/world.ts';
