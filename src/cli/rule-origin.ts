import { weaker } from '../engine/limits/mode.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import type { Mode } from '../event/verdict.ts';
import type { Layers } from '../workspace/standing.ts';

/** Which setting gave a rule the mode it has. */
export interface Origin {
  readonly layer: 'team' | 'project' | 'user' | 'rule' | 'default';
  /** The key in that layer's config.yaml; absent for what the rule itself says. */
  readonly key?: string;
  readonly text: string;
}

/** Follows the order in which settings win: a policy that holds the rule, the rule's own entry before its pack's, the project's before the user's. */
export function originOf({ meta, mode, source, policy, held }: ActiveRule, layers: Layers): Origin {
  if (policy !== undefined && held === true) return { layer: 'team', text: `the policy ${policy}` };
  const enabled = setting(layers, 'rules', meta.id, 'enabled') ?? setting(layers, 'packs', meta.pack, 'enabled');
  if (mode === 'off' && enabled?.value === false) return toOrigin(enabled);
  const own = setting(layers, 'rules', meta.id, 'mode');
  if (own) return toOrigin(own);
  const ceiling = meta.mode ?? 'advise';
  const pack = setting(layers, 'packs', meta.pack, 'mode');
  if (pack && weaker(ceiling, pack.value as Mode) !== ceiling) return toOrigin(pack);
  if (mode === 'off' && ceiling !== 'off')
    return { layer: 'default', text: `the pack ${meta.pack} is not switched on` };
  const isDefault = meta.mode === undefined;
  return {
    layer: isDefault ? 'default' : 'rule',
    text: isDefault ? 'the default' : source === 'built in' ? 'the rule itself' : 'its file',
  };
}

interface Setting {
  readonly layer: 'project' | 'user';
  readonly key: string;
  readonly value: unknown;
}

function setting(
  layers: Layers,
  section: 'rules' | 'packs',
  name: string,
  key: 'enabled' | 'mode',
): Setting | undefined {
  for (const layer of ['project', 'user'] as const) {
    const value = layers[layer].config[section]?.[name]?.[key];
    if (value !== undefined) return { layer, key: `${section}.${name}`, value };
  }
  return undefined;
}

function toOrigin({ layer, key }: Setting): Origin {
  return { layer, key, text: `${key} in the ${layer}'s config.yaml` };
}
