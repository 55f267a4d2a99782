import { asPath, joined, own } from '../../engine/rule.ts';
import type { Effect, Look, Lost, OwnWords, RuleFacts } from '../../engine/rule.ts';
import { counted } from '../../text/counted.ts';

/** A look at what the effects would take away; undefined when there was no time, or it failed. */
export async function lookFirst(
  effects: readonly Effect[],
  { facts }: { readonly facts: RuleFacts },
): Promise<readonly Look[] | undefined> {
  try {
    return await facts.losses(effects);
  } catch {
    return undefined;
  }
}

/** Only a look that found nothing lets a call go; in careful mode, none at what a remote had some time ago. */
export function mayLose(look: Look | undefined, careful: boolean): boolean {
  if (!look || 'unseen' in look || look.lost.length > 0) return true;
  return careful && look.isOfRemote === true;
}

/** What the effects of one command lose together; one that was not seen hides the others. */
export function joinLooks(
  looks: readonly (Look | undefined)[],
  shorten: (path: string) => string = (path) => path,
): Look | undefined {
  const kinds = new Map<Lost['what'], Lost>();
  let isAtMost = false;
  let isOfRemote = false;
  for (const look of looks) {
    if (!look || 'unseen' in look) return look;
    isAtMost ||= look.isAtMost === true;
    isOfRemote ||= look.isOfRemote === true;
    for (const { what, count, names } of look.lost) {
      const before = kinds.get(what);
      kinds.set(what, {
        what,
        count: (before?.count ?? 0) + count,
        names: [...(before?.names ?? []), ...names.map((name) => (name.startsWith('/') ? shorten(name) : name))],
      });
    }
  }
  // Held although nothing is lost here: careful mode does not rely on what was last fetched.
  if (kinds.size === 0) return { unseen: 'what the remote has by now was not asked' };
  return { lost: [...kinds.values()], isAtMost, isOfRemote };
}

const MOST_NAMES = 3;
const KINDS: Readonly<Record<Lost['what'], (count: number) => string>> = {
  changed: (count) => `${counted(count, 'file')} with uncommitted changes`,
  untracked: (count) => counted(count, 'untracked file'),
  ignored: (count) => counted(count, 'ignored file'),
  unversioned: (count) => `${counted(count, 'file')} that ${count === 1 ? 'is' : 'are'} in no repository`,
  commits: (count) => `${counted(count, 'commit')} that ${count === 1 ? 'is' : 'are'} on no other branch and no remote`,
  shared: (count) => counted(count, 'commit'),
  stashes: (count) => (count === 1 ? '1 stash' : `${count} stashes`),
  repositories: (count) => (count === 1 ? 'a repository with its history' : `${count} repositories with their history`),
};

/** `2 files with uncommitted changes (a.ts, b.ts) and 1 untracked file (c.ts)`. */
export function lostWords({ lost, isAtMost, isOfRemote }: Extract<Look, { lost: unknown }>): OwnWords {
  const parts = lost.map(({ what, count, names }) => {
    const told = what === 'commits' && isOfRemote === true ? ofRemote(count) : KINDS[what](count);
    const words = own((isAtMost === true ? 'up to ' : '') + told);
    // Of these the branch is named apart.
    if (names.length === 0 || what === 'shared') return words;
    const more = count > MOST_NAMES ? ', …' : '';
    const shown = joined(
      names.slice(0, MOST_NAMES).map((name) => (what === 'stashes' ? name : asPath(name))),
      ', ',
    );
    return own`${words} (${shown}${own(more)})`;
  });
  const last = parts.pop();
  if (!last) return own('nothing');
  return parts.length === 0 ? last : own`${joined(parts, ', ')} and ${last}`;
}

function ofRemote(count: number): string {
  return `${counted(count, 'commit')} that no other branch had when the remote was last fetched`;
}

/** Why there was no look, in words that follow a colon. */
export function unseenWords(look: Look | undefined): OwnWords {
  return own(look && 'unseen' in look ? look.unseen : 'it took too long');
}

export function isSeen(look: Look | undefined): look is Extract<Look, { lost: unknown }> {
  return look !== undefined && 'lost' in look;
}
