import type { PlaceReason, Seen } from '../../engine/engine.ts';
import type { RuleGraph } from '../../engine/rule.ts';
import { watchActiveRoots } from './active-root.ts';
import { createAttempts } from './attempts.ts';
import type { Considered } from './attempts.ts';
import { createDrawingQueue } from './drawing-queue.ts';
import { changeBy, namesCode, readBy, showsWork, touchedBy } from './event-signals.ts';
import type { GraphsOptions } from './graphs-options.ts';
import type { TrackedRoot } from './tracked-root.ts';
import { createTrackedRoots } from './tracked-roots.ts';
import { createUpkeep, textOnly } from './upkeep.ts';
import { GRAPH_PACK } from '../../event/known-packs.ts';
import type { GraphSettings } from '../../engine/settings.ts';

/** What graphs are told of an event. */
export type SeenByGraphs = Pick<Seen, 'event' | 'followUps' | 'silenced'> & {
  readonly place: Pick<Seen['place'], 'root' | 'reason' | 'project'> & {
    readonly workspace: Pick<Seen['place']['workspace'], 'markerBacked'>;
    readonly policy: Pick<Seen['place']['policy'], 'graph'>;
  };
};

/** The indexes of the workspaces that sessions work in: made where that is wanted, open for questions, and kept current as events tell of changes. */
export interface Graphs {
  /** What lies there at this moment; that it is made is never waited for. */
  at(root: string): RuleGraph | undefined;
  see(seen: SeenByGraphs): void;
  /** A session is at work in a root, as another process was told. */
  begin(root: string, reason: PlaceReason, settings: GraphSettings): void;
  close(): void;
}

/** Commands come in bursts: their changes are looked for together, this long after the first of them. */
const GATHER_MS = 400;
/** Files that are remembered until it is known whether all are indexed. */
const MAX_TOUCHED = 500;

export function createGraphs(options: GraphsOptions): Graphs {
  const { now } = options;
  const roots = createTrackedRoots(options);
  const attempts = createAttempts(options);
  const active = watchActiveRoots(options);
  const drawings = createDrawingQueue({ draw: options.draw, onFailure: options.onFailure, isReady: roots.isReady });
  const upkeep = createUpkeep(options, roots, attempts, drawings);

  function sweepLater(root: string, entry: TrackedRoot): void {
    entry.sweepDue = true;
    if (entry.gathers) return;
    entry.gathers = true;
    upkeep.schedule(root, entry, GATHER_MS);
  }

  function wantDrawings({ followUps }: SeenByGraphs, settings: GraphSettings): boolean {
    let isTold = false;
    for (const followUp of followUps) {
      if (followUp.kind !== 'impact') continue;
      isTold = true;
      drawings.want({ root: followUp.root, what: 'impact', symbol: followUp.symbol, ...textOnly(settings) });
    }
    return isTold;
  }

  return {
    at: roots.graphAt,
    see(seen) {
      const { event, place } = seen;
      const { root } = place;
      const settings = seen.silenced.includes(GRAPH_PACK) ? undefined : place.policy.graph;
      const change = changeBy(event);
      const isDue = settings !== undefined && showsWork(event);
      if (settings) active.see(event, place);
      const isTold = settings !== undefined && wantDrawings(seen, settings);
      if (change === undefined && !isDue && !isTold) return;
      const entry = roots.track(root);
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
      if (!isCommand || isDue) upkeep.schedule(root, entry, 0);
    },
    begin(root, reason, settings) {
      const entry = roots.track(root);
      entry.settings = settings;
      entry.due ??= { occasion: { at: now(), isMarkerBacked: true, namesCode: false }, reason };
      entry.sweepDue = true;
      upkeep.schedule(root, entry, 0);
    },
    close() {
      attempts.close();
      drawings.close();
      roots.close();
    },
  };
}

/** Of events that come before the first of them is attended to, one that names code is enough. */
function occasionOf({ event, place }: SeenByGraphs, before: TrackedRoot['due'], at: number): Considered['occasion'] {
  const isCode = before?.occasion.namesCode === true || namesCode(event);
  return { at, isMarkerBacked: place.workspace.markerBacked, namesCode: isCode };
}
