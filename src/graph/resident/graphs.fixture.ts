import type { Event } from '../../event/event.ts';
import { createGraphs } from './graphs.ts';
import type { Graphs, SeenByGraphs } from './graphs.ts';
import type { DrawRequest, IndexRequest } from '../indexer/request.ts';
import type { InitRecord } from '../store/init-record.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import type { Scope } from '../store/scope.ts';
import type { GraphSettings } from '../../engine/settings.ts';

export const ROOT = '/code/app';
export const SETTINGS: GraphSettings = { walk: {}, pictures: 'auto', force: false };
/** The pack is on there. */
export const ON = { policy: { graph: SETTINGS } };

export function event(name: string, more: object): Event {
  return { name, cwd: ROOT, session: 's', ...more } as unknown as Event;
}

export const readOf = (path: string) =>
  event('tool.after', { tool: { kind: 'read', paths: [`${ROOT}/${path}`], edits: [] } });
export const editOf = (path: string) =>
  event('tool.after', { tool: { kind: 'edit', paths: [], edits: [{ path: `${ROOT}/${path}`, operation: 'write' }] } });

export type SeenOptions = Partial<SeenByGraphs['place']> & Partial<SeenByGraphs>;

export function seenAt(seen: Event, root: string, more: SeenOptions = {}): SeenByGraphs {
  const { followUps = [], silenced = [], ...place } = more;
  const about = { root, project: root, reason: 'file' as const, workspace: { markerBacked: true }, policy: {} };
  return { event: seen, followUps, silenced, place: { ...about, ...place } };
}

/** Graphs over a world that is made up: what they ask for is done when a test says so. */
export interface PlannedGraphs {
  readonly graphs: Graphs;
  readonly stamps: Map<string, string>;
  readonly scopes: Map<string, Scope>;
  readonly records: Map<string, InitRecord>;
  readonly changed: Set<string>;
  readonly gone: Set<string>;
  readonly asked: IndexRequest[];
  readonly opened: string[];
  readonly closed: string[];
  readonly failures: string[];
  readonly active: unknown[];
  readonly drawn: DrawRequest[];
  readonly finishDraw: (() => void)[];
  waiting: { ms: number; work: () => void }[];
  isHeld: boolean;
  now: number;
  /** Does what waits for a reply or a timer. */
  idle(): Promise<void>;
  /** Ends what was asked for first. */
  done(error?: Error, files?: number): Promise<void>;
}

export function planGraphs(): PlannedGraphs {
  const finish: ((error?: Error, files?: number) => void)[] = [];
  const graphs = createGraphs({
    stampOf: (root) => world.stamps.get(root),
    open(root) {
      world.opened.push(root);
      return { root, close: () => world.closed.push(root), named: () => [] } as unknown as GraphReader;
    },
    ask(task) {
      world.asked.push(task);
      return new Promise((resolve, reject) => {
        finish.push((error, files = 3) => (error ? reject(error) : resolve({ files })));
      });
    },
    draw(request) {
      world.drawn.push(request);
      return new Promise<void>((resolve) => {
        world.finishDraw.push(resolve);
      });
    },
    isThere: (root) => !world.gone.has(root),
    isChanged: (_reader, path) => world.changed.has(path),
    readScope: (root) => world.scopes.get(root),
    packageOf: (root, path) => /^(.+)\/[^/]*$/.exec(path.slice(root.length + 1))?.[1],
    isHeld: () => world.isHeld,
    readRecord: (root) => world.records.get(root),
    writeRecord: (record) => world.records.set(record.root, record),
    writeActive: (dir, where) => world.active.push([dir, where]),
    afterReply: (work) => world.waiting.push({ ms: 0, work }),
    soon: (ms, work) => world.waiting.push({ ms, work }),
    now: () => world.now,
    isOff: () => false,
    onFailure: (what) => world.failures.push(what),
  });
  const world: PlannedGraphs = {
    graphs,
    stamps: new Map([[ROOT, '1']]),
    scopes: new Map(),
    records: new Map(),
    changed: new Set(),
    gone: new Set(),
    asked: [],
    opened: [],
    closed: [],
    failures: [],
    active: [],
    drawn: [],
    finishDraw: [],
    waiting: [],
    isHeld: false,
    now: 1_000,
    async idle() {
      for (const { work } of world.waiting.splice(0)) work();
      await new Promise(setImmediate);
    },
    async done(error, files) {
      finish.shift()?.(error, files);
      await new Promise(setImmediate);
    },
  };
  return world;
}
