import { indexExplicitly, openGraphHandle, openFreshener } from '../graph/index.ts';
import type { Indexing, IndexResult, GraphHandle, Progress, RootFreshener } from '../graph/index.ts';
import type { GraphSettings } from '../engine/settings.ts';
import type { Files } from '../platform/files.ts';
import type { Environment } from '../platform/paths.ts';

/** What the server may touch. */
export interface McpWorld {
  readonly state: string;
  readonly files: Files;
  readonly home: string;
  readonly env: Environment;
  readonly indexing: Pick<Indexing, 'ask' | 'draw'>;
  readonly pid: number;
  cwd(): string;
  /** Those in force in a root. */
  settingsAt(root: string): Promise<GraphSettings>;
  /** Whether the person lets the home directory and the top of the file system be roots. */
  forcesRoots(): Promise<boolean>;
}

/** An attempt to index, for all who ask while it runs. */
export interface Attempt {
  readonly done: Promise<IndexResult>;
  /** As far as it is. */
  readonly progress: Progress | undefined;
}

/** The graphs that calls are about: the ones asked about last stay open. */
export interface Projects {
  graph(root: string): GraphHandle;
  freshener(root: string, waitMs: number): Promise<RootFreshener>;
  index(root: string, how: 'force' | 'verify' | undefined, onProgress: (progress: Progress) => void): Promise<Attempt>;
  close(): void;
}

const MAX_OPEN = 4;

interface Running extends Attempt {
  readonly how: string | undefined;
  progress: Progress | undefined;
  readonly listeners: Set<(progress: Progress) => void>;
}

export function openProjects(world: McpWorld): Projects {
  const { state, files, indexing } = world;
  const graphs = new Map<string, GraphHandle>();
  const attempts = new Map<string, Running>();

  function graph(root: string): GraphHandle {
    const kept = graphs.get(root) ?? openGraphHandle(files, state, root);
    graphs.delete(root);
    graphs.set(root, kept);
    for (const [oldest, other] of graphs) {
      if (graphs.size <= MAX_OPEN) break;
      other.close();
      graphs.delete(oldest);
    }
    return kept;
  }

  return {
    graph,
    async freshener(root, waitMs) {
      const settings = await world.settingsAt(root);
      return openFreshener({ state, root, files, graph: graph(root), indexing, settings, refreshMs: waitMs });
    },
    async index(root, how, onProgress) {
      const settings = await world.settingsAt(root);
      const running = attempts.get(root);
      if (running !== undefined && running.how === how) {
        running.listeners.add(onProgress);
        return running;
      }
      const listeners = new Set([onProgress]);
      const done = indexExplicitly({
        state,
        root,
        files,
        indexing,
        settings,
        how,
        onProgress(progress) {
          attempt.progress = progress;
          for (const listener of listeners) listener(progress);
        },
      }).finally(() => {
        if (attempts.get(root) === attempt) attempts.delete(root);
      });
      const attempt: Running = { how, progress: undefined, listeners, done };
      // Who asked may not wait until it fails.
      done.catch(() => {});
      attempts.set(root, attempt);
      return attempt;
    },
    close() {
      for (const kept of graphs.values()) kept.close();
      graphs.clear();
    },
  };
}
