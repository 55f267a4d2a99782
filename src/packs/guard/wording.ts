import type { Effect } from '../../event/effect.ts';
import { shortenCommand } from '../../text/shorten.ts';
import { insteadOf } from './instead.ts';

/** What every message of the pack can name. */
export interface Seen {
  /** The command, or the tool and its path. */
  readonly seen: string;
  /** What it acts on. */
  readonly target: string;
  readonly instead: string;
}

const LONGEST_SEEN = 64;
const LONGEST_TARGET = 48;
const MOST_TARGETS = 3;

/** The first effect, with the targets of all that came from the same command. */
export function seenOf(first: Effect, all: readonly Effect[] = [first]): Seen {
  const targets = new Set(all.filter(({ seen }) => seen === first.seen).map(nameOf));
  const named = [...targets].filter((target) => target !== '').slice(0, MOST_TARGETS);
  const more = targets.size > MOST_TARGETS ? ', …' : '';
  return {
    seen: shortenCommand(first.seen, LONGEST_SEEN),
    target: shortenCommand(named.join(', '), LONGEST_TARGET) + more,
    instead: insteadOf(first),
  };
}

/** The workspace itself has no name from within. */
function nameOf({ target }: Effect): string {
  return target === '.' ? 'the workspace' : target;
}
