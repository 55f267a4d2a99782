import { incrementFile } from './layout.ts';
import { readMetadata, standingOf } from './metadata.ts';
import { readSpec } from './spec.ts';
import type { RuleContext } from '../../engine/rule.ts';

/** What metadata.json said when it was last read, so that an edit costs one look at the file and no reading. */
export interface KnownStatus {
  readonly mtimeMs: number;
  readonly size: number;
  /** Null: it names none. */
  readonly status: string | null;
}

interface KnownStatuses {
  get(key?: string): KnownStatus | undefined;
  set(value: KnownStatus, key?: string): void;
}

export interface IncrementStatus {
  readonly now: string | undefined;
  /** As metadata.json had it before this look; absent when that is not known. */
  readonly before?: string;
  /** When metadata.json changed last; absent without one. */
  readonly changedAt?: number;
}

/** Front matter is looked for in this much of spec.md. */
const HEAD_BYTES = 16_384;
const MOST_BYTES = 262_144;

export function statusOf(
  root: string,
  increment: string,
  files: RuleContext['files'],
  known: KnownStatuses,
): IncrementStatus {
  const path = incrementFile(root, increment, 'metadata.json');
  const found = files.stat(path);
  const kept = known.get(path);
  if (found?.kind !== 'file') return unkept(frontMatterStatus(root, increment, files), kept);
  const { mtimeMs, size } = found;
  if (kept && kept.mtimeMs === mtimeMs && kept.size === size && kept.status !== null)
    return { now: kept.status, before: kept.status, changedAt: mtimeMs };
  const status = readMetadata(files.readText(path, MOST_BYTES) ?? '')?.status;
  if (!kept || kept.mtimeMs !== mtimeMs || kept.size !== size)
    known.set({ mtimeMs, size, status: status ?? null }, path);
  return { ...unkept(status ?? frontMatterStatus(root, increment, files), kept), changedAt: mtimeMs };
}

function unkept(now: string | undefined, kept: KnownStatus | undefined): IncrementStatus {
  return typeof kept?.status === 'string' ? { now, before: kept.status } : { now };
}

function frontMatterStatus(root: string, increment: string, files: RuleContext['files']): string | undefined {
  const head = files.readText(incrementFile(root, increment, 'spec.md'), HEAD_BYTES);
  return head === undefined ? undefined : standingOf(undefined, readSpec(head).frontMatter).status;
}
