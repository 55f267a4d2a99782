import { join } from '../platform/paths.ts';
import { findWorkspaceRoot } from './find-root.ts';
import type { FindOptions, Root } from './find-root.ts';

const MAX_CHILDREN = 200;

/**
 * The root of the one direct child that is a project. More children than one listing may hold leave the question open,
 * rather than to the order of the file system.
 */
export function onlyChildRoot(dir: string, options: Pick<FindOptions, 'files' | 'home' | 'force'>): Root | undefined {
  const { files } = options;
  const names = files.list(dir, MAX_CHILDREN + 1);
  if (names.length > MAX_CHILDREN) return undefined;
  let only: Root | undefined;
  for (const path of names.map((name) => join(dir, name))) {
    if (files.lstat(path)?.kind !== 'dir') continue;
    const root = findWorkspaceRoot(path, { ...options, preferEnv: false, maxUp: 0 });
    if (!root.markerBacked) continue;
    if (only !== undefined) return undefined;
    only = root;
  }
  return only;
}
