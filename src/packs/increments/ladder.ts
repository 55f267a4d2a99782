import { incrementFile, incrementsDir, isIncrement, parsePath, statusFilePath, WATCHED } from './layout.ts';
import type { WatchedFile } from './layout.ts';
import { isActive } from './metadata.ts';
import { statusOf } from './standing.ts';
import type { IncrementStatus, KnownStatus } from './standing.ts';
import type { IncrementOptions } from './options.ts';
import { readStatus } from './status-line.ts';
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
  /** The call is over: an increment that was never looked at may have been active before it. */
  readonly isOver: boolean;
  /** The one name of a root, which may be reached through links. */
  rootOf(root: string): string;
  isOwnWrite(path: string, mtimeMs: number): boolean;
}

/** Clocks of files and of the engine may differ by a little. */
const AHEAD_MS = 100;
const MOST_DIRECTORIES = 5_000;

/** The watched files of active increments among these paths. */
export function watchedIn(paths: readonly string[], look: Look): Found[] {
  return paths.flatMap((path): Found[] => {
    const parsed = parsePath(path);
    if (parsed?.increment === undefined || parsed.file === undefined) return [];
    const { increment, file } = parsed;
    const root = look.rootOf(parsed.root);
    const status = statusOf(root, increment, look.files, look.known);
    return counts(file, status, look) ? [{ root, increment, file, status, ageMs: 0 }] : [];
  });
}

/** A root with increments, and those of them that a call names. */
export interface ScanPlace {
  readonly root: string;
  readonly named: readonly string[];
}

/**
 * The watched files that changed within this long before now, whoever changed them but us. Increments that the call names
 * are looked at however many there are.
 */
export function changedWithin(windowMs: number, { root, named }: ScanPlace, look: Look): Found[] {
  const { now, files, options } = look;
  const found: Found[] = [];
  const active: string[] = [];
  const all = files.list(incrementsDir(root), MOST_DIRECTORIES).filter(isIncrement).toReversed();
  const first = all.filter((id) => named.includes(id));
  const others = all.filter((id) => !named.includes(id));
  let looked = 0;
  for (const increment of [...first, ...others]) {
    const status = statusOf(root, increment, files, look.known);
    if (isActive(status.now, options.activeStatuses)) active.push(increment);
    for (const file of WATCHED) {
      if (!counts(file, status, look)) continue;
      const path = incrementFile(root, increment, file);
      const mtimeMs = file === 'metadata.json' ? status.changedAt : files.stat(path)?.mtimeMs;
      if (mtimeMs === undefined) continue;
      const ageMs = now - mtimeMs;
      if (ageMs < -AHEAD_MS || ageMs > windowMs || look.isOwnWrite(path, mtimeMs)) continue;
      found.push({ root, increment, file, status, ageMs });
    }
    if (active.at(-1) === increment && !named.includes(increment)) looked += 1;
    if (looked === options.scan.maxIncrements) break;
  }
  const isWhole = looked < options.scan.maxIncrements;
  const moved = found.length === 0 && isWhole ? movedSince(root, active, look) : undefined;
  return moved === undefined
    ? found
    : [{ root, increment: moved, file: 'metadata.json', status: { now: undefined }, ageMs: 0 }];
}

const MOST_STATUS_BYTES = 65_536;

/** An increment that was moved in or out keeps the times of its files; the status line, which counts others, tells. */
function movedSince(root: string, active: readonly string[], { files, options }: Look): string | undefined {
  const text = options.statusLine ? files.readText(statusFilePath(root), MOST_STATUS_BYTES) : undefined;
  const shown = text === undefined ? undefined : readStatus(text);
  if (!shown) return undefined;
  const gone = shown.activeIncrements.find(({ id }) => !active.includes(id))?.id;
  if (gone !== undefined) return isIncrement(gone) ? gone : active[0];
  return shown.openCount === active.length ? undefined : (active[0] ?? shown.activeIncrements[0]?.id);
}

/** Somebody else wrote it. */
export function isForeign({ root, increment, file }: Found, { files, isOwnWrite }: Look): boolean {
  const path = incrementFile(root, increment, file);
  return !isOwnWrite(path, files.stat(path)?.mtimeMs ?? 0);
}

/** Closing an increment counts too, or it would stay on the status line. */
function counts(file: WatchedFile, { now, before }: IncrementStatus, { options, isOver }: Look): boolean {
  if (isActive(now, options.activeStatuses)) return true;
  if (file !== 'metadata.json') return false;
  return before === undefined ? isOver : isActive(before, options.activeStatuses);
}
