import { createHash } from 'node:crypto';
import type { Kept, Scope } from '../../adapters/installer.ts';
import type { Edit } from '../../adapters/json-edit.ts';
import type { EventName } from '../../event/event.ts';
import type { Files } from '../../platform/files.ts';
import { installsPath } from '../../workspace/unwired.ts';

/** What an installation did to one file: enough to give its bytes back, and no text of anybody else. */
export interface InstallRecord {
  /** Whether the file was there before. */
  readonly existed: boolean;
  /** Directories that were made for it, innermost first. */
  readonly madeDirs: readonly string[];
  readonly kept: Kept;
  /** Who could read the file before it held a token; absent when that did not change. */
  readonly mode?: number;
  /** Of the text that was written; `undo` leads back from exactly that text. */
  readonly sha256: string;
  /** Absent when the file was never seen without entries of ours. */
  readonly undo?: readonly Edit[];
  /** Of entries for events: who reads the file, and the events that it could call on and does not. */
  readonly scope?: Scope;
  readonly unwired?: readonly EventName[];
}

type Records = Readonly<Record<string, InstallRecord>>;

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Without records the entries are still found and taken out, so a file that cannot be read counts as empty. */
export function readRecords(files: Files, state: string): Records {
  try {
    const found: unknown = JSON.parse(files.readText(installsPath(state)) ?? '{}');
    return isRecords(found) ? found : {};
  } catch {
    return {};
  }
}

export function writeRecord(files: Files, state: string, path: string, record: InstallRecord | undefined): void {
  const others = Object.entries(readRecords(files, state)).filter(([each]) => each !== path);
  const records = Object.fromEntries(record ? [...others, [path, record]] : others);
  files.makeDir(state, 0o700);
  files.writeAtomic(installsPath(state), `${JSON.stringify(records, null, 2)}\n`, 0o600);
}

function isRecords(value: unknown): value is Records {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every(
    (each: Partial<InstallRecord> | null) =>
      typeof each?.existed === 'boolean' &&
      Array.isArray(each.madeDirs) &&
      typeof each.kept === 'object' &&
      typeof each.sha256 === 'string' &&
      (each.mode === undefined || typeof each.mode === 'number') &&
      (each.undo === undefined || Array.isArray(each.undo)),
  );
}
