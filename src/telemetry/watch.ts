import type { PackObserver, Seen } from './observer.ts';
import { ownSessionId } from '../engine/limits/guards.ts';
import { namesOf } from '../engine/match/rule-index.ts';
import type { RuleIndex } from '../engine/match/rule-index.ts';
import type { RuleWorkspace } from '../engine/rule.ts';
import type { EventName, ToolKind } from '../event/event.ts';
import type { Store } from '../state/store.ts';

/** An observer, and what it is told of under one set of rules. */
interface Watch {
  readonly observer: PackObserver;
  /** What its rules look for in a workspace; one without it is none of the pack's business. */
  readonly entries: readonly string[];
  /** Events with a kind of tool, and events with any or none. */
  readonly hears: ReadonlySet<string>;
  readonly hearsAll: ReadonlySet<EventName>;
}

export interface Told {
  readonly observer: PackObserver;
  /** Where the pack counts. */
  readonly root: string;
}

const NOBODY: readonly Told[] = [];

/** Says who is told of an event, and where it counts; the cheap questions come first. Never throws. */
export function createWatches(
  observers: readonly PackObserver[],
  store: Pick<Store, 'get'>,
  onFailure: (what: string, error: unknown) => void,
): (seen: Seen) => readonly Told[] {
  const find = findingWatches(observers, store);
  return (seen) => {
    try {
      return find(seen);
    } catch (error) {
      onFailure('finding who observes an event', error);
      return NOBODY;
    }
  };
}

function findingWatches(
  observers: readonly PackObserver[],
  store: Pick<Store, 'get'>,
): (seen: Seen) => readonly Told[] {
  const watching = new WeakMap<RuleIndex, readonly Watch[]>();
  return ({ place, silenced, row, event }) => {
    if (observers.length === 0 || row.copy || event.depth > 0) return NOBODY;
    const { index } = place.policy;
    let active = watching.get(index);
    if (!active) watching.set(index, (active = watchesOf(observers, index)));
    const key = hearingKey(event.name, event.tool?.kind);
    let told: Told[] | undefined;
    for (const { observer, entries, hears, hearsAll } of active) {
      if (!hears.has(key) && !hearsAll.has(event.name)) continue;
      const root = entries.length === 0 ? place.root : holderOf(entries, place.workspace);
      if (root !== undefined && !silenced.includes(observer.pack)) (told ??= []).push({ observer, root });
    }
    if (!told || store.get(ownSessionId(event.session), event.receivedAt) !== undefined) return NOBODY;
    return told;
  };
}

function hearingKey(event: EventName, kind: ToolKind | undefined): string {
  return `${event} ${kind}`;
}

/** The observers of packs that are on; each is told of what a rule of its pack hears by event and tool. */
function watchesOf(observers: readonly PackObserver[], { rules }: RuleIndex): readonly Watch[] {
  return observers.flatMap((observer): Watch[] => {
    const own = rules.filter(({ meta }) => meta.pack === observer.pack);
    if (own.length === 0) return [];
    const listens = own.flatMap(({ meta }) => meta.on);
    return [
      {
        observer,
        entries: [...new Set(own.flatMap(({ meta }) => meta.needs?.entry ?? []))],
        hears: new Set(
          listens.flatMap((listen) =>
            namesOf(listen).flatMap((event) => (listen.tool ?? []).map((kind) => hearingKey(event, kind))),
          ),
        ),
        hearsAll: new Set(listens.flatMap((listen) => (listen.tool ? [] : namesOf(listen)))),
      },
    ];
  });
}

function holderOf(entries: readonly string[], workspace: RuleWorkspace): string | undefined {
  for (const entry of entries) {
    const holder = workspace.nearest(entry);
    if (holder !== undefined) return holder;
  }
  return undefined;
}
