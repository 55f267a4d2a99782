import { join } from '../platform/paths.ts';
import { findWorkspaceRoot } from './find-root.ts';
import type { FindOptions, Root } from './find-root.ts';

const MAX_CHILDREN = 200;

type Options = Pick<FindOptions, 'files' | 'home' | 'force'>;

/** The root of the one direct child that is a project. */
export function onlyChildRoot(dir: string, options: Options): Root | undefined {
  const [first, second] = childRoots(dir, options, 2);
  return second === undefined ? first : undefined;
}

/**
 * The first direct children that are projects. Of more children than one listing may hold there is none, rather than what
 * the order of the file system brings.
 */
export function childRoots(dir: string, options: Options, most: number): readonly Root[] {
  const { files } = options;
  const names = files.list(dir, MAX_CHILDREN + 1);
  if (names.length > MAX_CHILDREN) return [];
  const found: Root[] = [];
  for (const path of names.map((name) => join(dir, name))) {
    if (files.lstat(path)?.kind !== 'dir') continue;
    const root = findWorkspaceRoot(path, { ...options, preferEnv: false, maxUp: 0 });
    if (root.markerBacked) found.push(root);
    if (found.length === most) break;
  }
  return found;
}
