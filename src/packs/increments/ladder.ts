import { incrementFile, incrementsDir, isIncrement, placeOf, WATCHED } from './layout.ts';
import type { WatchedFile } from './layout.ts';
import { isActive } from './metadata.ts';
import { statusOf } from './standing.ts';
import type { IncrementStatus, KnownStatus } from './standing.ts';
import type { IncrementOptions } from './options.ts';
import type { RuleContext } from '../../engine/rule.ts';

/** How an edit was noticed, surest way first; `watch` comes from outside the agent. */
export type Method = 'signal' | 'payload' | 'mtime' | 'watch';

/** A watched file of an increment that counts. */
export interface Found {
  readonly root: string;
  readonly increment: string;
  readonly file: WatchedFile;
  readonly status: IncrementStatus;
  /** Milliseconds since it changed, as far as the method tells. */
  readonly ageMs: number;
}

export interface Look {
  readonly now: number;
  readonly files: RuleContext['files'];
  readonly known: { get(key?: string): KnownStatus | undefined; set(value: KnownStatus, key?: string): void };
  readonly options: IncrementOptions;
  isOwnWrite(path: string, mtimeMs: number): boolean;
}

/** Clocks of files and of the engine may differ by a little. */
const AHEAD_MS = 100;
const MOST_DIRECTORIES = 5_000;

/** The watched files of active increments among these paths. */
export function watchedIn(paths: readonly string[], look: Look): Found[] {
  return paths.flatMap((path): Found[] => {
    const place = placeOf(path);
    if (place?.increment === undefined || place.file === undefined) return [];
    const { root, increment, file } = place;
    const status = statusOf(root, increment, look.files, look.known);
    return counts(file, status, look.options) ? [{ root, increment, file, status, ageMs: 0 }] : [];
  });
}

/** The watched files that changed within this long before now, whoever changed them but us. */
export function changedWithin(windowMs: number, root: string, look: Look): Found[] {
  const { now, files, options } = look;
  const found: Found[] = [];
  let active = 0;
  const increments = files.list(incrementsDir(root), MOST_DIRECTORIES).filter(isIncrement).toReversed();
  for (const increment of increments) {
    const status = statusOf(root, increment, files, look.known);
    if (!WATCHED.some((file) => counts(file, status, options))) continue;
    for (const file of WATCHED) {
      const path = incrementFile(root, increment, file);
      const mtimeMs = file === 'metadata.json' ? status.changedAt : files.stat(path)?.mtimeMs;
      if (mtimeMs === undefined || !counts(file, status, options)) continue;
      const ageMs = now - mtimeMs;
      if (ageMs < -AHEAD_MS || ageMs > windowMs || look.isOwnWrite(path, mtimeMs)) continue;
      found.push({ root, increment, file, status, ageMs });
    }
    active += 1;
    if (active === options.scan.maxIncrements) break;
  }
  return found;
}

/** Somebody else wrote it. */
export function isForeign({ root, increment, file }: Found, { files, isOwnWrite }: Look): boolean {
  const path = incrementFile(root, increment, file);
  return !isOwnWrite(path, files.stat(path)?.mtimeMs ?? 0);
}

/** Closing an increment counts too, or it would stay on the status line. */
function counts(file: WatchedFile, { now, before }: IncrementStatus, { activeStatuses }: IncrementOptions): boolean {
  return isActive(now, activeStatuses) || (file === 'metadata.json' && isActive(before, activeStatuses));
}
