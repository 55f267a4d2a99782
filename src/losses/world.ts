import type { FactSources } from '../platform/fact-sources.ts';
import type { Files } from '../platform/files.ts';
import type { Environment } from '../platform/paths.ts';

/** What a look for losses takes from the outside. */
export interface LossWorld {
  readonly files: Files;
  /** For what would take too long file by file; undefined when it fails. */
  readonly git: FactSources['git'];
  readonly userHome: string;
  readonly env: Environment;
}

/** Nothing was found out; why stands in the message, in words that follow a colon. */
export class Unseen extends Error {}

export const WHY = {
  untold: 'its words do not tell what it hits',
  more: 'it holds more than the files of a project',
  road: 'it runs as somebody else, elsewhere, or on what only running it tells',
  missing: 'nothing is there yet',
  chained: 'what runs before it in the same call may change that',
  noRepository: 'no repository was found there',
  unreadable: 'the repository could not be read',
  noCommit: 'no commit of that name was found',
  long: 'that takes too long',
  filters: 'the repository changes files on their way in',
  tooMuch: 'there is too much to look through',
  remote: 'what the remote has by now was not asked',
} as const;

/** So many files are looked at one by one, which takes some ten milliseconds; beyond, git is asked. */
export const MOST_FILES = 3_000;
