import type { FileStat, Files } from '../platform/files.ts';

/** Longer scripts are not read: nobody waits for that before a reply. */
const MOST_BYTES = 64 * 1024;
const MOST_KEPT = 64;

interface Kept extends Pick<FileStat, 'size' | 'mtimeMs' | 'ctimeMs' | 'ino'> {
  readonly text: string | undefined;
}

/** What scripts on disk hold. One that was read before is read again when it is another file, or has changed. */
export function createScriptTexts(files: Pick<Files, 'stat' | 'readText'>): (path: string) => string | undefined {
  const kept = new Map<string, Kept>();
  return (path) => {
    const found = files.stat(path);
    if (found?.kind !== 'file' || found.size > MOST_BYTES) return undefined;
    const before = kept.get(path);
    if (before && isSame(before, found)) return before.text;
    const { size, mtimeMs, ctimeMs, ino } = found;
    const read = files.readText(path, MOST_BYTES);
    // What was there before under another time is the same text, so that what was found out about it holds.
    const text = read?.includes('\0') === true ? undefined : read === before?.text ? before?.text : read;
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value as string);
    kept.set(path, { size, mtimeMs, ctimeMs, ino, text });
    return text;
  };
}

function isSame(one: Kept, other: FileStat): boolean {
  return (
    one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino && one.ctimeMs === other.ctimeMs
  );
}
