import type { FactSources } from '../platform/fact-sources.ts';
import { limitStacks } from '../platform/files.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { Environment } from '../platform/paths.ts';
import { nextTurn } from '../platform/timers.ts';

/** What a look for losses takes from the outside. */
export interface LossWorld {
  readonly files: Files;
  /** For what would take too long file by file; undefined when it fails. */
  readonly git: FactSources['git'];
  readonly userHome: string;
  readonly env: Environment;
}

/** Nothing was found out; why stands in the message, in words that follow a colon. */
export class Unseen extends Error {
  constructor(why: string) {
    // Thrown on the way of many calls and never shown: where it was thrown takes longer to write down than the look itself.
    const { stackTraceLimit } = Error;
    limitStacks(0);
    super(why);
    limitStacks(stackTraceLimit);
  }
}

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
  submodules: 'it goes on into submodules',
  filters: 'the repository changes files on their way in',
  tooMuch: 'there is too much to look through',
  remote: 'what the remote has by now was not asked',
} as const;

/** So many files are looked at one by one, which takes some ten milliseconds; beyond, git is asked. */
export const MOST_FILES = 3_000;
/** Of more than these git itself does not tell in the time that there is; so it is not started. */
export const MOST_BY_GIT = 15_000;

/** Nobody nests deeper by hand, and each level costs more than the one above it. */
const MOST_LEVELS = 200;
/** So many entries are looked at before other sessions have their turn. */
const AT_ONCE = 100;

export interface Pace {
  /** Entries that may still be looked at. */
  readonly left: number;
  /** Before each entry; throws where a look has gone far enough, and lets other sessions have their turn. */
  step(levels: number): Promise<void> | undefined;
}

export function createPace(): Pace {
  let left = 2 * MOST_FILES;
  return {
    get left() {
      return left;
    },
    step(levels) {
      if ((left -= 1) < 0 || levels > MOST_LEVELS) throw new Unseen(WHY.tooMuch);
      return left % AT_ONCE === 0 ? nextTurn() : undefined;
    },
  };
}

const MOST_SETTINGS_BYTES = 64 << 10;

/** What the person has told git in general, and the directory where more of it lies. */
export function readPersonSettings({ files, userHome, env }: LossWorld): {
  readonly dir: string;
  readonly text: string;
} {
  const dir = join(env['XDG_CONFIG_HOME'] || join(userHome, '.config'), 'git');
  const texts = [join(dir, 'config'), join(userHome, '.gitconfig')].map(
    (path) => files.readText(path, MOST_SETTINGS_BYTES) ?? '',
  );
  return { dir, text: texts.join('\n') };
}
