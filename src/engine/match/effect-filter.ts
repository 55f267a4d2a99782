import { matchGlob, reachesGlob } from '../../text/glob.ts';
import type { Glob } from '../../text/glob.ts';
import { splitPath } from './path-index.ts';
import type { RootOf, SplitPath } from './path-index.ts';
import type { Effect, EffectKind } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';

/** What a call would do; an error when that could not be read, and then every filter by effect holds. */
export type CallEffects = readonly Effect[] | Error;

export const NO_EFFECTS: readonly Effect[] = [];

/** The kinds that one kind in a filter stands for. */
export function kindsFor(wanted: EffectKind): readonly EffectKind[] {
  return wanted === 'write' ? ['write', 'overwrite', 'truncate'] : [wanted];
}

export function isWanted(kind: EffectKind, wanted: readonly EffectKind[]): boolean {
  return wanted.some((each) => kindsFor(each).includes(kind));
}

/** An effect whose target is a known path, seen from the event's workspace. */
export interface EffectTarget {
  readonly path: SplitPath;
  /** Acts on a whole tree, so that a glob need not name its top. */
  readonly tree: boolean;
  /** The tree holds the whole of this root, or of the event's own workspace. */
  holds(root: string | undefined): boolean;
}

export function targetOf({ path, recursive }: Effect, event: Event, rootOf: RootOf): EffectTarget | undefined {
  if (path === undefined) return undefined;
  const tree = recursive === true;
  let workspace: string | undefined;
  return {
    path: splitPath(path, rootOf),
    tree,
    holds(root) {
      const whole = root ?? (workspace ??= rootOf(event.cwd));
      return tree && whole !== '' && (whole === path || whole.startsWith(path === '/' ? '/' : `${path}/`));
    },
  };
}

/**
 * Whether the effect acts on something that the glob means. A tree does when its top matches, when it holds the whole
 * workspace, or when the named parts of the glob lead into it: `rm -r db` touches `db/*.sql` and not `*.sql`, which
 * may or may not lie in there.
 */
export function touchesGlob({ path, tree, holds }: EffectTarget, glob: Glob, root: string | undefined): boolean {
  if (!tree) return matchGlob(glob, path.below(root), path.segments);
  return reachesGlob(glob, path.below(root), path.segments, holds(root));
}
