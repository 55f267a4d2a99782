import type { Change, Store } from '../state/store.ts';

/** A change of one cell that can be made on whatever the cell holds. */
export interface Merge {
  readonly id: string;
  readonly expires: number;
  /** Undefined: the cell goes. */
  merged(before: string | undefined): string | undefined;
}

/** Another process may write the same cells meanwhile; each attempt starts from what it has stored. */
const MAX_ATTEMPTS = 40;

/** All of them or none; false when other processes kept writing. Nothing is written when nothing would change. */
export function commitMerged(store: Store, merges: readonly Merge[], now: number): boolean {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const reads = new Map<string, string | undefined>();
    const changes: Change[] = [];
    for (const { id, expires, merged } of merges) {
      const before = store.get(id, now);
      const after = merged(before);
      reads.set(id, before);
      if (after === before) continue;
      changes.push(after === undefined ? { op: 'delete', id } : { op: 'set', id, value: after, expires });
    }
    if (changes.length === 0 || store.commit({ reads, changes, now })) return true;
  }
  return false;
}
