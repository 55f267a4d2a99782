import type { ManyFiles } from '../event/effect.ts';
import { matchesName } from '../effects/paths/pattern.ts';

/** Whether a path from where the look begins is among what is lost, or lies in it. */
export type Picks = (path: string) => boolean;

export const ALL: Picks = () => true;

/** The files that a pattern matches, and all that is in directories that it matches. */
export function picksOf({ like }: ManyFiles): Picks {
  const pattern = like.toLowerCase().split('/');
  return (path) => isIn(pattern, 0, path.toLowerCase().split('/'), 0);
}

function isIn(pattern: readonly string[], at: number, path: readonly string[], step: number): boolean {
  if (at === pattern.length) return true;
  const part = pattern[at] as string;
  if (part === '**') {
    for (let next = step; next <= path.length; next += 1) if (isIn(pattern, at + 1, path, next)) return true;
    return false;
  }
  const name = path[step];
  return name !== undefined && fits(part, name) && isIn(pattern, at + 1, path, step + 1);
}

/** A search looks at hidden names too. */
function fits(part: string, name: string): boolean {
  return matchesName(part.replace(/^\.+/, ''), name.replace(/^\.+/, ''));
}
