import type { Draft } from '../state/draft.ts';

/** Whether careful mode is on in a workspace. */
export function isCareful(_draft: Draft, _root: string): boolean {
  return false;
}
