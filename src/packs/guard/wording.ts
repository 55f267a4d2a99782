import type { Effect } from '../../event/effect.ts';
import { shortenCommand } from '../../text/shorten.ts';
import { asPath, joined, own, redact } from '../../engine/rule.ts';
import type { MessageValue, OwnWords } from '../../engine/rule.ts';
import { insteadOf } from './instead.ts';

/** What every message of the pack can name. */
export interface Seen {
  /** The command, or the tool and its path. */
  readonly seen: string;
  /** What it acts on. */
  readonly target: MessageValue;
  readonly instead: OwnWords;
}

const LONGEST_SEEN = 64;
const LONGEST_TARGET = 48;
const MOST_TARGETS = 3;

/** The first effect, with the targets of all that came from the same command. */
export function seenOf(first: Effect, all: readonly Effect[] = [first]): Seen {
  const targets = new Map(all.filter(({ seen }) => seen === first.seen).map((effect) => [effect.target, effect]));
  const named = [...targets.values()].filter(({ target }) => target !== '').slice(0, MOST_TARGETS);
  const [only, ...rest] = named;
  const more = targets.size > MOST_TARGETS ? ', …' : '';
  return {
    seen: placed(first),
    target: only && rest.length === 0 ? targetOf(only) : own`${joined(named.map(targetOf), ', ')}${own(more)}`,
    instead: own(insteadOf(first)),
  };
}

/** With the line of the script that it stands in. */
export function placed({ seen, at }: Effect): string {
  const command = shortSeen(seen, LONGEST_SEEN);
  return at ? `${at.file}:${at.line}: ${command}` : command;
}

/** A part of a command as it may be repeated: the person's log and the model's context keep what is said. */
export function shortSeen(text: string, most: number): string {
  return shortenCommand(redact(text), most);
}

/** A path is shown whole, a name is not. The workspace itself has no name from within. */
export function targetOf({ target, path, scope, seen }: Effect): MessageValue {
  if (target === '.') return own('the workspace');
  // What stands before a word tells that it is a key.
  if (seen.includes(target) && !redact(seen).includes(target)) return own('[redacted]');
  return path === undefined && scope === undefined ? shortSeen(target, LONGEST_TARGET) : asPath(redact(target));
}
