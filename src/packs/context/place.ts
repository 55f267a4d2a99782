import { relative } from 'node:path';
import type { RuleContext, RuleFiles, RuleWorkspace } from '../../engine/rule.ts';
import { CONTEXT_DIR, contextFileTimes, contextPath, isInitialised } from './files.ts';

/** A dozen rules ask at one event, and each is given the same workspace. */
const known = new WeakMap<RuleWorkspace, { readonly root: string | undefined }>();
const newest = new WeakMap<RuleWorkspace, number>();

/**
 * The directory that holds the `.context` of this event; undefined where there is none, it lacks a required file, or it is a
 * link out of the project, whose files are not the project's to give.
 */
export function contextRoot({ workspace, files }: Pick<RuleContext, 'workspace' | 'files'>): string | undefined {
  const before = known.get(workspace);
  if (before) return before.root;
  const holder = workspace.nearest(CONTEXT_DIR);
  const isUsable = holder !== undefined && isInitialised(files, holder) && liesInside(files, workspace.root, holder);
  const root = isUsable ? holder : undefined;
  known.set(workspace, { root });
  return root;
}

function liesInside(files: Pick<RuleFiles, 'realpath'>, project: string, holder: string): boolean {
  const path = contextPath(holder);
  const real = files.realpath(path);
  return real === path || (real !== undefined && isInside(files.realpath(project) ?? project, real));
}

/** When a context file was last changed; 0 where there is none. */
export function lastChange({ workspace, files }: Pick<RuleContext, 'workspace' | 'files'>, root: string): number {
  const before = newest.get(workspace);
  if (before !== undefined) return before;
  const at = contextFileTimes(files, root)[0]?.mtimeMs ?? 0;
  newest.set(workspace, at);
  return at;
}

export function isInside(dir: string, path: string): boolean {
  const way = relative(dir, path);
  return way !== '' && !way.startsWith('..') && !way.startsWith('/');
}

/** Which of the contexts of a workspace one is, for cells that each of them has; empty for the one at its root. */
export function contextKey(workspace: Pick<RuleWorkspace, 'root'>, root: string): string {
  return relative(workspace.root, root).replaceAll('\\', '/');
}
