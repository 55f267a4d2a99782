import { readdirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';

/** Enough for what we keep; a directory with more is none of ours. */
const MOST_NAMES = 2_000;

/**
 * Whether a path lies in one of the directories, whatever names lead there: links, mounts, a second name of a file, letters
 * of another case. Above `stop` nothing is looked at.
 */
export function isSamePlace(path: string, dirs: readonly string[], stop: string): boolean {
  // From above, since nothing lies below what is not there, and a path may name thousands of levels that are not.
  for (let end = path === stop || path.startsWith(`${stop}/`) ? stop.length : 0; ; end = path.indexOf('/', end + 1)) {
    const at = end < 0 ? path : path.slice(0, end) || '/';
    const found = look(at);
    if (!found) return false;
    if (placesOf(dirs).some((dir) => isSame(dir, found))) return true;
    if (at === path) return found.isFile() && found.nlink > 1 && dirs.some((dir) => holdsFile(dir, found));
  }
}

/** The directories stay what they are for longer than that, and every call that writes asks for them. */
const FRESH_MS = 1_000;

const places = new WeakMap<readonly string[], { readonly at: number; readonly found: readonly Stats[] }>();

function placesOf(dirs: readonly string[]): readonly Stats[] {
  const now = performance.now();
  const before = places.get(dirs);
  if (before && now - before.at < FRESH_MS) return before.found;
  const found = dirs.flatMap((dir) => look(dir) ?? []);
  places.set(dirs, { at: now, found });
  return found;
}

function holdsFile(dir: string, file: Stats): boolean {
  let left = MOST_NAMES;
  const within = (at: string, depth: number): boolean => {
    for (const entry of list(at)) {
      if ((left -= 1) < 0) return false;
      const path = join(at, entry.name);
      if (entry.isDirectory() ? depth > 0 && within(path, depth - 1) : isSame(look(path), file)) return true;
    }
    return false;
  };
  return within(dir, 3);
}

function list(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isSame(one: Stats | undefined, other: Stats): boolean {
  return one !== undefined && one.ino === other.ino && one.dev === other.dev;
}

function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
