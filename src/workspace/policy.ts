import type { Policy } from '../engine/engine.ts';
import { listensUnder } from '../engine/listens.ts';
import type { Overrides } from '../engine/messages.ts';
import { stricter, weaker } from '../engine/mode.ts';
import type { RuleEntry } from '../engine/registry.ts';
import { createRuleIndex } from '../engine/rule-index.ts';
import type { ActiveRule } from '../engine/rule-index.ts';
import type { RuleBody, RuleMeta } from '../engine/rule.ts';
import type { Mode } from '../event/verdict.ts';
import { RELAY_PACK, relayWanted } from '../relay/settings.ts';
import type { Match } from '../user-rules/body.ts';
import type { Layer } from './config/layer.ts';
import { mergeConfig, mergeOptions } from './config/settings.ts';
import type { Settings } from './config/settings.ts';

/** Packs that are on without being asked for. */
const DEFAULT_PACKS: ReadonlySet<string> = new Set(['basics', 'guard', 'increments']);

/** A rule without a mode of its own advises. */
const DEFAULT_MODE: Mode = 'advise';

/** The layers in force in one workspace, the user's below the project's. */
export interface Layers {
  readonly root: string;
  readonly user: Layer;
  readonly project: Layer;
}

/** A user's rule as a layer holds it: data, whose meaning is in `match`. */
export interface DeclaredRule {
  readonly meta: RuleMeta;
  readonly match: Match;
}

export interface PolicyParts {
  readonly builtIn: readonly RuleEntry[];
  /** Makes a declared rule runnable; called when it first runs. */
  loadDeclared(rule: DeclaredRule): RuleBody | Promise<RuleBody>;
}

export function settingsOf({ user, project }: Layers): Settings {
  return mergeConfig([user.config, project.config]);
}

/** Every rule known in one workspace, with the mode its settings give it; `off` ones included. */
export function rulesOf(layers: Layers, parts: PolicyParts): ActiveRule[] {
  const settings = settingsOf(layers);
  const builtIn = parts.builtIn.map(({ meta, load }) => activate(meta, 'built in', once(load), settings));
  const declared = [layers.user, layers.project].flatMap((layer) =>
    layer.files.flatMap((file): ActiveRule[] => {
      const { rule } = file;
      if (!rule) return [];
      const active = activate(
        rule.meta,
        file.path,
        once(() => parts.loadDeclared(rule)),
        settings,
      );
      const version = file.sha256 ?? '';
      return [layer.kind === 'project' ? { ...active, version, root: layers.root } : { ...active, version }];
    }),
  );
  return [...builtIn, ...declared];
}

/**
 * The policy for an event that touches several workspaces: every rule of any of them, each in the strictest mode that one
 * of them gives it, so that going elsewhere never weakens what the session's project asked for.
 */
export function combinePolicy(all: readonly Layers[], parts: PolicyParts): Policy {
  const rules = new Map<string, ActiveRule>();
  for (const layers of all) {
    for (const rule of rulesOf(layers, parts)) {
      const key = `${rule.root ?? ''} ${rule.meta.id}`;
      const known = rules.get(key);
      rules.set(key, known ? { ...known, mode: stricter(known.mode, rule.mode) } : rule);
    }
  }
  const first = all[0];
  const settings = first ? settingsOf(first) : mergeConfig([]);
  const { failures, windowSeconds, recoverySeconds } = settings.breaker;
  const relay = relayWanted(settings.packs[RELAY_PACK]);
  return {
    index: createRuleIndex([...rules.values()]),
    overrides: Object.assign({}, ...all.toReversed().map(overridesOf)) as Overrides,
    attention: settings.attention,
    breaker: { failures, windowMs: windowSeconds * 1_000, recoveryMs: recoverySeconds * 1_000 },
    notices: [...new Set(all.flatMap(noticesOf))],
    ...(relay && { relay }),
    trusted: new Set(all.filter(({ project }) => project.state === 'trusted').map(({ root }) => root)),
  };
}

function activate(
  declared: RuleMeta,
  source: string,
  load: () => RuleBody | Promise<RuleBody>,
  settings: Settings,
): ActiveRule {
  const pack = settings.packs[declared.pack];
  const own = settings.rules[declared.id];
  const isDeclared = source !== 'built in';
  const byPack = declared.optIn !== true && (pack?.enabled ?? (isDeclared || DEFAULT_PACKS.has(declared.pack)));
  const enabled = own?.enabled ?? byPack;
  const ceiling = declared.mode ?? DEFAULT_MODE;
  const mode = own?.mode ?? (pack?.mode ? weaker(ceiling, pack.mode) : ceiling);
  const options = [pack?.options, own?.options].reduce(mergeOptions, declared.options ?? {});
  const meta = {
    ...declared,
    on: listensUnder(declared, options),
    // A throttle on a guard would let the second attempt through.
    ...(own?.throttle && declared.guard !== true ? { throttle: own.throttle } : {}),
    ...(own?.priority === undefined ? {} : { priority: own.priority }),
  };
  return {
    meta,
    mode: enabled ? mode : 'off',
    options,
    source,
    load,
  };
}

/** Project over user, variant by variant. */
export function overridesOf({ user, project }: Layers): Overrides {
  const rules = new Set([...Object.keys(user.messages), ...Object.keys(project.messages)]);
  return Object.fromEntries([...rules].map((rule) => [rule, { ...user.messages[rule], ...project.messages[rule] }]));
}

function noticesOf({ root, user, project }: Layers): string[] {
  const notices: string[] = [];
  if (project.skipped) {
    const { names } = project.skipped;
    const why = project.state === 'changed' ? 'is not what was trusted' : 'is not trusted yet';
    notices.push(
      `Fairlead: what ${root}/.fairlead holds ${why} and has no effect (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}). \`fairlead trust\` shows and accepts it.`,
    );
  }
  const errors = [...user.problems, ...project.problems].filter(({ severity }) => severity === 'error');
  const first = errors[0];
  if (first) {
    notices.push(
      `Fairlead: ${errors.length} problem${errors.length === 1 ? '' : 's'} in its settings; first ${first.file}:${first.line}: ${first.message}. \`fairlead doctor\` lists all.`,
    );
  }
  return notices;
}

/** Loads at most once; after that the body is at hand without waiting. */
function once(load: () => RuleBody | Promise<RuleBody>): () => RuleBody | Promise<RuleBody> {
  let body: RuleBody | undefined;
  return () => {
    if (body) return body;
    const loading = load();
    if (!(loading instanceof Promise)) return (body = loading);
    return loading.then((loaded) => (body = loaded));
  };
}
