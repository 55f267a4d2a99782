import type { SettingsLocation } from '../../adapters/adapter.ts';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';

/** A file with entries of ours, and the agent whose file it is. */
interface EntryFile {
  readonly agent: string;
  readonly path: string;
}

/** One that another agent reads as well. */
interface SharedFile<File> {
  readonly file: File;
  readonly by: string;
  /** What comes of it. */
  readonly outcome: string;
}

/** The files with entries of ours that another agent runs too, of those that call us here. */
export function runByOthers<File extends EntryFile>(
  files: readonly File[],
  location: SettingsLocation,
): readonly SharedFile<File>[] {
  const users = INSTALLERS.filter(({ agent }) => files.some((file) => file.agent === agent));
  return users.flatMap(({ agent: by, alsoRuns }) => {
    const { files: read, outcome } = alsoRuns?.(location) ?? { files: [], outcome: '' };
    const paths = new Set(read.map((path) => canonicalPath(nodeFiles, path)));
    return files
      .filter(({ agent, path }) => agent !== by && paths.has(canonicalPath(nodeFiles, path)))
      .map((file) => ({ file, by, outcome }));
  });
}
