import { breakerState } from './breaker.ts';
import type { BreakerLimits, BreakerState } from './breaker.ts';
import type { Paused } from '../session/pause.ts';
import { whyBackedOff } from '../advice/back-off.ts';
import type { Speaking } from '../advice/back-off.ts';
import { agentKey } from '../session/scope.ts';
import type { Sharing } from '../session/scope.ts';
import { throttleGate } from './throttle.ts';
import type { Gate } from './throttle.ts';
import { memoryName } from '../match/rule-index.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Needs, RuleWorkspace } from '../rule.ts';
import { cellId, PART, scopedId } from '../../state/cells.ts';
import type { OwnerOf } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Store } from '../../state/store.ts';
import type { Event } from '../../event/event.ts';
import type { RuleTrace } from '../../event/ledger-row.ts';

/** Where a rule looks from, and whose memory its cells are there. */
export interface Standing {
  readonly workspace: RuleWorkspace;
  readonly ownerOf: OwnerOf;
}

interface AtCwd {
  readonly workspace: Pick<RuleWorkspace, 'repository' | 'remote'>;
  readonly policy: { readonly sharing?: Sharing };
  atCwd(entry: string): RuleWorkspace;
}

/** Leaves out what sleeps, before anything is prepared for the others. */
export function awake(
  heard: readonly ActiveRule[],
  event: Event,
  store: Store,
  silenced: readonly string[],
  place: AtCwd,
): readonly ActiveRule[] {
  const selected =
    silenced.length === 0 ? heard : heard.filter(({ meta, held }) => held || !silenced.includes(meta.pack));
  const first = selected[0];
  if (first === undefined) return selected;
  const look = (id: string) => store.get(id, event.receivedAt);
  const ownerOf: OwnerOf = (scope) => (scope === 'repository' ? place.workspace.repository : remoteOwner(place));
  const wakes = (rule: ActiveRule) => isAwake(rule, event, look, ownerOf) && !isIdle(rule, event, place);
  if (selected.length === 1) return wakes(first) ? selected : NOBODY;
  return selected.some(({ meta }) => maySleep(meta.needs)) ? selected.filter(wakes) : selected;
}

function remoteOwner({ workspace: { remote }, policy: { sharing } }: AtCwd): string {
  return sharing && remote !== undefined ? sharing.team + PART + remote : '';
}

function maySleep(needs: Needs | undefined): boolean {
  return needs?.flag !== undefined || needs?.unset !== undefined || needs?.others !== undefined;
}

/** Set for a session whose id we chose when we started an agent: over HTTP nothing else tells. */
export function ownSessionId(session: string): string {
  return cellId('session', session, 'own');
}

const NOBODY: readonly ActiveRule[] = [];

function isAwake(
  { meta }: ActiveRule,
  event: Event,
  look: (id: string) => string | undefined,
  ownerOf: OwnerOf,
): boolean {
  if (!meta.needs) return true;
  const { flag, unset, others } = meta.needs;
  if (others !== undefined) {
    const sessions = look(scopedId('remote', ownerOf, others));
    if (sessions === undefined || sessions === JSON.stringify([event.session])) return false;
  }
  const isSet = (name: string) => look(cellId('session', event.session, name)) !== undefined;
  if (flag !== undefined && !isSet(flag)) return false;
  return unset === undefined || event.tool === undefined || !isSet(unset);
}

/** A rule that would hear every call, where the project has nothing for it. */
function isIdle({ meta: { at, needs } }: ActiveRule, { tool }: Event, place: AtCwd): boolean {
  if (needs?.unset === undefined || needs.entry === undefined || at !== 'cwd' || !tool) return false;
  return place.atCwd(needs.entry).nearest(needs.entry) === undefined;
}

export function whySleeping({ meta }: ActiveRule, event: Event): string | undefined {
  const { flag, unset, others, entry } = meta.needs ?? {};
  if (others !== undefined) return 'sleeps until another session has changed something in this repository';
  if (unset !== undefined && event.tool !== undefined) {
    const where = entry === undefined ? '' : `where there is no ${entry}, and `;
    return `sleeps through tool calls ${where}once ${unset} is set in the session`;
  }
  return flag === undefined ? undefined : `sleeps until ${flag} is set in the session`;
}

export interface Facts {
  readonly draft: Draft;
  standingOf(rule: ActiveRule): Standing;
  readonly breaker: BreakerLimits;
  readonly pause: Paused | undefined;
}

export type Guarded =
  | { readonly stop: string; readonly by?: RuleTrace['stop']; readonly breaker: BreakerState }
  | { readonly gate: Gate; readonly breaker: BreakerState };

/** Tier 2: may this rule look at the event now? Cheapest question first; the throttle last, because asking it may count. */
export function guard(rule: ActiveRule, event: Event, facts: Facts): Guarded {
  const { meta } = rule;
  const stop = (reason: string, breaker: BreakerState = 'closed'): Guarded => ({ stop: reason, breaker });
  if (meta.guard !== true && rule.held !== true && (event.depth > 0 || facts.draft.holds(ownSessionId(event.session))))
    return stop('this agent was started by a rule');
  if (facts.pause?.all === true && rule.held !== true) return stop('every rule is off in this session');
  if (facts.pause && meta.guard !== true && rule.held !== true && meta.whilePaused !== true)
    return stop('the session is paused');
  if (meta.needs?.session === true && !event.hasSession) return stop('the event names no session');
  if (meta.needs?.main === true && event.subagent) return stop('a sub-agent');
  if (meta.needs?.human === true && event.prompt?.origin !== 'human') return stop('not typed by a person');
  const asleep = whySleeping(rule, event);
  const isAsleep = () => !isAwake(rule, event, (id) => facts.draft.read(id), facts.standingOf(rule).ownerOf);
  if (asleep !== undefined && isAsleep()) return stop(asleep);
  const entry = meta.needs?.entry;
  if (entry !== undefined && facts.standingOf(rule).workspace.nearest(entry) === undefined && !namesBelow(entry, event))
    return { stop: `no ${entry} in this workspace`, by: 'lacking', breaker: 'closed' };
  const breaker = breakerState(facts.draft, memoryName(rule), facts.breaker);
  if (breaker === 'open') return stop('its breaker is open after repeated failures', breaker);
  const backedOff = meta.backsOff && whyBackedOff(speakingIn(rule, event, facts), facts.draft);
  if (backedOff) return stop(backedOff);
  const gate = throttleGate(memoryName(rule), meta.throttle, event, facts.draft, facts.standingOf(rule).ownerOf);
  return gate.open ? { gate, breaker } : { stop: gate.reason, by: 'throttle', breaker: 'closed' };
}

function speakingIn(rule: ActiveRule, event: Event, facts: Facts): Speaking {
  const turn = facts.standingOf(rule).ownerOf('turn');
  return { session: event.session, agent: agentKey(event), rule: rule.meta.id, turn };
}

/** A command at the top of a repository may work on a project further down. */
function namesBelow(entry: string, { tool }: Event): boolean {
  if (!tool) return false;
  return tool.command?.includes(`${entry}/`) === true || tool.paths.some((path) => path.includes(`/${entry}/`));
}
