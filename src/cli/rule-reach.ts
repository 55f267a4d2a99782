import { comesAs } from '../adapters/adapter.ts';
import type { Adapter, Reach } from '../adapters/adapter.ts';
import { applyMode } from '../engine/limits/mode.ts';
import { namesOf } from '../engine/match/rule-index.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import type { Listen } from '../engine/rule.ts';
import type { EventName, ToolKind } from '../event/event.ts';
import type { VerdictKind } from '../event/verdict.ts';
import type { Layers } from '../workspace/standing.ts';

/** What a rule comes to with one agent: `isHeard` is false where the agent never tells of what it listens to. */
export interface RuleReach {
  readonly isHeard: boolean;
  /** How the agent takes each verdict that the rule may give, where it takes it best. */
  readonly verdicts: Readonly<Partial<Record<Spoken, Reach>>>;
  /** A copy is made first: that takes no channel. */
  readonly saves: boolean;
  /** What it listens to and the agent never tells of: events, and tools that the agent does not have. */
  readonly untold: readonly string[];
}

const BEST: readonly Reach[] = ['enforced', 'denied', 'advised', 'person', 'none'];

export function reachWith(adapter: Adapter, rule: ActiveRule, layers: Layers): RuleReach {
  const heard = rule.meta.on.filter((listen) => isTold(adapter, listen));
  const events = [...new Set(heard.flatMap(namesOf))].filter((event) => isSent(adapter, event));
  const reachOf = (kind: Spoken): Reach => {
    const reaches = events.map((event) => adapter.capabilities(event)[kind]);
    return BEST.find((reach) => reaches.includes(reach)) ?? 'none';
  };
  return {
    isHeard: events.length > 0,
    verdicts:
      events.length === 0 ? {} : Object.fromEntries(verdictsOf(rule, layers).map((kind) => [kind, reachOf(kind)])),
    saves: rule.meta.saves === true && events.includes('tool.before'),
    untold: untoldOf(adapter, rule.meta.on),
  };
}

function untoldOf(adapter: Adapter, on: readonly Listen[]): string[] {
  const events = on.flatMap(namesOf).filter((event) => !isSent(adapter, event));
  const tools = on.flatMap(({ tool = [] }) => tool).filter((kind) => !tellsOf(adapter, kind));
  return [...new Set<string>([...events, ...tools])];
}

/** In a few words. */
export function describeReach({ isHeard, verdicts, saves, untold }: RuleReach): string {
  if (!isHeard) return 'nothing: not told of it';
  const told = Object.entries(verdicts).map(([kind, reach]) => `${kind} ${reach}`);
  const says = [...(saves ? ['save'] : []), ...told].join(', ') || 'decides nothing';
  return untold.length === 0 ? says : `${says}; not told of ${untold.join(', ')}`;
}

/** Whether the agent may ever send what an entry listens to; what tools its servers bring nobody knows. */
export function isTold(agent: Adapter, listen: Listen): boolean {
  return (
    namesOf(listen).some((event) => isSent(agent, event)) && (listen.tool?.some((kind) => tellsOf(agent, kind)) ?? true)
  );
}

/** Whether the agent has tools that do such a thing. */
export function tellsOf({ toolKinds }: Adapter, kind: ToolKind): boolean {
  return kind === 'mcp' || kind === 'other' || Object.values(toolKinds).includes(kind);
}

/** A copy needs no channel. */
type Spoken = Exclude<VerdictKind, 'pass' | 'save'>;

/** A rule without code names its action, a rule with code shows by its examples what it may answer; its mode has the last word. */
export function verdictsOf({ meta, mode, source }: ActiveRule, layers: Layers): Spoken[] {
  const file = [layers.user, layers.project].flatMap((layer) => layer.files).find(({ path }) => path === source);
  const action = file?.rule?.match.action;
  const named = action === undefined ? (Object.keys(meta.examples ?? {}) as VerdictKind[]) : [action];
  const kinds: readonly VerdictKind[] =
    named.length > 0 ? named : [mode === 'enforce' ? 'deny' : mode === 'ask' ? 'ask' : 'note'];
  const left = kinds.flatMap(
    (kind) => applyMode({ kind, rule: meta.id, priority: 0, text: meta.summary }, mode)?.kind ?? [],
  );
  return [...new Set(left)].filter((kind): kind is Spoken => kind !== 'pass' && kind !== 'save');
}

export function eventsOf({ meta }: ActiveRule): EventName[] {
  return [...new Set(meta.on.flatMap(namesOf))];
}

export function isSent({ events }: Adapter, event: EventName): boolean {
  return events.some((one) => comesAs(one).includes(event) && one.wiring !== 'never');
}
