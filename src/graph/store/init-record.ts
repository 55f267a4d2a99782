import type { PlaceReason } from '../../engine/engine.ts';
import type { Files } from '../../platform/files.ts';
import type { GraphPaths } from './graph-paths.ts';

const STATES = ['pending', 'indexing', 'initialised', 'stable', 'failed'] as const;
const REASONS = ['session-start', 'file', 'path', 'cwd', 'single-child', 'explicit'] as const;

/**
 * `pending`: nothing to index yet; `indexing`: the first time; `initialised`: there is an index that is behind; `stable`: it
 * is up to date; `failed`: the last attempt broke.
 */
export type InitState = (typeof STATES)[number];

export type InitReason = Exclude<PlaceReason, 'active' | 'none'> | 'explicit';

/** How and when a root came to be indexed, or why it is not: `<ws>/init.json`. Times are milliseconds since the epoch. */
export interface InitRecord {
  readonly version: 1;
  readonly root: string;
  readonly state: InitState;
  readonly reason: InitReason;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Files that are indexed. */
  readonly files?: number;
  /** Attempts that broke since one succeeded, and why the last one did. */
  readonly failures: number;
  readonly error?: string;
  /** Of the settings that it was indexed under. */
  readonly settings?: string;
}

const MAX_BYTES = 16_384;

/** What is damaged, or of another root, counts as none. */
export function readInitRecord(
  files: Pick<Files, 'readText'>,
  location: GraphPaths,
  root: string,
): InitRecord | undefined {
  const text = files.readText(location.init, MAX_BYTES);
  if (text === undefined) return undefined;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null) return undefined;
  const {
    version,
    state,
    reason,
    startedAt,
    endedAt,
    files: indexed,
    failures,
    error,
    settings,
  } = read as Partial<InitRecord>;
  if (version !== 1 || (read as Partial<InitRecord>).root !== root || typeof startedAt !== 'number') return undefined;
  if (!isOneOf(STATES, state) || !isOneOf(REASONS, reason)) return undefined;
  return {
    version,
    root,
    state,
    reason,
    startedAt,
    ...(typeof endedAt === 'number' && { endedAt }),
    ...(typeof indexed === 'number' && { files: indexed }),
    failures: typeof failures === 'number' ? failures : 0,
    ...(typeof error === 'string' && { error }),
    ...(typeof settings === 'string' && { settings }),
  };
}

export function writeInitRecord(
  files: Pick<Files, 'makeDir' | 'writeDerived'>,
  location: GraphPaths,
  record: InitRecord,
): void {
  files.makeDir(location.workspace, 0o700);
  files.writeDerived(location.init, new TextEncoder().encode(`${JSON.stringify(record)}\n`), 0o600);
}

function isOneOf<Known extends string>(known: readonly Known[], value: unknown): value is Known {
  return (known as readonly unknown[]).includes(value);
}
