import type { LossWorld } from '../losses/world.ts';
import type { Entries } from '../platform/entries.ts';
import type { FedGit } from '../platform/run-git.ts';

/** What copying and putting back take from the outside. */
export interface UndoWorld extends LossWorld {
  readonly entries: Entries;
  feed(dir: string, args: readonly string[], fed: FedGit): Promise<string | undefined>;
  now(): number;
}

/** No copy was made; why stands in the message, in words that follow a colon. */
export class Unkept extends Error {}

export const WHY_NOT = {
  excluded: 'your settings exclude it from copies',
  late: 'copying it takes longer than a call waits',
  large: 'it is larger than the settings allow to copy',
  changing: 'it is being written to',
  unreadable: 'a part of it cannot be read',
  store: 'the copy could not be written',
  ended: 'what copies has ended',
  gone: 'what copies is not installed any more',
  own: 'it holds the copies themselves',
  more: 'it is more than files of yours',
  git: 'git does not tell what it takes away',
} as const;
