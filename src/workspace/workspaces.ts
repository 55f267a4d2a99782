import type { Place, PlaceReason, Policy } from '../engine/engine.ts';
import type { RuleGraph, RuleWorkspace } from '../engine/rule.ts';
import type { Event } from '../event/event.ts';
import type { Root } from '../roots/find-root.ts';
import { isIgnored } from '../roots/ignored.ts';
import { createPolicyCache } from './policy-cache.ts';
import type { PolicyCache, PolicyCacheOptions } from './policy-cache.ts';
import type { Resolver } from '../roots/resolver.ts';

const MAX_SESSIONS = 2_000;

export interface WorkspacesOptions extends PolicyCacheOptions {
  readonly resolver: Resolver;
  /** The person's home directory. */
  readonly home: string;
  /** In the environment of a session. */
  hasProgram(name: string, session: string): boolean;
  variable(name: string, session: string): string | undefined;
  /** The code graph of a root, where one is open. */
  graphAt?(root: string): RuleGraph | undefined;
}

export interface Workspaces extends Omit<PolicyCache, 'policyFor'> {
  locate(event: Event, project: string | undefined): Place | Promise<Place>;
}

/** Finds an event's workspace and the rules in force there. */
export function createWorkspaces(options: WorkspacesOptions): Workspaces {
  const { resolver, files } = options;
  const { policyFor, ...policies } = createPolicyCache(options);
  const active = new Map<string, Root>();

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
    ...policies,
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
