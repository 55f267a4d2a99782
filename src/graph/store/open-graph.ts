import type { Files } from '../../platform/files.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import type { GraphPaths } from './graph-paths.ts';
import { createReader } from './reader.ts';
import { openSections } from './sections.ts';
import { openDeltaBytes, openSnapshot } from './snapshot.ts';
import type { Delta, Snapshot } from './snapshot.ts';

export interface StoredGraph {
  readonly snapshot: Snapshot;
  readonly delta: Delta | undefined;
  /** Why a part of what lies there was not used. */
  readonly notice?: string;
}

type Reading = Pick<Files, 'readBytes'>;

/** Why what lies there is of no use; `other`: another version made it. */
export type Unusable = 'damaged' | 'foreign' | 'other';

/** Opens finished data for questions; undefined when there is none that belongs to this root and can be read. */
export function openGraph(
  files: Reading,
  location: GraphPaths,
  root: string,
  madeBy?: string,
): GraphReader | undefined {
  const stored = readGraph(files, location, root, madeBy);
  return typeof stored === 'object' ? createReader(stored.snapshot, stored.delta) : undefined;
}

/** The data, or why there is none. With `madeBy`, what others made is not taken apart: their records may be laid out otherwise. */
export function readGraph(
  files: Reading,
  location: GraphPaths,
  root: string,
  madeBy?: string,
): StoredGraph | 'none' | Unusable {
  // The delta first: one that was folded into a snapshot meanwhile names another base and is left out, and nothing is lost.
  const deltaBytes = files.readBytes(location.delta);
  const bytes = files.readBytes(location.snapshot);
  if (bytes === undefined) return 'none';
  const sections = openSections(bytes);
  if (sections === undefined) return 'damaged';
  if (madeBy !== undefined && sections.meta['madeBy'] !== madeBy) return 'other';
  const snapshot = openSnapshot(sections);
  if (snapshot === undefined) return 'other';
  if (snapshot.root !== root) return 'foreign';
  const delta = deltaBytes && openDeltaBytes(deltaBytes);
  if (deltaBytes !== undefined && delta === undefined)
    return { snapshot, delta: undefined, notice: 'what changed since the snapshot could not be read' };
  return { snapshot, delta: delta?.base === snapshot.check && delta.root === root ? delta : undefined };
}

/** What tells one finished state from the next; undefined when there is no index. */
export function graphStamp(files: Pick<Files, 'stat'>, { snapshot, delta }: GraphPaths): string | undefined {
  const base = files.stat(snapshot);
  if (base === undefined) return undefined;
  const over = files.stat(delta);
  return `${base.ino} ${base.mtimeMs} ${base.size} ${over ? `${over.ino} ${over.mtimeMs} ${over.size}` : ''}`;
}
