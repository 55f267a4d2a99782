import type { PlaceReason, Seen } from '../../engine/engine.ts';
import type { KnownGraph } from '../../engine/rule.ts';
import type { Files } from '../../platform/files.ts';
import { watchActiveRoots } from './active-root.ts';
import type { ActiveRootsOptions } from './active-root.ts';
import { createAttempts } from './attempts.ts';
import type { AttemptsOptions, Considered } from './attempts.ts';
import { createDrawing } from './drawing-queue.ts';
import type { DrawingOptions } from './drawing-queue.ts';
import { changeBy, namesCode, readBy, showsWork, touchedBy } from './event-signals.ts';
import { forgetDue, holdNew, isBehind, packagesTouched } from './tracked-root.ts';
import type { HeldGraph } from './tracked-root.ts';
import type { IndexRequest } from '../indexer/request.ts';
import { knowGraph } from './rule-graph.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import type { Scope } from '../store/scope.ts';
import { AUTOCONTEXT_PACK, choiceBy } from '../settings.ts';
import type { GraphSettings } from '../../engine/settings.ts';
import type { WalkOptions } from '../walk/walk-options.ts';

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

/** `ask` settles when it is done; done by another process, so that no event waits for a parse. */
export interface GraphsOptions
  extends Omit<GraphsDeps, 'state' | 'files'>, AttemptsOptions, ActiveRootsOptions, Pick<DrawingOptions, 'draw'> {
  /** The root is a directory. */
  isThere(root: string): boolean;
  /** What tells one finished state of a root's index from the next; undefined when it has no index. */
  stampOf(root: string): string | undefined;
  /** Opens finished data; undefined when there is none that can be read. */
  open(root: string): GraphReader | undefined;
  /** The file, named by its absolute path, is not as it was when it was indexed, or should be and is not, unless only some are. */
  isChanged(reader: GraphReader, path: string, isWhole: boolean, walk: WalkOptions | undefined): boolean;
  readScope(root: string): Scope | undefined;
  /** The directory below the root of the package that a file which could be indexed belongs to. */
  packageOf(root: string, path: string, walk: WalkOptions | undefined): string | undefined;
}

/** What graphs are told of an event. */
export type GraphSight = Pick<Seen, 'event' | 'followUps' | 'silenced'> & {
  readonly place: Pick<Seen['place'], 'root' | 'reason' | 'project'> & {
    readonly workspace: Pick<Seen['place']['workspace'], 'markerBacked'>;
    readonly policy: Pick<Seen['place']['policy'], 'graph'>;
  };
};

/** The indexes of the workspaces that sessions work in: made where that is wanted, open for questions, and kept current as events tell of changes. */
export interface Graphs {
  /** What lies there at this moment; that it is made is never waited for. */
  at(root: string): KnownGraph | undefined;
  see(seen: GraphSight): void;
  /** A session is at work in a root, as another process was told. */
  begin(root: string, reason: PlaceReason, settings: GraphSettings): void;
  close(): void;
}

/** Roots that stay open; the one that was seen longest ago is closed for the next. */
const MAX_OPEN = 4;
/** Commands come in bursts: their changes are looked for together, this long after the first of them. */
const GATHER_MS = 400;
/** Files that are remembered until it is known whether all are indexed. */
const MAX_TOUCHED = 500;

export function createGraphs(options: GraphsOptions): Graphs {
  const { now, onFailure } = options;
  const held = new Map<string, HeldGraph>();
  let isClosed = false;
  const attempts = createAttempts(options);
  const active = watchActiveRoots(options);
  const drawing = createDrawing({ draw: options.draw, onFailure, isReady });

  function isReady(root: string): boolean {
    const entry = held.get(root);
    return !isClosed && (entry === undefined || !isBehind(entry));
  }

  function hold(root: string): HeldGraph {
    const entry = held.get(root) ?? holdNew(options.soon);
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

  function look(root: string, entry: HeldGraph): void {
    if (isClosed) return;
    const stamp = options.stampOf(root);
    if (stamp === entry.stamp) return;
    entry.scope = stamp === undefined ? undefined : options.readScope(root);
    show(entry, stamp, stamp === undefined ? undefined : options.open(root));
  }

  function show(entry: HeldGraph, stamp: string | undefined, reader: GraphReader | undefined): void {
    entry.reader?.close();
    entry.stamp = stamp;
    entry.reader = reader;
    const settled = (path: string, ms: number) =>
      entry.edited.has(path) || entry.reading.has(path) ? entry.waiters.wait(path, ms) : undefined;
    entry.known =
      reader &&
      knowGraph(reader, {
        isCurrent: () => !isBehind(entry),
        hasPartialScope: () => entry.scope !== undefined,
        settled,
        recheck: (path) => entry.read.add(path),
      });
  }

  async function attend(root: string, entry: HeldGraph): Promise<void> {
    if (isClosed || entry.busy || options.isOff(now())) return;
    // Who worked in a root that is gone is found elsewhere.
    for (const [other, each] of held) if (!each.busy && !options.isThere(other)) lose(other, each);
    if (!options.isThere(root)) return lose(root, entry);
    look(root, entry);
    await index(root, entry);
    if (isClosed) return;
    if (entry.due) return attend(root, entry);
    // Where nothing can be read and nobody wants an index, or it is not time to make one, an edit makes none.
    if (entry.stamp === undefined || (entry.settings && !entry.reader)) return forgetDue(entry);
    noticeChanges(entry);
    const { sweepDue, gathers } = entry;
    const touched = packagesTouched(entry, (path) => options.packageOf(root, path, entry.settings?.walk));
    const sweeps = (sweepDue && !gathers) || touched.length > 0;
    if (sweeps || entry.edited.size > 0) {
      if (await update(root, entry, sweeps, touched)) await attend(root, entry);
      return;
    }
    drawing.go();
  }

  /** Makes the index where there is none that can be used, and it is time to. */
  async function index(root: string, entry: HeldGraph): Promise<void> {
    const { due, settings } = entry;
    entry.due = undefined;
    if (due === undefined || settings === undefined || (entry.reader && entry.madeUnder === settings)) return;
    const attempt = attempts.consider(root, { ...due, settings, hasIndex: entry.reader !== undefined });
    if (attempt === 'later') return;
    entry.madeUnder = settings;
    if (attempt === undefined) return;
    entry.busy = true;
    // All of it is read now.
    forgetDue(entry);
    const isMade = await attempt;
    entry.busy = false;
    look(root, entry);
    if (isMade) drawing.want({ root, what: 'architecture', ...textOnly(settings) });
  }

  /** False when another process writes there: then what is open stays as it is for now. */
  async function update(root: string, entry: HeldGraph, sweeps: boolean, touched: readonly string[]): Promise<boolean> {
    const paths = [...entry.edited];
    const used = [...entry.touched];
    entry.busy = true;
    entry.reading = new Set(paths);
    entry.edited.clear();
    if (sweeps) entry.sweepDue = false;
    const sweep: IndexRequest = touched.length > 0 ? { do: 'sweep', root, touched } : { do: 'sweep', root };
    const task: IndexRequest = sweeps ? sweep : { do: 'refresh', root, paths };
    try {
      await options.ask({ ...task, ...choiceBy(entry.settings) });
      for (const path of used) entry.touched.delete(path);
      // A file beyond the cap changes this and nothing else.
      entry.scope = options.readScope(root);
      return true;
    } catch (error) {
      // What was asked for is still due; the next event tries again.
      entry.sweepDue = true;
      if (isClosed || !options.isHeld(root)) throw error;
      return false;
    } finally {
      entry.busy = false;
      entry.reading = new Set();
      look(root, entry);
      entry.waiters.release((path) => !entry.edited.has(path));
    }
  }

  function lose(root: string, entry: HeldGraph): void {
    show(entry, undefined, undefined);
    forgetDue(entry);
    entry.madeUnder = undefined;
    if (entry.settings) attempts.vanished(root);
  }

  /** Files that were changed by somebody whom no event tells of, and that an agent has looked at. */
  function noticeChanges(entry: HeldGraph): void {
    const { reader, read, edited, settings, scope } = entry;
    const isDue = (path: string) =>
      reader !== undefined && options.isChanged(reader, path, scope === undefined, settings?.walk);
    for (const path of read) if (isDue(path)) edited.add(path);
    read.clear();
  }

  function schedule(root: string, entry: HeldGraph, ms: number): void {
    const work = () => {
      if (ms > 0) entry.gathers = false;
      else entry.scheduled = false;
      attend(root, entry).catch((error: unknown) => {
        // What an engine that ends leaves undone, the next one finds by comparing files.
        if (!isClosed) onFailure('keeping the code graph current', error);
      });
    };
    if (ms > 0) return options.soon(ms, work);
    if (entry.scheduled) return undefined;
    entry.scheduled = true;
    return options.afterReply(work);
  }

  function sweepLater(root: string, entry: HeldGraph): void {
    entry.sweepDue = true;
    if (entry.gathers) return;
    entry.gathers = true;
    schedule(root, entry, GATHER_MS);
  }

  /** What is not open yet is opened for the first who asks: an agent may look at a file once only. */
  function openNow(root: string): HeldGraph | undefined {
    if (isClosed || options.stampOf(root) === undefined || !options.isThere(root)) return undefined;
    const entry = hold(root);
    // Nobody told of what changed before.
    entry.sweepDue = true;
    look(root, entry);
    return entry;
  }

  return {
    at(root) {
      const entry = held.get(root);
      return entry?.known || entry?.busy ? entry.known : openNow(root)?.known;
    },
    see(seen) {
      const { event, place } = seen;
      const { root } = place;
      const settings = seen.silenced.includes(AUTOCONTEXT_PACK) ? undefined : place.policy.graph;
      const change = changeBy(event);
      const isDue = settings !== undefined && showsWork(event);
      if (settings) active.see(event, place);
      const isTold = settings !== undefined && wantDrawings(seen, settings);
      if (change === undefined && !isDue && !isTold) return;
      const entry = hold(root);
      entry.settings = settings;
      if (isDue) {
        entry.due = { occasion: occasionOf(seen, entry.due, now()), reason: place.reason };
        for (const path of readBy(event)) entry.read.add(path);
      }
      if (Array.isArray(change)) for (const path of change as string[]) entry.edited.add(path);
      if (isDue && (entry.scope || !entry.reader) && entry.touched.size < MAX_TOUCHED)
        for (const path of touchedBy(event)) entry.touched.add(path);
      const isCommand = event.name === 'tool.after' && change === 'any';
      if (isCommand) sweepLater(root, entry);
      else if (change === 'any') {
        entry.sweepDue = true;
        entry.gathers = false;
      }
      if (!isCommand || isDue) schedule(root, entry, 0);
    },
    begin(root, reason, settings) {
      const entry = hold(root);
      entry.settings = settings;
      entry.due ??= { occasion: { at: now(), isMarkerBacked: true, namesCode: false }, reason };
      entry.sweepDue = true;
      schedule(root, entry, 0);
    },
    close() {
      isClosed = true;
      attempts.close();
      drawing.close();
      for (const { reader } of held.values()) reader?.close();
      held.clear();
    },
  };

  function wantDrawings({ followUps }: GraphSight, settings: GraphSettings): boolean {
    let isTold = false;
    for (const followUp of followUps) {
      if (followUp.kind !== 'impact') continue;
      isTold = true;
      drawing.want({ root: followUp.root, what: 'impact', symbol: followUp.symbol, ...textOnly(settings) });
    }
    return isTold;
  }
}

/** Of events that come before the first of them is attended to, one that names code is enough. */
function occasionOf({ event, place }: GraphSight, before: HeldGraph['due'], at: number): Considered['occasion'] {
  const isCode = before?.occasion.namesCode === true || namesCode(event);
  return { at, isMarkerBacked: place.workspace.markerBacked, namesCode: isCode };
}

function textOnly({ pictures }: GraphSettings): { isTextOnly?: true } {
  return pictures === 'auto' ? {} : { isTextOnly: true };
}
