import type { Place, Policy } from '../engine/engine.ts';
import type { Event } from '../event/event.ts';
import type { Files } from '../platform/files.ts';
import { isFresh, loadLayer } from './config/layer.ts';
import { mergeConfig } from './config/settings.ts';
import type { Settings } from './config/settings.ts';
import type { Layer, LayerDeps } from './config/layer.ts';
import type { Root } from './find-root.ts';
import { combinePolicy } from './policy.ts';
import type { Layers, PolicyParts } from './policy.ts';
import type { Resolver } from './resolver.ts';

/** A resident engine looks at its settings files again after this long. */
const RECHECK_MS = 200;
const MAX_SESSIONS = 2_000;
const MAX_POLICIES = 200;

export interface WorkspacesOptions extends PolicyParts {
  readonly resolver: Resolver;
  readonly files: Files;
  /** The user's config directory. */
  readonly config: string;
  readonly layer: LayerDeps;
}

export interface Workspaces {
  locate(event: Event, project: string | undefined): Place | Promise<Place>;
  layersAt(root: string): Promise<Layers>;
  /** The rules in force at a root, whatever happens there. */
  policyAt(root: string): Promise<Policy>;
  /** What the user's own layer sets, as far as it was read; a project has no say in these. */
  userSettings(): Settings;
}

interface Cached {
  readonly policy: Policy;
  readonly layers: readonly Layer[];
  checkedAt: number;
}

/** Finds an event's workspace and the rules in force there. Nothing is read again while it is known to be current. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { resolver, files, layer: deps } = options;
  const active = new Map<string, Root>();
  const policies = new Map<string, Cached>();
  const layers = new Map<string, Layer>();

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
    policies.set(key, { policy, layers: current, checkedAt: deps.now() });
    return policy;
  }

  function policyFor(roots: readonly string[], recheck: boolean): Policy | Promise<Policy> {
    const key = roots.join('\n');
    const known = policies.get(key);
    if (known && !recheck && deps.now() - known.checkedAt < RECHECK_MS) return known.policy;
    if (known?.layers.every((layer) => isFresh(layer, files)) === true) {
      known.checkedAt = deps.now();
      return known.policy;
    }
    return loadPolicy(key, roots);
  }

  function rootsOf(event: Event, project: string | undefined): { root: Root; roots: [string, ...string[]] } {
    const { root, targets } = resolver.resolveEvent(event, active.get(event.session));
    if (active.size >= MAX_SESSIONS) active.clear();
    active.set(event.session, root);
    const first = project ?? (event.projectDir === undefined ? root.path : resolver.rootOf(event.projectDir).path);
    if (targets.length === 0 && first === root.path) return { root, roots: [first] };
    return {
      root,
      roots: [first, ...new Set([root.path, ...targets.map((target) => target.path)].filter((path) => path !== first))],
    };
  }

  return {
    layersAt,
    policyAt: (root) => loadPolicy(root, [root]),
    userSettings: () => mergeConfig([layers.get(`user ${options.config}`)?.config ?? {}]),
    locate(event, project) {
      const { root, roots } = rootsOf(event, project);
      const recheck = event.name === 'session.start' || event.name === 'prompt.submit';
      const policy = policyFor(roots, recheck);
      const from = event.tool?.paths[0] ?? event.cwd;
      const place = (ready: Policy): Place => ({
        root: root.path,
        project: roots[0],
        policy: ready,
        rootOf: (path) => resolver.rootOf(path).path,
        workspace: {
          root: root.path,
          markerBacked: root.markerBacked,
          nearest: (name) => resolver.nearest(root, from, name),
          relative: (path) => (path.startsWith(`${root.path}/`) ? path.slice(root.path.length + 1) : path),
        },
      });
      return policy instanceof Promise ? policy.then(place) : place(policy);
    },
  };
}
