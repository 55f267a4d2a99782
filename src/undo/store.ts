import type { CopiedFile } from '../platform/entries.ts';
import type { UndoWorld } from './world.ts';
import { join } from '../platform/paths.ts';
import { parseManifest } from './manifest.ts';
import type { Copy, Manifest } from './manifest.ts';

/** A copy in the making: nobody sees it before `commit`. */
export interface Draft {
  /** Takes in a file; equal contents are stored once. */
  add(path: string, checkTime?: () => void): CopiedFile;
  /** A new path in the draft, for a file that others write and `add` takes in. */
  readonly scratch: string;
  /** The commit point. Returns the number that it got. */
  commit(manifest: Manifest): number;
  /** Removes what was written so far. */
  drop(): void;
}

export interface Store {
  readonly dir: string;
  begin(): Draft;
  /** Whole copies, newest first. */
  list(): readonly Copy[];
  read(number: number): Copy | undefined;
  /** Where the content of a copy lies. */
  contentOf(number: number, sha: string): string;
  remove(number: number): void;
  /** Removes everything. */
  clear(): void;
  /** Removes what no copy refers to: contents, and drafts that were left behind. */
  sweep(now: number): void;
}

const MANIFEST = 'manifest.json';
/** No draft takes this long: whoever made it is gone. */
const STALE_MS = 3_600_000;
type StoreWorld = Pick<UndoWorld, 'files' | 'entries'>;

/**
 * `copies/N` has a manifest and its contents by hash, which are second names of those in `objects`. So a copy that is
 * removed takes nothing from others, and no lock is needed: whoever finds a content gone writes it again.
 */
export function openStore(dir: string, world: StoreWorld): Store {
  const { files, entries } = world;
  const copies = join(dir, 'copies');
  const objects = join(dir, 'objects');
  const drafts = join(dir, 'drafts');
  const numbers = () =>
    files
      .list(copies)
      .map(Number)
      .filter((number) => Number.isSafeInteger(number) && number > 0)
      .sort((a, b) => b - a);
  const read = (number: number): Copy | undefined => {
    const text = files.readText(join(copies, String(number), MANIFEST));
    const manifest = text === undefined ? undefined : parseManifest(text);
    return manifest && { ...manifest, number };
  };
  const aside = () => join(drafts, Math.random().toString(36).slice(2));
  return {
    dir,
    read,
    list: () => numbers().flatMap((number) => read(number) ?? []),
    contentOf: (number, sha) => join(copies, String(number), sha),
    begin() {
      for (const each of [dir, copies, objects, drafts]) files.makeDir(each, 0o700);
      return openDraft(world, { copies, objects, place: aside(), numbers });
    },
    remove(number) {
      // First out of sight: what is half removed is no copy.
      const gone = aside();
      files.makeDir(drafts, 0o700);
      entries.move(join(copies, String(number)), gone);
      entries.removeTree(gone);
    },
    clear: () => entries.removeTree(dir),
    sweep(now) {
      for (const name of files.list(drafts)) {
        const path = join(drafts, name);
        if (now - (entries.look(path)?.ctimeMs ?? now) > STALE_MS) entries.removeTree(path);
      }
      for (const name of files.list(objects)) {
        const path = join(objects, name);
        // Its own name is the last one: no copy has it, or none that was finished.
        if (entries.look(path)?.nlink === 1) files.remove(path);
      }
    },
  };
}

interface DraftPlace {
  readonly copies: string;
  readonly objects: string;
  readonly place: string;
  numbers(): readonly number[];
}

const MOST_TRIES = 1_000;

function openDraft({ files, entries }: StoreWorld, { copies, objects, place, numbers }: DraftPlace): Draft {
  entries.makeDir(place, 0o700);
  let count = 0;
  return {
    get scratch() {
      return join(place, `new-${(count += 1)}`);
    },
    add(path, checkTime) {
      const fresh = join(place, `new-${(count += 1)}`);
      const copied = entries.copy(path, fresh, checkTime);
      const own = join(place, copied.sha);
      const shared = join(objects, copied.sha);
      if (entries.look(own)) {
        entries.removeFile(fresh);
        return copied;
      }
      // A content of that name may vanish between any two steps; then ours becomes it.
      if (!(entries.look(shared) && attempt(() => entries.addName(shared, own)))) {
        entries.move(fresh, own);
        attempt(() => entries.addName(own, shared));
      } else entries.removeFile(fresh);
      return copied;
    },
    commit(manifest) {
      files.writeAtomic(join(place, MANIFEST), JSON.stringify(manifest), 0o600);
      let number = (numbers()[0] ?? 0) + 1;
      for (let tries = 0; ; tries += 1, number += 1) {
        try {
          // Fails where a copy of that number has come to be.
          entries.move(place, join(copies, String(number)));
          return number;
        } catch (error) {
          if (tries > MOST_TRIES || !entries.look(join(copies, String(number)))) throw error;
        }
      }
    },
    drop: () => entries.removeTree(place),
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
