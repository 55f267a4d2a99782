import { relative } from 'node:path';
import type { RuleContext, RuleWorkspace } from '../../engine/rule.ts';
import { CONTEXT_DIR, isInitialised } from './files.ts';

/** A dozen rules ask at one event, and each is given the same workspace. */
const known = new WeakMap<RuleWorkspace, { readonly root: string | undefined }>();

/** The directory that holds the `.context` of this event; undefined where there is none or it lacks a required file. */
export function contextRoot({ workspace, files }: Pick<RuleContext, 'workspace' | 'files'>): string | undefined {
  const before = known.get(workspace);
  if (before) return before.root;
  const holder = workspace.nearest(CONTEXT_DIR);
  const root = holder !== undefined && isInitialised(files, holder) ? holder : undefined;
  known.set(workspace, { root });
  return root;
}

/** Which of the contexts of a workspace one is, for cells that each of them has; empty for the one at its root. */
export function contextKey(workspace: Pick<RuleWorkspace, 'root'>, root: string): string {
  return relative(workspace.root, root).replaceAll('\\', '/');
}
