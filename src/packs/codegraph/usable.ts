import type { Cells, Event, RuleContext } from '../../engine/rule.ts';
import type { EDITED } from './freshness.ts';
import { indexesAt, isStale } from './find-index.ts';
import type { Index } from './find-index.ts';
import { providersIn } from './providers.ts';
import type { Provider } from './providers.ts';
import { routeOf } from './routes.ts';
import type { Route, SEEN_TOOLS } from './routes.ts';
import type { Search } from './search.ts';

/** An index that covers a place, is up to date, and can be asked. */
export interface Usable {
  readonly index: Index;
  readonly route: Route;
}

export type SearchContext = Pick<RuleContext, 'options' | 'workspace' | 'files' | 'now' | 'setup'> & {
  readonly state: Cells<{ readonly tools: typeof SEEN_TOOLS; readonly edited: typeof EDITED }>;
};

/** A searched place and what covers it. */
export interface Site {
  readonly place: string;
  readonly best: Usable;
  readonly others: readonly Usable[];
}

/** Places of a search that are looked at. */
const MOST_PLACES = 4;

/** The places that an index covers, in their order; each is looked for when it is asked for. */
export function* sitesOf({ places }: Search, event: Event, context: SearchContext): Generator<Site, undefined> {
  for (const place of places.slice(0, MOST_PLACES)) {
    const [best, ...others] = usableAt(place, event, context);
    if (best) yield { place, best, others };
  }
}

/** An index that covers a place, and how it can be asked, if it can. */
export interface Covered {
  readonly index: Index;
  readonly route: Route | undefined;
}

/** Best first. */
export function coveredAt(
  place: string,
  providers: readonly Provider[],
  event: Event,
  context: SearchContext,
): readonly Covered[] {
  const { workspace, files, now, state } = context;
  return indexesAt(place, providers, { workspace, files, now, event }).map((index) => ({
    index,
    route: routeOf(index.provider, {
      seen: state.tools.get(index.provider.id),
      // Read when it is asked for: most places have no index.
      setup: context.setup,
      workspace,
      now,
    }),
  }));
}

/** Best first. */
function usableAt(place: string, event: Event, context: SearchContext): Usable[] {
  const { options, files, state } = context;
  return coveredAt(place, providersIn(options), event, context).flatMap(({ index, route }): Usable[] =>
    route && !isStale(index, state.edited.get(index.root), files) ? [{ index, route }] : [],
  );
}

/** Whether a provider's own hook has put graph context into this turn already. */
export function isServedByHook(usable: readonly Usable[], { setup }: Pick<RuleContext, 'setup'>): boolean {
  return usable.some(({ index }) => {
    const { promptHook } = index.provider;
    return (
      promptHook !== undefined &&
      setup.hooks.some(({ event, command }) => event === 'prompt.submit' && command.includes(promptHook))
    );
  });
}
