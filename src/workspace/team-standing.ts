import { stricter, weaker } from '../engine/limits/mode.ts';
import { listensUnder } from '../engine/match/listens.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import type { RuleMeta } from '../engine/rule.ts';
import type { TeamMark } from '../event/ledger-row.ts';
import type { Mode } from '../event/verdict.ts';
import type { Stage } from '../team/bundle.ts';
import { standingOf } from '../team/rings.ts';
import type { PolicyOrigin } from './config/compiled.ts';
import type { Layer } from './config/layer.ts';
import { mergeConfig, mergeOptions } from './config/settings.ts';
import type { RuleConfig } from './config/settings.ts';
import { standingUnder } from './standing.ts';
import type { Layers } from './standing.ts';

/** A team's layer as it counts on this machine. */
export interface TeamInForce {
  readonly layer: Layer;
  readonly policy: PolicyOrigin;
  /** As people write it: name and version. */
  readonly name: string;
  readonly stage: Stage;
  /** Which ring, counted from 1; 0 where the machine is in none. */
  readonly ring: number;
}

/** The hardest that a rule may act because of a policy. */
const CEILINGS: Readonly<Record<Stage, Mode>> = { audit: 'shadow', warn: 'advise', enforce: 'enforce' };

/** Undefined where no policy is followed or kept, and while its glass is broken. */
export function teamOf(
  { team: layer, user }: Layers,
  glass: 'whole' | 'as it is' = 'as it is',
): TeamInForce | undefined {
  if (!layer?.policy || (layer.glass && glass !== 'whole')) return undefined;
  const { policy } = layer;
  const standing = standingOf(policy, policy.machine, user.config.team?.labels ?? []);
  return { layer, policy, name: `${policy.name}@${policy.version}`, ...standing };
}

/** The same for the record, which also tells that the policy did not count. */
export function teamMarkOf(layers: Layers): TeamMark | undefined {
  const team = teamOf(layers, 'whole');
  if (!team) return undefined;
  const { name, version } = team.policy;
  return { name, version, stage: layers.team?.glass ? 'broken glass' : team.stage, ring: team.ring };
}

/** Whether the policy keeps the machine from acting less hard than it says. */
export function holds({ stage, policy }: TeamInForce): boolean {
  return stage === 'enforce' && policy.weakening === 'refuse';
}

/** A rule with what the policy says of it. It acts harder by a policy, and never less hard. */
export function underPolicy(rule: ActiveRule, declared: RuleMeta, team: TeamInForce, layers: Layers): ActiveRule {
  const { meta, mode: local } = rule;
  const own = team.layer.files.some(({ path }) => path === rule.source);
  const settings = mergeConfig([team.layer.config]);
  const [pack, said] = [settings.packs[meta.pack], settings.rules[meta.id]];
  if (!own && pack === undefined && said === undefined) return rule;
  const { mode: wantedHere } = standingUnder(settings, declared, own);
  const isLocal = isSet(layers, meta.id, meta.pack);
  const result = { ...rule, policy: team.name };
  if (wantedHere === 'off') return own && !isLocal ? { ...result, mode: 'off' } : rule;
  const wanted = weaker(wantedHere, CEILINGS[team.stage]);
  // A rule of the policy itself stands where the policy puts it.
  const mode = own && !isLocal ? wanted : stricter(local, wanted);
  const isLowered = team.policy.weakening === 'report' && isLocal && local !== mode && weaker(local, mode) === local;
  if (isLowered) return { ...result, lowered: wanted };
  const takesOptions = team.stage === 'enforce' || local === 'off';
  const options = takesOptions ? mergeOptions(rule.options, mergeOptions(pack?.options, said?.options)) : rule.options;
  const heard = { ...meta, on: listensUnder(declared, options) };
  if (!holds(team)) return { ...result, meta: heard, mode, options };
  return { ...result, meta: pacedBy(heard, { ...declared, ...said }), mode, options, held: true };
}

/** How often and in which order a held rule speaks is not for the machine to say. */
function pacedBy(heard: RuleMeta, { throttle, priority }: RuleMeta | RuleConfig): RuleMeta {
  const { throttle: _throttle, priority: _priority, ...meta } = heard;
  return { ...meta, ...(throttle && { throttle }), ...(priority === undefined ? {} : { priority }) };
}

/** Whether the person or the project say how hard the rule acts. */
function isSet({ user, project }: Layers, rule: string, pack: string): boolean {
  return [user, project].some(({ config }) =>
    [config.rules?.[rule], config.packs?.[pack]].some(
      (entry) => entry !== undefined && (entry.enabled !== undefined || entry.mode !== undefined),
    ),
  );
}
