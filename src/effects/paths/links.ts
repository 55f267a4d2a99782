import type { Effect, EffectKind } from '../../event/effect.ts';
import { resolvePath } from './resolve-path.ts';
import type { Surroundings } from '../scene.ts';

const WRITES: ReadonlySet<EffectKind> = new Set(['write', 'overwrite', 'truncate']);
/** Nobody writes to more; each look costs the event something. */
const MOST_LOOKS = 256;

/** What writes through a link change, where it leads; the one thing that the text of a call cannot tell and a look can. */
export function followLinks(effects: readonly Effect[], surroundings: Surroundings): readonly Effect[] {
  const { realPath, root } = surroundings;
  if (!realPath) return [];
  // What is moved away is the link itself.
  const written = effects.filter(
    ({ kind, how, path }) => WRITES.has(kind) && how !== 'moved-away' && path !== undefined && !path.includes('*'),
  );
  return written.slice(0, MOST_LOOKS).flatMap((effect): Effect[] => {
    const path = effect.path as string;
    const real = realPath(path);
    if (real === path || real === undefined) return [];
    // A workspace that is itself reached through a link is meant by its own name.
    const isInside = path.startsWith(`${root}/`);
    if (isInside && real === `${realPath(root) ?? root}${path.slice(root.length)}`) return [];
    const { name, scope } = resolvePath(real, root, surroundings);
    return [{ ...effect, path: real, target: name, scope }];
  });
}
