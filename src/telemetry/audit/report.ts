export type FindingKind = 'removed' | 'cut' | 'changed' | 'reordered' | 'fork' | 'key' | 'absent' | 'unreadable';

/** Something that is not as the machine sent it. */
export interface Finding {
  readonly kind: FindingKind;
  readonly machine?: string;
  readonly from?: number;
  readonly to?: number;
  readonly what: string;
  /** What follows from it, for who has to act. */
  readonly means: string;
}

export interface MachineReport {
  readonly machine: string;
  /** The key of the newest record. */
  readonly key?: string;
  /** `pinned`: the auditor brought the key. `first sight`: nobody did. */
  readonly trust: 'pinned' | 'first sight' | 'none';
  readonly first?: number;
  readonly last?: number;
  /** The head after the last. */
  readonly head?: string;
  readonly lastAt?: number;
  readonly records: number;
  /** Decisions that the machine says it has lost so far. */
  readonly lost: number;
  readonly findings: readonly Finding[];
  /** What is no damage and worth knowing. */
  readonly notes: readonly string[];
}
