/** What the call was to do with it: take it away, or put something else in its place. */
export type Fate = 'gone' | 'changed';

interface KeptAny {
  readonly path: string;
  readonly fate: Fate;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly owner?: readonly [uid: number, gid: number];
}

export interface KeptFile extends KeptAny {
  readonly kind: 'file';
  readonly sha: string;
  readonly size: number;
  /** Another path of the same copy that was the same file under a second name. */
  readonly twin?: string;
  /** Set where the file has other names: which file it is on its disk. */
  readonly inode?: string;
}

export interface KeptDir extends KeptAny {
  readonly kind: 'dir';
}

export interface KeptLink extends KeptAny {
  readonly kind: 'link';
  readonly target: string;
}

/** A socket, a pipe or a device: noted, not copied. */
export interface KeptSpecial extends KeptAny {
  readonly kind: 'special';
}

/** Nothing was there; what the call puts there goes again. */
export interface KeptAbsence extends KeptAny {
  readonly kind: 'absent';
}

export type KeptEntry = KeptAbsence | KeptFile | KeptDir | KeptLink | KeptSpecial;

export interface KeptRef {
  readonly name: string;
  readonly sha: string;
}

/** The state of a repository that a call was to change, beside its files. */
export interface KeptRepository {
  readonly top: string;
  readonly gitDir: string;
  /** What HEAD said, and the commit that it stood for; empty before the first one. */
  readonly head: string;
  readonly tip: string;
  readonly refs: readonly KeptRef[];
  /** Reflogs by their path; the content is an object of the copy. */
  readonly logs: readonly { readonly path: string; readonly sha: string }[];
  /** The index, as an object of the copy, and when it was written: git looks again at files that are not older. */
  readonly index?: string;
  readonly indexMtimeMs?: number;
  /** Packs with what only those refs, logs and that index hold. */
  readonly packs: readonly string[];
}

export interface Manifest {
  readonly version: 1;
  readonly at: number;
  readonly session: string;
  readonly root: string;
  readonly agent: string;
  readonly command: string;
  readonly names: readonly string[];
  readonly files: number;
  readonly bytes: number;
  /** The copy that was put back, when this one has what that replaced. */
  readonly undoes?: number;
  readonly entries: readonly KeptEntry[];
  /** Directories of entries that were reached through links, and where those led. */
  readonly links?: readonly (readonly [dir: string, real: string])[];
  readonly repositories: readonly KeptRepository[];
}

export interface Copy extends Manifest {
  readonly number: number;
}

/** Undefined for what this version does not read. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    const found = JSON.parse(text) as Partial<Manifest>;
    return found.version === 1 && Array.isArray(found.entries) ? (found as Manifest) : undefined;
  } catch {
    return undefined;
  }
}
