import type { Cells, RuleContext } from '../../engine/rule.ts';
import type { MADE_HERE } from './command-cells.ts';
import { contextKey } from './place.ts';

/** A rule that asks keeps `MADE_HERE` under the name `made` in its state. */
interface Asker extends Pick<RuleContext, 'workspace'> {
  readonly state: Cells<{ readonly made: typeof MADE_HERE }>;
}

/**
 * Whether this user stands behind the text of a `.context`: they have accepted the project, or made the directory
 * themselves. What merely came with a repository is not put before the agent. `root` holds the `.context`.
 */
export function isOwn({ workspace, state }: Asker, root: string): boolean {
  return workspace.isTrusted || state.made.get(contextKey(workspace, root)) !== undefined;
}
