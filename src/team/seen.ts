import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import type { Bundle } from './bundle.ts';

/** What a machine has seen, whatever became of the policies themselves: it can keep something out, and lets nothing in. */
export interface Seen {
  /** The id that it chose once. */
  readonly machine?: string;
  /** By name of a policy: the newest, and what that said. */
  readonly newest: Readonly<Record<string, { readonly version: number; readonly digest: string }>>;
  readonly retired: readonly string[];
}

const NOTHING: Seen = { newest: {}, retired: [] };
export const seenPath = (dir: string): string => join(dir, 'seen.json');

export function readSeen(dir: string, files: Files): Seen {
  try {
    const { machine, newest, retired } = JSON.parse(files.readText(seenPath(dir)) ?? '{}') as Partial<Seen>;
    return {
      ...NOTHING,
      ...(machine !== undefined && { machine }),
      ...(newest && { newest }),
      ...(retired && { retired }),
    };
  } catch {
    return NOTHING;
  }
}

export function writeSeen(dir: string, seen: Seen, files: Files): void {
  files.writeAtomic(seenPath(dir), JSON.stringify(seen), 0o600);
}

/** Throws where it would be a way back. */
export function refuseOlder({ name, version }: Bundle, digest: string, { newest }: Seen): void {
  const known = Object.hasOwn(newest, name) ? newest[name] : undefined;
  if (!known || version > known.version) return;
  if (version < known.version) throw new Error(`has version ${version}, and this machine has seen ${known.version}`);
  if (digest !== known.digest) throw new Error(`has version ${version} again and says something else`);
}

export function sawToo(
  { newest, retired }: Seen,
  { name, version, keys }: Bundle,
  digest: string,
  machine: string,
): Seen {
  return {
    machine,
    newest: { ...newest, [name]: { version, digest } },
    retired: [...new Set([...retired, ...(keys?.retire ?? [])])].filter((key) => keys?.add?.includes(key) !== true),
  };
}
