import { compileGlob, matchGlob } from '../../engine/rule.ts';
import { isSameTree } from './memory.ts';
import type { Change, Memory } from './memory.ts';
import type { Target } from './targets.ts';

/** Whose view of what is asked about. */
export interface View {
  readonly session: string;
  /** The top of its work tree. */
  readonly tree: string;
  readonly machine?: string | undefined;
}

/** What another session did to what a session reads or is about to change, unseen by that one. */
export interface Overlap {
  readonly change: Change;
  /** The file that both are about, from the root of either tree. */
  readonly name: string;
  /** The change was one of many files, of which this may be one. */
  readonly isWide: boolean;
}

type Place = Pick<Target, 'name' | 'like'>;

/**
 * Looks through what others have changed, which is little: there are few sessions, and only so many files of each are kept. In
 * the same work tree a directory stands for all that is in it; in another one only the very same file is the same.
 */
export function overlapsOf(memory: Memory, target: Place, view: View): readonly Overlap[] {
  const { session } = view;
  const found: Overlap[] = [];
  for (const other of memory.sessions.get() ?? []) {
    if (other === session) continue;
    for (const name of memory.files.get(other) ?? []) {
      if (!covers({ name }, target.name) && !covers(target, name)) continue;
      for (const change of memory.changes.get(name) ?? []) {
        if (change.by !== other) continue;
        const both = isHere(change, view) ? bothIn(target, { ...change, name }) : sameIn(target, { ...change, name });
        if (both !== undefined && change.at > (memory.seen.get(pathOf(change, both)) ?? 0))
          found.push({ change, name: both, isWide: change.like !== undefined || both !== name });
      }
    }
  }
  return found;
}

/** Where the session looks, or is told of, what was changed there. */
export function pathOf({ tree, machine }: Pick<Change, 'tree' | 'machine'>, name: string): string {
  return machine === undefined ? `${tree}/${name}` : `${machine}:${tree}/${name}`;
}

/** Whether a change was made in the very tree of a view. */
export function isHere(change: Pick<Change, 'tree' | 'machine'>, { tree, machine }: Omit<View, 'session'>): boolean {
  return isSameTree(change, { tree, ...(machine !== undefined && { machine }) });
}

function bothIn(target: Place, change: Place): string | undefined {
  if (covers(target, change.name)) return change.name;
  return covers(change, target.name) ? target.name : undefined;
}

function sameIn(target: Place, change: Change & Place): string | undefined {
  const isFile = target.like === undefined && change.like === undefined && change.how !== 'discarded';
  return isFile && change.name === target.name ? change.name : undefined;
}

function covers({ name: above, like }: Place, name: string): boolean {
  if (above !== '' && name !== above && !name.startsWith(`${above}/`)) return false;
  if (like === undefined) return true;
  const parts = name.split('/');
  return matchGlob(compileGlob(like), parts, parts);
}
