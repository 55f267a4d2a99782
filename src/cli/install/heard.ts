import { comesAs } from '../../adapters/adapter.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import type { Installer } from '../../adapters/installer.ts';
import { adapterNamed } from '../../adapters/registry.ts';
import { OWN_EVENTS } from '../../engine/decide/bookkeeping.ts';
import { heardBy } from '../../engine/match/rule-index.ts';
import type { RuleMeta } from '../../engine/rule.ts';
import type { EventName } from '../../event/event.ts';
import { GRAPH_PACK } from '../../event/known-packs.ts';
import { GRAPH_EVENTS } from '../../graph/settings.ts';
import { BUILT_IN } from '../../packs/index.generated.ts';
import { nodeFiles } from '../../platform/files.ts';
import { trustedRoots } from '../../workspace/config/trust.ts';
import type { CliWorld } from '../command.ts';
import { EVERYWHERE } from './fail-closed.ts';
import type { Wiring } from './inspect.ts';

/** Who wants to hear of events. */
export interface Heard {
  /** The rules in force that listen to an event. */
  rulesOn(event: EventName): readonly string[];
  /** Whether an agent has to tell of an event. */
  isNeeded(agent: string, event: EventName): boolean;
}

/**
 * A session that reads one settings file may work in any project, and rules of every project that it touches count. So an
 * event is wired when a rule listens to it here, everywhere, or in any project that a person has trusted. `packs` are about to be
 * switched on.
 */
export async function heardAt(root: string, world: CliWorld, packs: readonly string[] = []): Promise<Heard> {
  const { policyAt } = world.engine().workspaces;
  const trusted = trustedRoots({ files: nodeFiles, state: world.paths.state }).filter((each) => nodeFiles.exists(each));
  const rules = new Map<EventName, Set<string>>();
  const followed = new Set<EventName>(packs.includes(GRAPH_PACK) ? [...OWN_EVENTS, ...GRAPH_EVENTS] : OWN_EVENTS);
  const hear = (meta: RuleMeta): void => {
    for (const event of heardBy(meta)) rules.set(event, (rules.get(event) ?? new Set()).add(meta.id));
  };
  for (const place of new Set([EVERYWHERE, root, ...trusted])) {
    const { index, graph } = await policyAt(place);
    for (const { meta } of index.rules) hear(meta);
    if (graph) for (const event of GRAPH_EVENTS) followed.add(event);
  }
  for (const { meta } of BUILT_IN) if (packs.includes(meta.pack) && meta.optIn !== true) hear(meta);
  return {
    rulesOn: (event) => [...(rules.get(event) ?? [])],
    isNeeded(agent, event) {
      const adapter = adapterNamed(agent);
      return rules.has(event) || followed.has(event) || (adapter !== undefined && canHold(adapter, event));
    },
  };
}

/**
 * Whether the agent can be held there. Such an event is always wired: a rule that denies may come with the next version or
 * with a file that somebody adds by hand, and must not wait for anybody to install again.
 */
function canHold({ capabilities }: Adapter, event: EventName): boolean {
  const { deny, ask, rewrite } = capabilities(event);
  return deny === 'enforced' || ask === 'enforced' || rewrite === 'enforced';
}

/** One file serves many people, who have other rules. */
export function followsRules(scope: Wiring['scope']): scope is 'local' | 'user' {
  return scope === 'local' || scope === 'user';
}

/** What differs in one file from what is heard. */
export interface Difference {
  /** Events that are heard and not wired, in this file or in another that counts beside it. */
  readonly missing: readonly AgentEventName[];
  /** Events that are wired and of which nobody hears. */
  readonly needless: readonly string[];
}

interface AgentEventName {
  readonly name: string;
  readonly rules: readonly string[];
}

export function differenceIn(
  wiring: Wiring,
  all: readonly Wiring[],
  { wired, agent }: Installer,
  { isNeeded, rulesOn }: Heard,
): Difference {
  const beside = all.filter((each) => each.agent === agent && each.valid);
  const isWired = (name: string): boolean => [wiring, ...beside].some((each) => each.wired.includes(name));
  const follows = followsRules(wiring.scope);
  const isWanted = (event: EventName): boolean => !follows || isNeeded(agent, event);
  const wanted = wired.filter((event) => comesAs(event).some(isWanted));
  const isNeedless = (name: string): boolean => {
    const event = wired.find((each) => each.name === name);
    return event !== undefined && !wanted.includes(event);
  };
  return {
    missing: wanted
      .filter(({ name }) => !isWired(name))
      .map((event) => ({ name: event.name, rules: comesAs(event).flatMap((name) => rulesOn(name)) })),
    needless: wiring.wired.filter(isNeedless),
  };
}
