import type { Files } from '../platform/files.ts';
import { getText } from '../platform/get.ts';
import { join } from '../platform/paths.ts';
import { sourceProblem } from './source.ts';

/** What the last look at the source came to. */
export interface SourceCheck {
  readonly at: number;
  /** As the server gave it with what was accepted last. */
  readonly etag?: string;
  /** Why nothing was taken over, as a sentence about the source. */
  readonly problem?: string;
}

export type Fetched = { readonly text: string; readonly etag?: string } | 'unchanged';

const MAX_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

export const checkPath = (dir: string): string => join(dir, 'source.json');

export function readCheck(dir: string, files: Files): SourceCheck | undefined {
  try {
    const found = JSON.parse(files.readText(checkPath(dir), 64 * 1024) ?? 'null') as SourceCheck | null;
    return typeof found?.at === 'number' ? found : undefined;
  } catch {
    return undefined;
  }
}

export function writeCheck(dir: string, check: SourceCheck, files: Files): void {
  files.makeDir(dir, 0o700);
  files.writeAtomic(checkPath(dir), JSON.stringify(check), 0o600);
}

/** Throws why it cannot be had, as a sentence goes on after the source. */
export async function fetchPolicy(source: string, etag: string | undefined, files: Files): Promise<Fetched> {
  const problem = sourceProblem(source);
  if (problem !== undefined) throw new Error(problem);
  if (!source.startsWith('/')) return getText(new URL(source), { etag, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });
  const text = files.readText(source, MAX_BYTES + 1);
  if (text === undefined) throw new Error('cannot be read');
  if (text.length > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES / 1024} KiB`);
  return { text };
}
