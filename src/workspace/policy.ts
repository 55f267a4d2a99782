import { escapedPath } from '../text/quoted.ts';
import type { Policy } from '../engine/engine.ts';
import { listensUnder } from '../engine/match/listens.ts';
import { problemIn } from '../engine/advice/messages.ts';
import type { Overrides, UnfitMessage } from '../engine/advice/messages.ts';
import { stricter } from '../engine/limits/mode.ts';
import type { RuleEntry } from '../engine/registry.ts';
import { createRuleIndex } from '../engine/match/rule-index.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import type { RuleBody, RuleMeta } from '../engine/rule.ts';
import { GRAPH_PACK } from '../event/known-packs.ts';
import { PACKS } from '../event/packs.generated.ts';
import { graphWanted } from '../graph/settings.ts';
import { RELAY_PACK, relayWanted } from '../relay/settings.ts';
import type { Match } from '../user-rules/body.ts';
import { BORROWINGS, borrowingOf } from './config/borrowed-files.ts';
import type { Borrowing } from './config/borrowed-files.ts';
import type { Layer, LayerMessage } from './config/layer.ts';
import { mergeConfig } from './config/settings.ts';
import type { Settings } from './config/settings.ts';
import { standingUnder } from './standing.ts';
import type { Layers } from './standing.ts';
import { teamMarkOf, teamOf, underPolicy } from './team-standing.ts';

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
  const merged = mergeConfig([user.config, project.config]);
  // Who sets something of a pack wants it, unless a layer says otherwise. What is borrowed switches nothing on.
  const wanted = Object.entries(merged.packs).map(([pack, config]) => [pack, { enabled: true, ...config }] as const);
  const settings: Settings = { ...merged, packs: Object.fromEntries(wanted) };
  const packs = Object.entries(project.borrowed?.packs ?? {}).filter(([pack]) => readsBorrowed(settings, pack));
  if (packs.length === 0) return settings;
  return mergeConfig([{ packs: Object.fromEntries(packs) }, settings]);
}

/** Whether the settings that a pack borrows count; the person may switch that off. */
export function readsBorrowed({ packs }: Settings, pack: string): boolean {
  return packs[pack]?.options?.[PACKS[pack]?.borrows?.switch ?? ''] !== false;
}

/** Every rule known in one workspace, with the mode its settings give it; `off` ones included. */
export function rulesOf(layers: Layers, parts: PolicyParts): ActiveRule[] {
  const settings = settingsOf(layers);
  const team = teamOf(layers);
  const stand = (declared: RuleMeta, source: string, load: () => RuleBody | Promise<RuleBody>): ActiveRule => {
    const active = activate(declared, source, once(load), settings);
    return team ? underPolicy(active, declared, team, layers) : active;
  };
  const builtIn = parts.builtIn.map(({ meta, load }) => stand(meta, 'built in', load));
  const declared = [layers.user, layers.project, ...(team ? [team.layer] : [])].flatMap((layer) =>
    layer.files.flatMap((file): ActiveRule[] => {
      const { rule } = file;
      if (!rule) return [];
      const active = stand(rule.meta, file.path, () => parts.loadDeclared(rule));
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
  const active = [...rules.values()].filter(({ mode }) => mode !== 'off');
  const unfit = all.flatMap((layers) => unfitIn(layers, active));
  const graph = graphWanted(settings.packs[GRAPH_PACK]);
  const relay = relayWanted(settings.packs[RELAY_PACK]);
  const team = first && teamMarkOf(first);
  return {
    index: createRuleIndex([...rules.values()]),
    overrides: Object.assign({}, ...all.toReversed().map(overridesOf)) as Overrides,
    attention: settings.attention,
    breaker: { failures, windowMs: windowSeconds * 1_000, recoveryMs: recoverySeconds * 1_000 },
    notices: [...new Set(all.flatMap(noticesOf))],
    ...(team && { team }),
    ...(relay && { relay }),
    ...(graph && { graph }),
    ...(unfit.length > 0 && { unfit }),
    trusted: new Set(all.filter(({ project }) => isAccepted(project)).map(({ root }) => root)),
  };
}

function activate(
  declared: RuleMeta,
  source: string,
  load: () => RuleBody | Promise<RuleBody>,
  settings: Settings,
): ActiveRule {
  const own = settings.rules[declared.id];
  const { mode, options } = standingUnder(settings, declared, source !== 'built in');
  const meta = {
    ...declared,
    on: listensUnder(declared, options),
    // A throttle on a guard would let the second attempt through.
    ...(own?.throttle && declared.guard !== true ? { throttle: own.throttle } : {}),
    ...(own?.priority === undefined ? {} : { priority: own.priority }),
  };
  return { meta, mode, options, source, load };
}

/** The text of a pack's directory goes to the agent only while nothing else of the project waits for a person. */
export function isAccepted({ state, trust }: Layer): boolean {
  return trust?.context === 'trusted' && (state === 'trusted' || state === 'absent');
}

/** The team's over the project's over the user's, variant by variant. */
export function overridesOf(layers: Layers): Layer['messages'] {
  const { user, project } = layers;
  const team = teamOf(layers);
  const texts = [user, project, ...(team?.stage === 'enforce' ? [team.layer] : [])].map(({ messages }) => messages);
  const rules = new Set(texts.flatMap((messages) => Object.keys(messages)));
  const variantsOf = (rule: string) => Object.assign({}, ...texts.map((messages) => messages[rule])) as Variants;
  return Object.fromEntries([...rules].map((rule) => [rule, variantsOf(rule)]));
}

type Variants = Layer['messages'][string];

function unfitIn(layers: Layers, rules: readonly ActiveRule[]): UnfitMessage[] {
  const overrides = Object.entries(overridesOf(layers));
  return overrides.flatMap(([rule, variants]) => {
    const messages = rules.find(({ meta }) => meta.id === rule)?.meta.messages ?? {};
    return Object.entries(variants).flatMap(([variant, override]: [string, LayerMessage]): UnfitMessage[] => {
      const builtIn = messages[variant];
      const problem = builtIn === undefined ? undefined : problemIn(override, builtIn);
      if (problem === undefined) return [];
      return [{ rule, variant, file: override.file, version: override.version, problem, root: layers.root }];
    });
  });
}

/** What a person should hear of the policy that they follow. */
function policyNotices(layers: Layers): string[] {
  const { team: layer, user } = layers;
  if (!layer) return [];
  const { policy, glass } = layer;
  const source = user.config.team?.policy ?? '';
  if (!policy)
    return [
      `The policy at ${escapedPath(source, undefined)} is followed and not in force. \`fairlead doctor\` says why.`,
    ];
  const name = `${policy.name}@${policy.version}`;
  return glass
    ? [`The policy ${name} does not count for now: ${glass.reason}. \`fairlead policy mend\` ends that.`]
    : [];
}

function noticesOf(layers: Layers): string[] {
  const { root, user, project, team } = layers;
  const notices: string[] = [...policyNotices(layers)];
  if (project.skipped) {
    const why = project.state === 'changed' ? 'is not what was trusted' : 'is not trusted yet';
    notices.push(
      `What ${escapedPath(`${root}/.fairlead`, undefined)} holds ${why} and has no effect (${listed(project.skipped.names)}). \`fairlead trust\` shows and accepts it.`,
    );
  }
  for (const borrowing of BORROWINGS) {
    const waiting = waitingFiles(layers, borrowing);
    if (waiting.length === 0) continue;
    const why = project.trust?.context === 'changed' ? 'not what was trusted' : 'not trusted yet';
    notices.push(
      `Files of ${borrowing.program} in ${escapedPath(root, undefined)} are ${why} and have no effect (${listed(waiting)}). \`fairlead trust\` shows and accepts them.`,
    );
  }
  const errors = [...user.problems, ...project.problems, ...(team?.problems ?? [])].filter(
    ({ severity }) => severity === 'error',
  );
  const first = errors[0];
  if (first) {
    notices.push(
      `${errors.length} problem${errors.length === 1 ? '' : 's'} in its settings; first ${escapedPath(first.file, undefined)}:${first.line}: ${first.message}. \`fairlead doctor\` lists all.`,
    );
  }
  return notices;
}

/** Borrowed files that would have effect if a person accepted them; to those who do not use the pack they mean nothing. */
export function waitingFiles(layers: Layers, { pack, settings: file }: Borrowing): readonly string[] {
  const { skippedBorrowed } = layers.project;
  if (skippedBorrowed.length === 0) return skippedBorrowed;
  const settings = settingsOf(layers);
  const { enabled, mode } = settings.packs[pack] ?? {};
  if (enabled !== true || mode === 'off') return [];
  const own = skippedBorrowed.filter((name) => borrowingOf(name)?.pack === pack);
  return readsBorrowed(settings, pack) ? own : own.filter((name) => name !== file);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => escapedPath(name, undefined));
  return `${shown.join(', ')}${names.length > 3 ? ', …' : ''}`;
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
