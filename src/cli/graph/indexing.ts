import { createIndexing } from '../../graph/index.ts';
import type { Indexing } from '../../graph/index.ts';
import { join } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';

const program = join(import.meta.dirname, 'indexer.js');

/** The indexing process, as commands ask it. */
export function openIndexing({ paths }: Pick<CliWorld, 'paths'>): Indexing {
  return createIndexing({ state: paths.state, node: process.execPath, program });
}
