import { stricter, weaker } from '../engine/limits/mode.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import type { Mode } from '../event/verdict.ts';
import type { Stage } from '../team/bundle.ts';
import { standingOf } from '../team/rings.ts';
import type { PolicyOrigin } from './config/compiled.ts';
import type { Layer } from './config/layer.ts';
import { mergeConfig, mergeOptions } from './config/settings.ts';
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
export function teamOf({ team: layer, user }: Layers): TeamInForce | undefined {
  if (!layer?.policy || layer.glass) return undefined;
  const { policy } = layer;
  const standing = standingOf(policy, policy.machine, user.config.team?.labels ?? []);
  return { layer, policy, name: `${policy.name}@${policy.version}`, ...standing };
}

/** Whether the policy keeps the machine from acting less hard than it says. */
export function holds({ stage, policy }: TeamInForce): boolean {
  return stage === 'enforce' && policy.weakening === 'refuse';
}

/** A rule with what the policy says of it. It acts harder by a policy, and never less hard. */
export function underPolicy(rule: ActiveRule, team: TeamInForce, layers: Layers): ActiveRule {
  const { meta, mode: local } = rule;
  const own = team.layer.files.some(({ path }) => path === rule.source);
  const said = saidOf(rule, team, own);
  if (said === undefined || said.mode === 'off') return rule;
  const wanted = weaker(said.mode, CEILINGS[team.stage]);
  // A rule of the policy itself stands where the policy puts it.
  const mode = own && !isSet(layers, meta.id, meta.pack) ? wanted : stricter(local, wanted);
  const isLowered =
    team.policy.weakening === 'report' &&
    local !== mode &&
    weaker(local, mode) === local &&
    isSet(layers, meta.id, meta.pack);
  const result = { ...rule, policy: team.name };
  if (isLowered) return { ...result, lowered: wanted };
  const takesOptions = team.stage === 'enforce' || local === 'off';
  const options = takesOptions ? mergeOptions(rule.options, said.options) : rule.options;
  return { ...result, mode, options, ...(holds(team) ? { held: true as const } : {}) };
}

function saidOf({ meta }: ActiveRule, { layer }: TeamInForce, own: boolean) {
  const settings = mergeConfig([layer.config]);
  const [pack, rule] = [settings.packs[meta.pack], settings.rules[meta.id]];
  if (!own && pack === undefined && rule === undefined) return undefined;
  const { mode } = standingUnder(settings, meta, own);
  return { mode, options: mergeOptions(pack?.options, rule?.options) };
}

/** Whether the person or the project say how hard the rule acts. */
function isSet({ user, project }: Layers, rule: string, pack: string): boolean {
  return [user, project].some(({ config }) =>
    [config.rules?.[rule], config.packs?.[pack]].some(
      (entry) => entry !== undefined && (entry.enabled !== undefined || entry.mode !== undefined),
    ),
  );
}
