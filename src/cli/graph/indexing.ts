import type { Progress } from '../../graph/indexer/indexer.ts';
import type { IndexRequest, IndexResult } from '../../graph/indexer/request.ts';
import { createIndexing } from '../../graph/indexer/start-indexer.ts';
import { join } from '../../platform/paths.ts';
import type { CliWorld } from '../command.ts';

/** The indexing process, as commands ask it. */
export interface CommandIndexing {
  /** Rejects when it could not be done. */
  ask(request: IndexRequest, onProgress?: (progress: Progress) => void): Promise<IndexResult>;
  /** The same for whoever can do without: false when it could not be done, or not in time. */
  tryTo(request: IndexRequest, limitMs: number): Promise<boolean>;
  close(): void;
}

/** Whoever writes there is done with a small change by then, and with a large one not. */
const WRITER_MS = 2_000;

const program = join(import.meta.dirname, 'indexer.js');

export function openIndexing({ paths }: Pick<CliWorld, 'paths'>): CommandIndexing {
  const { ask, close } = createIndexing({ state: paths.state, node: process.execPath, program });
  return {
    ask,
    close,
    async tryTo(request, limitMs) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), limitMs);
      });
      const done = ask({ ...request, waitMs: Math.min(limitMs, WRITER_MS) }).then(
        ({ left }) => left === 0,
        () => false,
      );
      try {
        return await Promise.race([done, late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
