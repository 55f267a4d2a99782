import type { Place, PlaceReason, Policy } from '../engine/engine.ts';
import type { RuleGraph, RuleWorkspace } from '../engine/rule.ts';
import type { Event } from '../event/event.ts';
import type { Files } from '../platform/files.ts';
import { isFresh, loadLayer } from './config/layer.ts';
import { mergeConfig } from './config/settings.ts';
import type { Settings } from './config/settings.ts';
import type { Layer } from './config/layer.ts';
import type { LayerDeps } from './config/compiled.ts';
import type { Root } from '../roots/find-root.ts';
import { isIgnored } from '../roots/ignored.ts';
import { combinePolicy } from './policy.ts';
import type { Layers, PolicyParts } from './policy.ts';
import type { Resolver } from '../roots/resolver.ts';

/** An engine that is not told to looks at its settings files again after this long. */
const RECHECK_MS = 200;
/** Rules that nobody has needed for this long are looked at again when somebody does. */
const IN_USE_MS = 600_000;
const MAX_SESSIONS = 2_000;
const MAX_POLICIES = 200;

export interface WorkspacesOptions extends PolicyParts {
  readonly resolver: Resolver;
  readonly files: Files;
  /** The person's home directory. */
  readonly home: string;
  /** The user's config directory. */
  readonly config: string;
  readonly layer: LayerDeps;
  /** In the environment of a session. */
  hasProgram(name: string, session: string): boolean;
  variable(name: string, session: string): string | undefined;
  /** The code graph of a root, where one is open. */
  graphAt?(root: string): RuleGraph | undefined;
  /** How long settings count as current; longer where `recheck` is called meanwhile. */
  readonly recheckMs?: number;
}

export interface Workspaces {
  locate(event: Event, project: string | undefined): Place | Promise<Place>;
  layersAt(root: string): Promise<Layers>;
  /** The rules in force at a root, whatever happens there. */
  policyAt(root: string): Promise<Policy>;
  /** Looks at the settings in use again, so that no event has to. */
  recheck(): Promise<void>;
  /** What the user's own layer sets, as far as it was read; a project has no say in these. */
  userSettings(): Settings;
}

interface Cached {
  readonly policy: Policy;
  readonly roots: readonly string[];
  readonly layers: readonly Layer[];
  checkedAt: number;
  usedAt: number;
}

/** Finds an event's workspace and the rules in force there. Nothing is read again while it is known to be current. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { resolver, files, layer: deps, recheckMs = RECHECK_MS } = options;
  const active = new Map<string, Root>();
  const policies = new Map<string, Cached>();
  const layers = new Map<string, Layer>();
  const loading = new Map<string, Promise<Policy>>();

  async function layerAt(kind: 'user' | 'project', dir: string): Promise<Layer> {
    const key = `${kind} ${dir}`;
    const known = layers.get(key);
    if (known && isFresh(known, files)) return known;
    const loaded = await loadLayer(kind, dir, deps, known);
    layers.set(key, loaded);
    return loaded;
  }

  async function layersAt(root: string): Promise<Layers> {
    return { root, user: await layerAt('user', options.config), project: await layerAt('project', root) };
  }

  async function loadPolicy(key: string, roots: readonly string[]): Promise<Policy> {
    const all: Layers[] = [];
    for (const root of roots) all.push(await layersAt(root));
    const current = all.flatMap(({ user, project }) => [user, project]);
    const known = policies.get(key);
    const unchanged = known?.layers.every((layer, at) => layer === current[at]) === true;
    const policy = known && unchanged ? known.policy : combinePolicy(all, options);
    if (policies.size >= MAX_POLICIES) policies.clear();
    const now = deps.now();
    policies.set(key, { policy, roots, layers: current, checkedAt: now, usedAt: known?.usedAt ?? now });
    return policy;
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
    const current = known.layers.every((layer) => isFresh(layer, files));
    if (current) known.checkedAt = deps.now();
    return current;
  }

  /** Events that find the same settings changed at the same time wait for one reading of them. */
  function loadOnce(key: string, roots: readonly string[]): Promise<Policy> {
    const underway = loading.get(key) ?? loadPolicy(key, roots).finally(() => loading.delete(key));
    loading.set(key, underway);
    return underway;
  }

  function rootsOf(
    event: Event,
    project: string | undefined,
  ): { root: Root; reason: PlaceReason; roots: [string, ...string[]] } {
    const before = active.get(event.session);
    const { root, reason, targets } = resolver.resolveEvent(event, before);
    if (root !== before) {
      if (active.size >= MAX_SESSIONS) active.clear();
      active.set(event.session, root);
    }
    const first = project ?? (event.projectDir === undefined ? root.path : resolver.rootOf(event.projectDir).path);
    if (targets.length === 0 && first === root.path) return { root, reason, roots: [first] };
    return {
      root,
      reason,
      roots: [first, ...new Set([root.path, ...targets.map((target) => target.path)].filter((path) => path !== first))],
    };
  }

  function isLeftOut(path: string, repository: Root['repository']): boolean {
    return repository !== undefined && path.startsWith(`${repository.top}/`) && isIgnored(files, repository, path);
  }

  function workspaceAt(root: Root, from: string, event: Event, policy: Policy): RuleWorkspace {
    return {
      root: root.path,
      home: options.home,
      markerBacked: root.markerBacked,
      isTrusted: policy.trusted.has(root.path),
      get graph() {
        return options.graphAt?.(root.path);
      },
      nearest: (name) => resolver.nearest(root, from, name),
      hasProgram: (name) => options.hasProgram(name, event.session),
      variable: (name) => options.variable(name, event.session),
      isIgnored: (path) => isLeftOut(path, root.repository),
      relative: (path) => (path.startsWith(`${root.path}/`) ? path.slice(root.path.length + 1) : path),
    };
  }

  return {
    layersAt,
    policyAt: (root) => loadPolicy(root, [root]),
    async recheck() {
      const now = deps.now();
      for (const [key, known] of policies)
        if (now - known.usedAt < IN_USE_MS && !isCurrent(known)) await loadOnce(key, known.roots);
    },
    userSettings: () => mergeConfig([layers.get(`user ${options.config}`)?.config ?? {}]),
    locate(event, project) {
      const { root, reason, roots } = rootsOf(event, project);
      const recheck = event.name === 'session.start' || event.name === 'prompt.submit';
      const policy = policyFor(roots, recheck);
      const place = (ready: Policy): Place => ({
        root: root.path,
        reason,
        project: roots[0],
        policy: ready,
        rootOf: (path) => resolver.rootOf(path).path,
        workspace: workspaceAt(root, event.tool?.paths[0] ?? event.cwd, event, ready),
        atCwd(entry) {
          const here = workspaceAt(resolver.rootOf(event.cwd), event.cwd, event, ready);
          const { projectDir } = event;
          if (entry === undefined || projectDir === undefined || here.nearest(entry) !== undefined) return here;
          const there = workspaceAt(resolver.rootOf(projectDir), projectDir, event, ready);
          return there.nearest(entry) === undefined ? here : there;
        },
      });
      return policy instanceof Promise ? policy.then(place) : place(policy);
    },
  };
}
