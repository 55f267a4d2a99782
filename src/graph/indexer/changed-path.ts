import { canonicalPath } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { contains, relative, sep } from '../../platform/paths.ts';

/** A path below the root, with forward slashes; undefined when it lies elsewhere. */
export function pathBelow(files: Files, root: string, path: string): string | undefined {
  const real = contains(root, path) ? path : canonicalPath(files, path);
  if (!contains(root, real) || real === root) return undefined;
  return relative(root, real).replaceAll(sep, '/');
}

/** Directories that count as output or as code by what lies beside them. */
const DOUBTFUL = ['vendor', 'build', 'target', 'out'];

/** Whether a file that was added or removed may decide about other files: what has a say in walking, or is no file of code. */
export function mayChangeWalk(files: Files, root: string, path: string, isDirectory: boolean): boolean {
  const slash = path.lastIndexOf('/');
  const [directory, name] = [path.slice(0, slash + 1), path.slice(slash + 1)];
  if (isDirectory || name.startsWith('.') || !name.includes('.') || MARKS.has(name)) return true;
  return DOUBTFUL.some((each) => files.lstat(`${root}/${directory}${each}`)?.kind === 'dir');
}

const MARKS = new Set(
  (
    'package.json Cargo.toml pom.xml build.gradle build.gradle.kts pyproject.toml setup.py go.mod composer.json ' +
    'CMakeLists.txt BUILD.bazel pyvenv.cfg conda-meta CACHEDIR.TAG'
  ).split(' '),
);
