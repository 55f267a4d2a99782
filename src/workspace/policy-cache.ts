import type { Policy } from '../engine/engine.ts';
import type { Files } from '../platform/files.ts';
import { teamDir } from '../team/place.ts';
import type { TeamSettings } from '../team/place.ts';
import { teamName } from '../team/state/settings.ts';
import type { TeamStateSettings } from '../team/state/settings.ts';
import type { LayerDeps, LayerKind } from './config/compiled.ts';
import { isFresh, loadLayer } from './config/layer.ts';
import type { Layer } from './config/layer.ts';
import { mergeConfig } from './config/settings.ts';
import type { Settings } from './config/settings.ts';
import { settleHeld } from './held.ts';
import { combinePolicy } from './policy.ts';
import { acceptStricter, weakeningOf } from './weakened.ts';
import type { PolicyParts } from './policy.ts';
import type { Layers } from './standing.ts';

/** An engine that is not told to looks at its settings files again after this long. */
const RECHECK_MS = 200;
/** Rules that nobody has needed for this long are looked at again when somebody does. */
const IN_USE_MS = 600_000;
const MAX_POLICIES = 200;
const NO_CONFIG: Layer['config'] = {};

export interface PolicyCacheOptions extends PolicyParts {
  readonly files: Files;
  /** The user's config directory. */
  readonly config: string;
  readonly layer: LayerDeps;
  /** How long settings count as current; longer where `recheck` is called meanwhile. */
  readonly recheckMs?: number;
  /** Who works on which machine; asked where state is shared. */
  whoIsHere(): { readonly person: string; readonly machine: string };
  /** For a process that stays: later, when nobody waits for an answer. */
  afterReply?(work: () => void): void;
}

/** The rules in force at roots. Nothing is read again while it is known to be current. */
export interface PolicyCache {
  /** At once where it is known to be current. The first root is the session's project. */
  policyFor(roots: readonly string[], recheck: boolean): Policy | Promise<Policy>;
  layersAt(root: string): Promise<Layers>;
  /** The rules in force at a root, whatever happens there. */
  policyAt(root: string): Promise<Policy>;
  /** Looks at the settings in use again, so that no event has to. */
  recheck(): Promise<void>;
  /** What the user's own layer sets, as far as it was read; a project has no say in these. */
  userSettings(): Settings;
  /** The policy that it follows, as far as it was read. */
  followed(): TeamSettings | undefined;
  /** Where the state of the team is, by the person's settings or else by the policy, as far as they were read. */
  teamState(): TeamStateSettings | undefined;
  /** The same, read anew if it changed. */
  readTeamState(): Promise<TeamStateSettings | undefined>;
  /** The user's own settings, read anew if they changed. */
  readUserSettings(): Promise<Settings>;
}

interface Cached {
  readonly policy: Policy;
  readonly roots: readonly string[];
  readonly layers: readonly Layer[];
  checkedAt: number;
  usedAt: number;
}

export function createPolicyCache(options: PolicyCacheOptions): PolicyCache {
  const { files, layer: deps, recheckMs = RECHECK_MS } = options;
  const builtIn = options.builtIn.map(({ meta }) => meta);
  const policies = new Map<string, Cached>();
  const layers = new Map<string, Layer>();
  const loading = new Map<string, Promise<Policy>>();

  async function layerAt(kind: LayerKind, dir: string, team?: TeamSettings): Promise<Layer> {
    const key = `${kind} ${dir}`;
    const known = layers.get(key);
    if (known && isFresh(known, files, deps.now())) return known;
    const loaded = await loadLayer(kind, dir, team ? { ...deps, team } : deps, known);
    layers.set(key, loaded);
    return loaded;
  }

  const userConfig = () => layers.get(`user ${options.config}`)?.config ?? NO_CONFIG;

  async function layersAt(root: string): Promise<Layers> {
    const user = await layerAt('user', options.config);
    const { team } = user.config;
    return {
      root,
      user,
      project: await layerAt('project', root),
      ...(team && { team: await layerAt('team', teamDir(deps.state, team), team) }),
    };
  }

  async function loadPolicy(key: string, roots: readonly string[]): Promise<Policy> {
    const all: Layers[] = [];
    for (const root of roots) all.push(await layersAt(root));
    const current = all.flatMap(({ user, project, team }) => [user, project, ...(team ? [team] : [])]);
    const known = policies.get(key);
    const unchanged =
      known?.layers.length === current.length && known.layers.every((layer, at) => layer === current[at]);
    if (!unchanged && all[0]) {
      const [first] = all;
      const settle = () => settleHeld(first, files, deps.state);
      if (options.afterReply) options.afterReply(settle);
      else if (first.team) settle();
    }
    const policy =
      known && unchanged
        ? known.policy
        : { ...combinePolicy(all, options), ...weakenedIn(current[0]), ...sharingNow() };
    if (policies.size >= MAX_POLICIES) policies.clear();
    const now = deps.now();
    policies.set(key, { policy, roots, layers: current, checkedAt: now, usedAt: known?.usedAt ?? now });
    return policy;
  }

  /** With whom this machine shares state, by settings that were read just now. */
  function sharingNow(): Pick<Policy, 'sharing'> {
    const settings = teamState();
    if (!settings) return {};
    const { person, machine } = options.whoIsHere();
    return { sharing: { team: teamName(settings), person: settings.person ?? person, machine } };
  }

  /** Looked at when settings were read anew, once their files are old enough for the verb that changed them to be done. */
  function weakenedIn(user: Layer | undefined): Pick<Policy, 'weakened'> {
    const isBare = user?.state === 'absent' && user.signatures.every(({ seen }) => seen === undefined);
    if (!user || isBare || !user.settled) return {};
    const found = weakeningOf(user, builtIn, deps);
    options.afterReply?.(() => acceptStricter(found, deps));
    return found.lines.length === 0 ? {} : { weakened: found.lines };
  }

  function policyFor(roots: readonly string[], recheck: boolean): Policy | Promise<Policy> {
    const key = roots.join('\n');
    const known = policies.get(key);
    if (!known) return loadOnce(key, roots);
    known.usedAt = deps.now();
    if (!recheck && known.usedAt - known.checkedAt < recheckMs) return known.policy;
    return isCurrent(known) ? known.policy : loadOnce(key, roots);
  }

  function isCurrent(known: Cached): boolean {
    const current = known.layers.every((layer) => isFresh(layer, files, deps.now()));
    if (current) known.checkedAt = deps.now();
    return current;
  }

  /** Events that find the same settings changed at the same time wait for one reading of them. */
  function loadOnce(key: string, roots: readonly string[]): Promise<Policy> {
    const underway = loading.get(key) ?? loadPolicy(key, roots).finally(() => loading.delete(key));
    loading.set(key, underway);
    return underway;
  }

  const userSettings = settingsOf(userConfig);
  const teamState = () => {
    const { team, state } = userConfig();
    return state?.team ?? (team && layers.get(`team ${teamDir(deps.state, team)}`)?.config.state?.team);
  };

  return {
    policyFor,
    layersAt,
    policyAt: (root) => loadPolicy(root, [root]),
    async recheck() {
      const now = deps.now();
      for (const [key, known] of policies)
        if (now - known.usedAt < IN_USE_MS && !isCurrent(known)) await loadOnce(key, known.roots);
    },
    followed: () => userConfig().team,
    teamState,
    async readTeamState() {
      const { team } = (await layerAt('user', options.config)).config;
      if (team) await layerAt('team', teamDir(deps.state, team), team);
      return teamState();
    },
    userSettings,
    async readUserSettings() {
      await layerAt('user', options.config);
      return userSettings();
    },
  };
}

/** They are asked for at every commit, and seldom change. */
function settingsOf(read: () => Layer['config']): () => Settings {
  let last: { readonly config: object; readonly settings: Settings } | undefined;
  return () => {
    const config = read();
    if (last?.config !== config) last = { config, settings: mergeConfig([config]) };
    return last.settings;
  };
}
