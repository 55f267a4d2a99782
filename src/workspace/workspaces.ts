import type { Place, PlaceReason, Policy } from '../engine/engine.ts';
import type { RuleGraph, RuleWorkspace } from '../engine/rule.ts';
import type { Event } from '../event/event.ts';
import type { Root } from '../roots/find-root.ts';
import { isIgnored } from '../roots/ignored.ts';
import { createPolicyCache } from './policy-cache.ts';
import type { PolicyCache, PolicyCacheOptions } from './policy-cache.ts';
import type { Resolver } from '../roots/resolver.ts';
import { unwiredNotices } from './unwired.ts';
import { addressName, remoteAddress } from '../git/remote-address.ts';
import type { Files } from '../platform/files.ts';
import { sha256 } from '../platform/hash.ts';
import { join } from '../platform/paths.ts';

/** How long the remote of a repository counts as current. */
const CURRENT_MS = 60_000;
const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_REPOSITORIES = 500;

/** Names repositories for all machines of a team, by the address that they are fetched from; the address itself is not told. */
function createRemoteNames(files: Pick<Files, 'readText'>, now: () => number) {
  const known = new Map<string, { readonly at: number; readonly name: string | undefined }>();
  return (commonDir: string): string | undefined => {
    const found = known.get(commonDir);
    if (found && Math.abs(now() - found.at) < CURRENT_MS) return found.name;
    const address = remoteAddress(files.readText(join(commonDir, 'config'), MAX_CONFIG_BYTES) ?? '');
    const plain = address === undefined ? undefined : addressName(address);
    const name = plain === undefined ? undefined : sha256(plain).slice(0, 16);
    if (known.size >= MAX_REPOSITORIES) known.clear();
    known.set(commonDir, { at: now(), name });
    return name;
  };
}

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
  const remoteOf = createRemoteNames(files, options.layer.now);

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
    const { session } = event;
    return new LocatedWorkspace(root, policy.trusted.has(root.path), options, {
      remote: policy.sharing ? remoteOf : undefined,
      nearest: (name) => resolver.nearest(root, from, name),
      hasProgram: (name) => options.hasProgram(name, session),
      variable: (name) => options.variable(name, session),
      isIgnored: (path) => isLeftOut(path, root.repository),
      nameOf: (path) => (root.markerBacked ? resolver.nameIn(root, path) : undefined),
    });
  }

  function withUnwired(policy: Policy, project: string): Policy {
    const notices = unwiredNotices(policy.index, project, options.layer);
    return notices.length === 0 ? policy : { ...policy, notices: [...policy.notices, ...notices] };
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
        policy: event.name === 'session.start' ? withUnwired(ready, roots[0]) : ready,
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

interface Looks extends Pick<RuleWorkspace, 'nearest' | 'hasProgram' | 'variable' | 'isIgnored' | 'nameOf'> {
  /** Absent where nothing is shared. */
  readonly remote: ((commonDir: string) => string | undefined) | undefined;
}

/** A class, since every event has one: a getter in an object that is made anew costs more than all the rest of it. */
class LocatedWorkspace implements RuleWorkspace {
  readonly root: string;
  readonly repository: string;
  readonly home: string;
  readonly markerBacked: boolean;
  readonly isTrusted: boolean;
  readonly nearest: Looks['nearest'];
  readonly hasProgram: Looks['hasProgram'];
  readonly variable: Looks['variable'];
  readonly isIgnored: Looks['isIgnored'];
  readonly nameOf: Looks['nameOf'];
  readonly #graphAt: WorkspacesOptions['graphAt'];
  readonly #remote: Looks['remote'];
  readonly #commonDir: string | undefined;

  constructor(root: Root, isTrusted: boolean, { home, graphAt }: WorkspacesOptions, looks: Looks) {
    this.root = root.path;
    this.repository = root.repository?.commonDir ?? root.path;
    this.home = home;
    this.markerBacked = root.markerBacked;
    this.isTrusted = isTrusted;
    this.nearest = looks.nearest;
    this.hasProgram = looks.hasProgram;
    this.variable = looks.variable;
    this.isIgnored = looks.isIgnored;
    this.nameOf = looks.nameOf;
    this.#graphAt = graphAt;
    this.#remote = looks.remote;
    this.#commonDir = root.repository?.commonDir;
  }

  get remote(): string | undefined {
    return this.#commonDir === undefined ? undefined : this.#remote?.(this.#commonDir);
  }

  get graph(): RuleGraph | undefined {
    return this.#graphAt?.(this.root);
  }

  readonly relative = (path: string): string =>
    path.startsWith(`${this.root}/`) ? path.slice(this.root.length + 1) : path;
}
