import type { PackObserver } from './observer.ts';
import { namesOf } from '../engine/match/rule-index.ts';
import type { RuleIndex } from '../engine/match/rule-index.ts';
import type { RuleWorkspace } from '../engine/rule.ts';
import type { EventName, ToolKind } from '../event/event.ts';

/** An observer, and what it is told of under one set of rules. */
export interface Watch {
  readonly observer: PackObserver;
  /** What its rules look for in a workspace; one without it is none of the pack's business. */
  readonly entries: readonly string[];
  /** Events with a kind of tool, and events with any or none. */
  readonly hears: ReadonlySet<string>;
  readonly hearsAll: ReadonlySet<EventName>;
}

export function hearingKey(event: EventName, kind: ToolKind | undefined): string {
  return `${event} ${kind}`;
}

/** The observers of packs that are on; each is told of what a rule of its pack hears by event and tool. */
export function watchesOf(observers: readonly PackObserver[], { rules }: RuleIndex): readonly Watch[] {
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

export function holderOf(entries: readonly string[], workspace: RuleWorkspace): string | undefined {
  for (const entry of entries) {
    const holder = workspace.nearest(entry);
    if (holder !== undefined) return holder;
  }
  return undefined;
}
