import type { Files } from '../../platform/files.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import type { WalkOptions } from '../walk/walk-options.ts';
import { walkWorkspace } from '../walk/walk-workspace.ts';
import type { Work } from './indexer.ts';

/** What there is to say of a root without a file of code; undefined when it has one. Manifests alone are no code. */
export function findNothing(files: Files, root: string, options: WalkOptions | undefined): Work | undefined {
  const walk = walkWorkspace(files, root, options);
  for (const { language } of walk) if (language !== 'manifest') return undefined;
  return { files: 0, parsed: 0, removed: 0, resolved: 0, left: 0, skipped: walk.skipped, notices: [] };
}

/** An index of nothing would look like one that knows there is nothing. */
export function removeStored(files: Pick<Files, 'remove'>, location: GraphPaths): void {
  for (const path of [location.snapshot, location.delta]) files.remove(path);
  removeFacts(files, location);
}

/** With what a database keeps beside its file. */
export function removeFacts(files: Pick<Files, 'remove'>, { facts }: GraphPaths): void {
  for (const suffix of ['', '-wal', '-shm']) files.remove(facts + suffix);
}
