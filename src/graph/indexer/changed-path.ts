import { canonicalPath } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { contains, relative, sep } from '../../platform/paths.ts';
import { DOUBTFUL, MANIFESTS, SIGNS } from '../walk/excluded.ts';

/** A path below the root, with forward slashes; undefined when it lies elsewhere. */
export function pathBelow(files: Files, root: string, path: string): string | undefined {
  const real = contains(root, path) ? path : canonicalPath(files, path);
  if (!contains(root, real) || real === root) return undefined;
  return relative(root, real).replaceAll(sep, '/');
}

const MARKS = new Set([...MANIFESTS, ...SIGNS]);

/** Whether a file that was added or removed may decide about other files: what has a say in walking, or is no file of code. */
export function mayChangeWalk(files: Files, root: string, path: string, isDirectory: boolean): boolean {
  const slash = path.lastIndexOf('/');
  const [directory, name] = [path.slice(0, slash + 1), path.slice(slash + 1)];
  if (isDirectory || name.startsWith('.') || !name.includes('.') || MARKS.has(name)) return true;
  return [...DOUBTFUL].some((each) => files.lstat(`${root}/${directory}${each}`)?.kind === 'dir');
}
