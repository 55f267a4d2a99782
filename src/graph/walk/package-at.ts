import type { Files } from '../../platform/files.ts';
import { below, directoryOf, upwards } from '../model/paths.ts';

/** Files that make their directory a package of a larger workspace. */
const PACKAGE_FILES = (
  'package.json pyproject.toml Cargo.toml go.mod setup.py setup.cfg pom.xml build.gradle build.gradle.kts ' +
  'composer.json Gemfile CMakeLists.txt BUILD.bazel BUILD'
).split(' ');

/**
 * The directory of the package that a file belongs to: the nearest one with a manifest, else the first below the root.
 * Undefined for a file that lies in the root itself.
 */
export function packageAt(files: Pick<Files, 'lstat'>, root: string, path: string): string | undefined {
  const directories = upwards(directoryOf(path)).filter((directory) => directory !== '');
  const isPackage = (directory: string) =>
    PACKAGE_FILES.some((name) => files.lstat(`${root}/${below(directory, name)}`)?.kind === 'file');
  return directories.find(isPackage) ?? directories.at(-1);
}
