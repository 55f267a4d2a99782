import type { KnownGraph } from '../engine/rule.ts';
import type { Event } from '../event/event.ts';
import type { Files } from '../platform/files.ts';
import { knowGraph } from './known-graph.ts';
import type { GraphReader } from './query/graph-reader.ts';

/** What the indexing process is asked to do about one root. */
export type GraphTask =
  | { readonly do: 'refresh'; readonly root: string; readonly paths: readonly string[] }
  | { readonly do: 'sweep'; readonly root: string };

/** What the engine gives whoever keeps its graphs. */
export interface GraphsDeps {
  readonly state: string;
  readonly files: Files;
  /** Runs work when the replies at hand are out. */
  afterReply(work: () => void): void;
  soon(ms: number, work: () => void): void;
  now(): number;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
}

export interface GraphsOptions extends Omit<GraphsDeps, 'state' | 'files'> {
  /** What tells one finished state of a root's index from the next; undefined when it has no index. */
  stampOf(root: string): string | undefined;
  /** Opens finished data; undefined when there is none that can be read. */
  open(root: string): GraphReader | undefined;
  /** Settles when it is done; done by another process, so that no event waits for a parse. */
  ask(task: GraphTask): Promise<unknown>;
}

/** The indexes of the workspaces that sessions work in: open for questions, and kept current as events tell of changes. */
export interface Graphs {
  /** What is open at this moment; it is never waited for. */
  at(root: string): KnownGraph | undefined;
  see(event: Event, root: string): void;
  close(): void;
}

/** Roots that stay open; the one that was seen longest ago is closed for the next. */
const MAX_OPEN = 4;
/** Commands come in bursts: their changes are looked for together, this long after the first of them. */
const GATHER_MS = 400;

interface Held {
  reader?: GraphReader | undefined;
  known?: KnownGraph | undefined;
  stamp?: string | undefined;
  /** Absolute paths that were edited and not yet asked about. */
  readonly edited: Set<string>;
  sweepDue: boolean;
  /** Work was asked for and is not done: what is open may be behind. */
  busy: boolean;
  scheduled: boolean;
}

export function createGraphs(options: GraphsOptions): Graphs {
  const { now, onFailure } = options;
  const held = new Map<string, Held>();
  let isClosed = false;

  function hold(root: string): Held {
    const entry = held.get(root) ?? { edited: new Set(), sweepDue: false, busy: false, scheduled: false };
    held.delete(root);
    held.set(root, entry);
    for (const [oldest, { reader, busy }] of held) {
      if (held.size <= MAX_OPEN) break;
      if (busy || oldest === root) continue;
      reader?.close();
      held.delete(oldest);
    }
    return entry;
  }

  function look(root: string, entry: Held): void {
    if (isClosed) return;
    const stamp = options.stampOf(root);
    if (stamp === entry.stamp) return;
    entry.reader?.close();
    entry.stamp = stamp;
    entry.reader = stamp === undefined ? undefined : options.open(root);
    entry.known =
      entry.reader && knowGraph(entry.reader, { isCurrent: () => !isBehind(entry), settled: () => undefined });
  }

  async function attend(root: string, entry: Held): Promise<void> {
    if (isClosed || options.isOff(now())) return;
    look(root, entry);
    // A root without an index is left alone: making one is asked for, never a side effect of an edit.
    if (entry.stamp === undefined) {
      entry.edited.clear();
      entry.sweepDue = false;
      return;
    }
    if (entry.busy || !isBehind(entry)) return;
    entry.busy = true;
    const paths = [...entry.edited];
    const { sweepDue } = entry;
    entry.edited.clear();
    entry.sweepDue = false;
    try {
      await options.ask(sweepDue ? { do: 'sweep', root } : { do: 'refresh', root, paths });
    } catch (error) {
      // What was asked for is still due; the next event tries again.
      entry.sweepDue = true;
      throw error;
    } finally {
      entry.busy = false;
      look(root, entry);
    }
    if (isBehind(entry)) await attend(root, entry);
  }

  function schedule(root: string, entry: Held, ms: number): void {
    if (entry.scheduled) return;
    entry.scheduled = true;
    const work = () => {
      entry.scheduled = false;
      attend(root, entry).catch((error: unknown) => {
        // What an engine that ends leaves undone, the next one finds by comparing files.
        if (!isClosed) onFailure('keeping the code graph current', error);
      });
    };
    if (ms === 0) options.afterReply(work);
    else options.soon(ms, work);
  }

  return {
    at: (root) => held.get(root)?.known,
    see(event, root) {
      const change = changeBy(event);
      if (change === undefined) return;
      const entry = hold(root);
      if (change === 'any') entry.sweepDue = true;
      else for (const path of change) entry.edited.add(path);
      schedule(root, entry, event.name === 'tool.after' && change === 'any' ? GATHER_MS : 0);
    },
    close() {
      isClosed = true;
      for (const { reader } of held.values()) reader?.close();
      held.clear();
    },
  };
}

function isBehind({ edited, sweepDue, busy }: Held): boolean {
  return edited.size > 0 || sweepDue || busy;
}

/** The files that an event tells of a change to; `any` when it may have changed whatever it liked. */
function changeBy({ name, tool, prompt, place }: Event): readonly string[] | 'any' | undefined {
  if (name === 'session.start' || name === 'worktree.create') return 'any';
  if (name === 'prompt.submit') return prompt?.origin === 'human' ? 'any' : undefined;
  if (name === 'file.changed') return place && [place.path];
  if (name !== 'tool.after' && name !== 'tool.failed') return undefined;
  if (tool?.kind === 'shell') return 'any';
  return tool && tool.edits.length > 0 ? tool.edits.map(({ path }) => path) : undefined;
}
