import { sha256 } from '../../platform/hash.ts';
import { basename, join } from '../../platform/paths.ts';

/** Where the graph of one root lies: below the state directory, so that no repository brings one along. */
export interface GraphPaths {
  /** Of the workspace; what else is kept of a root lies beside the graph. */
  readonly workspace: string;
  readonly dir: string;
  /** How and when it came to be indexed, or why not. */
  readonly init: string;
  /** Which part of it is indexed; only of one that has too many files. */
  readonly scope: string;
  /** Where the sessions that were started here work by now. */
  readonly active: string;
  readonly canvas: string;
  /** Pictures. */
  readonly artifacts: string;
  /** What parsing found, one row per file. */
  readonly facts: string;
  /** What is derived from it, and what changed since that was written. */
  readonly snapshot: string;
  readonly delta: string;
  /** Held by the process that writes here, and who that is. */
  readonly lease: string;
  readonly holder: string;
}

/** `root` is the real path: one root has one graph, whichever link leads there. */
export function graphPaths(state: string, root: string): GraphPaths {
  const name = basename(root)
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 40);
  const workspace = join(state, 'workspaces', `${name}-${sha256(root).slice(0, 12)}`);
  const dir = join(workspace, 'graph');
  return {
    workspace,
    dir,
    init: join(workspace, 'init.json'),
    scope: join(workspace, 'scope.json'),
    active: join(workspace, 'active.json'),
    canvas: join(workspace, 'canvas.json'),
    artifacts: join(workspace, 'artifacts'),
    facts: join(dir, 'facts.db'),
    snapshot: join(dir, 'snapshot'),
    delta: join(dir, 'delta'),
    lease: join(dir, 'lease'),
    holder: join(dir, 'holder.json'),
  };
}
