import { prepareUnrecorded } from '../ledger/unrecorded.ts';
import type { Files } from '../platform/files.ts';
import { prepareUnanswered } from './unanswered-count.ts';

/** Takes, while there is some, the room that counts of what went wrong need on a full disk. True once they have it. */
export function prepareCounts(files: Files, marks: string): boolean {
  prepareUnanswered(files, marks);
  return prepareUnrecorded(files, [marks]);
}
