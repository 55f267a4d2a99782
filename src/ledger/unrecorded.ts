import type { LedgerRow } from '../event/ledger-row.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** Events that were answered and that the ledger does not have, because they could not be written. */
export interface Unrecorded {
  readonly events: number;
  /** Those of them on which a rule had something to say. */
  readonly decided: number;
}

export function isDecided({ action, rules }: LedgerRow): boolean {
  return action !== 'pass' || rules !== '';
}

export interface UnrecordedCount {
  /** Less than nothing where what was counted has been written after all. */
  add(change: Unrecorded): void;
}

/** Two numbers of four bytes each. */
const SLOT_BYTES = 8;
/** Several processes may count at once; each has a slot of its own, found by chance. One block of most disks in all. */
const SLOTS = 512;
const BYTES = SLOT_BYTES * SLOTS;

/**
 * Counts where a full disk cannot hide it: in a file that has its size from the start and is written in place. `dirs` are
 * tried in turn, and made by whoever names them.
 */
export function createUnrecordedCount(
  files: Files,
  dirs: () => Iterable<string>,
  random: () => number,
): UnrecordedCount {
  const at = Math.floor(random() * SLOTS) * SLOT_BYTES;

  function addIn(path: string, { events, decided }: Unrecorded): void {
    ensureRoom(files, path);
    const slot = view(files.readRange(path, at, SLOT_BYTES));
    slot.setInt32(0, slot.getInt32(0) + events);
    slot.setInt32(4, slot.getInt32(4) + decided);
    files.patch(path, at, new Uint8Array(slot.buffer));
  }

  return {
    add(change) {
      somewhere(dirs(), (path) => addIn(path, change));
    },
  };
}

/** Takes the room that counting needs; false when there is none anywhere. */
export function prepareUnrecorded(files: Files, dirs: Iterable<string>): boolean {
  return somewhere(dirs, (path) => ensureRoom(files, path));
}

export function readUnrecorded(
  files: Files,
  dirs: readonly string[],
): Unrecorded & { readonly lastAt: number; readonly paths: readonly string[] } {
  let [events, decided, lastAt] = [0, 0, 0];
  const paths = [...new Set(dirs)].map(pathIn).filter((path) => files.exists(path));
  for (const path of paths) {
    const bytes = files.readBytes(path, BYTES) ?? new Uint8Array();
    for (let at = 0; at + SLOT_BYTES <= bytes.length; at += SLOT_BYTES) {
      const slot = view(bytes.subarray(at, at + SLOT_BYTES));
      events += slot.getInt32(0);
      decided += slot.getInt32(4);
    }
    lastAt = Math.max(lastAt, files.stat(path)?.mtimeMs ?? 0);
  }
  return { events, decided, lastAt, paths };
}

function pathIn(dir: string): string {
  return join(dir, 'unrecorded');
}

function somewhere(dirs: Iterable<string>, work: (path: string) => void): boolean {
  for (const dir of dirs) {
    try {
      work(pathIn(dir));
      return true;
    } catch {
      // Full as well, or not to be written; the next one may do.
    }
  }
  return false;
}

/** Only ever adds: another process may have begun to count. */
function ensureRoom(files: Files, path: string): void {
  const size = files.stat(path)?.size;
  if (size === BYTES) return;
  if (size === undefined) files.create(path, '');
  files.patch(path, size ?? 0, new Uint8Array(Math.max(0, BYTES - (size ?? 0))));
}

/** A copy, so that what is missing of a slot counts as nothing. */
function view(bytes: Uint8Array = new Uint8Array()): DataView<ArrayBuffer> {
  const copy = new Uint8Array(SLOT_BYTES);
  copy.set(bytes);
  return new DataView(copy.buffer);
}
