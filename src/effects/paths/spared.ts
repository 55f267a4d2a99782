import type { Effect } from '../../event/effect.ts';
import { compileGlob, matchGlob } from '../../text/glob.ts';

/** Whether an effect leaves a path alone although it lies where the effect takes place. */
export function isSpared({ spares = NONE }: Pick<Effect, 'spares'>, path: string): boolean {
  const segments = segmentsOf(path);
  return spares.some((glob) => {
    const compiled = compileGlob(glob);
    return segments.some((_, at) => matchGlob(compiled, undefined, segments.slice(0, at + 1)));
  });
}

const NONE: readonly string[] = [];

/** What a pattern of git or rsync means by absolute globs: one with a slash in it counts from `dir`, a name holds anywhere. */
export function sparedFrom(pattern: string, dir: string): string {
  const bare = pattern.replace(/^\.\//, '').replace(/\/$/, '');
  return bare.includes('/') ? `${dir === '/' ? '' : dir}/${bare.replace(/^\//, '')}` : `**/${bare}`;
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
