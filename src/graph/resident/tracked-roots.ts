import type { RuleGraph } from '../../engine/rule.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import type { GraphsOptions } from './graphs-options.ts';
import { createRuleGraph } from './rule-graph.ts';
import { isBehind, newTrackedRoot } from './tracked-root.ts';
import type { TrackedRoot } from './tracked-root.ts';

/** The roots that sessions work in, each with the graph that is open there. */
export interface TrackedRoots {
  /** Keeps a root from being the next that is closed. */
  track(root: string): TrackedRoot;
  all(): Iterable<[string, TrackedRoot]>;
  /** Opens what was written since, whoever wrote it. */
  reopen(root: string, entry: TrackedRoot): void;
  closeGraph(entry: TrackedRoot): void;
  graphAt(root: string): RuleGraph | undefined;
  /** Nothing that was changed there waits to be read. */
  isReady(root: string): boolean;
  readonly isClosed: boolean;
  close(): void;
}

/** Roots that stay open; the one that was seen longest ago is closed for the next. */
const MAX_OPEN = 4;

export function createTrackedRoots(
  options: Pick<GraphsOptions, 'soon' | 'stampOf' | 'readScope' | 'open' | 'isThere'>,
): TrackedRoots {
  const tracked = new Map<string, TrackedRoot>();
  let isClosed = false;

  function track(root: string): TrackedRoot {
    const entry = tracked.get(root) ?? newTrackedRoot(options.soon);
    tracked.delete(root);
    tracked.set(root, entry);
    for (const [oldest, { reader, busy }] of tracked) {
      if (tracked.size <= MAX_OPEN) break;
      if (busy || oldest === root) continue;
      reader?.close();
      tracked.delete(oldest);
    }
    return entry;
  }

  function reopen(root: string, entry: TrackedRoot): void {
    if (isClosed) return;
    const stamp = options.stampOf(root);
    if (stamp === entry.stamp) return;
    entry.scope = stamp === undefined ? undefined : options.readScope(root);
    show(entry, stamp, stamp === undefined ? undefined : options.open(root));
  }

  function show(entry: TrackedRoot, stamp: string | undefined, reader: GraphReader | undefined): void {
    entry.reader?.close();
    entry.stamp = stamp;
    entry.reader = reader;
    const whenCurrent = (path: string, ms: number) =>
      entry.edited.has(path) || entry.reading.has(path) ? entry.waiters.wait(path, ms) : undefined;
    entry.graph =
      reader &&
      createRuleGraph(reader, {
        isCurrent: () => !isBehind(entry),
        hasPartialScope: () => entry.scope !== undefined,
        whenCurrent,
        whenStable: (ms) => (entry.busy ? entry.waiters.wait('', ms) : undefined),
        recheck: (path) => entry.read.add(path),
      });
  }

  /** What is not open yet is opened for the first who asks: an agent may look at a file once only. */
  function openNow(root: string): TrackedRoot | undefined {
    if (isClosed || options.stampOf(root) === undefined || !options.isThere(root)) return undefined;
    const entry = track(root);
    // Nobody told of what changed before.
    entry.sweepDue = true;
    reopen(root, entry);
    return entry;
  }

  return {
    track,
    all: () => tracked,
    reopen,
    closeGraph: (entry) => show(entry, undefined, undefined),
    graphAt(root) {
      const entry = tracked.get(root);
      return entry?.graph || entry?.busy ? entry.graph : openNow(root)?.graph;
    },
    isReady(root) {
      const entry = tracked.get(root);
      return !isClosed && (entry === undefined || !isBehind(entry));
    },
    get isClosed() {
      return isClosed;
    },
    close() {
      isClosed = true;
      for (const { reader } of tracked.values()) reader?.close();
      tracked.clear();
    },
  };
}
