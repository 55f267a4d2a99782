import type { RelayEvent } from '../event/follow-up.ts';

/** Who wants to know of relay records in a workspace, and how they are told. */
export interface RelaySettings {
  /** What the webhook is sent. */
  readonly events: readonly RelayEvent[];
  readonly timeoutMs: number;
  /** As the person wrote it. */
  readonly keyPath?: string;
  /** After so many days the key is called old; 0 is never. */
  readonly keyRotationDays: number;
  /** Every record is also a line in a file of the project. */
  readonly eventLog: boolean;
}

/** Which files of a workspace are indexed. */
export interface IndexedFiles {
  /** Globs below the root: only these files. One that names a directory that is excluded by default brings it back. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Only code in these. */
  readonly languages?: readonly string[];
  readonly maxFiles?: number;
  /** Globs of files that are there for something else than their place says. */
  readonly roles?: Readonly<Partial<Record<SetRole, readonly string[]>>>;
}

export const SET_ROLES = ['production', 'test', 'sample', 'generated'] as const;
export type SetRole = (typeof SET_ROLES)[number];

/** How the code of a workspace is indexed and drawn. */
export interface GraphSettings {
  readonly walk: IndexedFiles;
  /** In bytes. */
  readonly maxFile?: number;
  /** `auto`: drawn after what an agent was told; `explicit`: when asked for; `off`: never. */
  readonly pictures: 'auto' | 'explicit' | 'off';
  /** Where copies of drawn pictures go, from the root. */
  readonly picturesOut?: string;
  /** Also the home directory and the top of the file system may be roots. */
  readonly force: boolean;
}
