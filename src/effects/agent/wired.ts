import type { Effect } from '../../event/effect.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';
import { canBeSame } from '../paths/pattern.ts';
import { holds } from '../paths/resolve-path.ts';
import { isSpared } from '../paths/spared.ts';
import type { Surroundings } from '../scene.ts';

/** Ways of git by which a file goes or becomes another; which of them do, a look at the repository tells. */
const BY_GIT: ReadonlySet<string | undefined> = new Set(
  (
    'clean clean-ignored stashing stashing-tracked hard-reset merge-reset switch switching checkout restore checkout-index ' +
    'read-tree apply-reverse git-rm'
  ).split(' '),
);

/** What an effect takes away of the files by which an agent calls this program, beside those that it names. */
export function takenOfWired(
  effect: Effect,
  surroundings: Surroundings,
  wired: () => readonly string[],
): readonly Effect[] {
  const isByGit = BY_GIT.has(effect.how) && effect.kind !== 'write' && effect.kind !== 'overwrite';
  if (!isByGit && !losesTree(effect)) return NONE;
  return wired()
    .filter((path) => (isByGit ? isInReach(effect, path) : isBelow(effect, path, surroundings)))
    .filter((path) => !isSpared(effect, path))
    .map((path) => {
      const target = holds(surroundings.root, path) ? path.slice(surroundings.root.length + 1) : path;
      const git =
        effect.git ??
        (effect.how?.startsWith('clean') ? { dir: surroundings.root, ignored: 'too' as const } : undefined);
      const how = isByGit ? `wired-${effect.how}` : 'wired';
      return { ...effect, kind: 'settings', how, path, target, ...(git && { git }) };
    });
}

const NONE: readonly Effect[] = [];

/** Who takes all of that is denied for that. */
const WHOLE: ReadonlySet<string | undefined> = new Set(['root', 'home', 'workspace', 'made']);

function losesTree({ kind, how, recursive, scope, from, names, many }: Effect): boolean {
  if (kind === 'overwrite' && from !== undefined) return recursive === true || names?.includes('.') === true;
  return (recursive === true || many !== undefined) && !WHOLE.has(scope) && (kind === 'delete' || how === 'moved-away');
}

/** Where git was told so by words that are not known, only what takes files away regardless counts. */
function isInReach({ path, git, how }: Effect, file: string): boolean {
  if (!git && how?.startsWith('clean') !== true) return false;
  return path === undefined || isAtOrBelow(path, file);
}

function isBelow({ path, from, kind, many }: Effect, file: string, { readText }: Surroundings): boolean {
  if (many) return many.below !== undefined && matches(`${many.below}/${many.like}`, file);
  if (path === undefined || !isAtOrBelow(path, file)) return false;
  return kind !== 'overwrite' || readText?.(`${from}${file.slice(path.length)}`, 1) !== undefined;
}

function matches(glob: string, file: string): boolean {
  return matchGlob(compileGlob(glob), undefined, segmentsOf(file));
}

function isAtOrBelow(path: string, file: string): boolean {
  const below = segmentsOf(file);
  return segmentsOf(path).every((part, at) => canBeSame(part, below[at] ?? ''));
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}
