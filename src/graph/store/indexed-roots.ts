import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { graphPaths } from './graph-paths.ts';
import { readInitRecord } from './init-record.ts';
import { graphStamp } from './open-graph.ts';

interface IndexedRoot {
  readonly root: string;
  /** Absent where nobody wrote them down. */
  readonly files?: number;
  readonly indexedAt?: number;
}

const MAX_BYTES = 16_384;

/** The roots that have a graph and are still there, by what lies in the state directory; no graph is opened for it. */
export function indexedRoots(files: Pick<Files, 'list' | 'readText' | 'stat'>, state: string): readonly IndexedRoot[] {
  const dir = join(state, 'workspaces');
  return files.list(dir).flatMap((name) => {
    const root = rootIn(files.readText(join(dir, name, 'init.json'), MAX_BYTES));
    if (root === undefined || files.stat(root)?.kind !== 'dir') return [];
    const location = graphPaths(state, root);
    // What lies under the name of another root is not its graph.
    if (location.workspace !== join(dir, name) || graphStamp(files, location) === undefined) return [];
    const record = readInitRecord(files, location, root);
    const indexedAt = files.stat(location.delta)?.mtimeMs ?? files.stat(location.snapshot)?.mtimeMs;
    return [
      {
        root,
        ...(record?.files !== undefined && { files: record.files }),
        ...(indexedAt !== undefined && { indexedAt: Math.round(indexedAt) }),
      },
    ];
  });
}

function rootIn(text: string | undefined): string | undefined {
  try {
    const { root } = JSON.parse(text ?? '') as { readonly root?: unknown };
    return typeof root === 'string' ? root : undefined;
  } catch {
    return undefined;
  }
}
