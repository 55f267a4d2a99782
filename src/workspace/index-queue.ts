import type { PlaceReason } from '../engine/engine.ts';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** A workspace that a process for one event was in. It indexes nothing itself, so it leaves word for the process that stays. */
export interface LeftRoot {
  readonly root: string;
  readonly reason: PlaceReason;
}

/** Where nobody takes them, they are not left without end. */
const MAX_BYTES = 64 * 1024;

/** Without the directory `run` nobody stays, and nothing is left. */
export function leaveRoot(
  files: Pick<Files, 'stat' | 'append' | 'exists'>,
  run: string,
  { root, reason }: LeftRoot,
): void {
  if (!files.exists(run)) return;
  const path = fileIn(run);
  if ((files.stat(path)?.size ?? 0) < MAX_BYTES) files.append(path, `${JSON.stringify({ root, reason })}\n`);
}

/** What was left since they were last taken, each root once, as it was left first. */
export function takeRoots(files: Pick<Files, 'exists' | 'readText' | 'remove'>, run: string): readonly LeftRoot[] {
  const path = fileIn(run);
  if (!files.exists(path)) return [];
  const text = files.readText(path) ?? '';
  files.remove(path);
  const left = new Map<string, LeftRoot>();
  for (const line of text.split('\n')) {
    const found = readLine(line);
    if (found && !left.has(found.root)) left.set(found.root, found);
  }
  return [...left.values()];
}

function readLine(line: string): LeftRoot | undefined {
  try {
    const { root, reason } = JSON.parse(line) as Partial<LeftRoot>;
    return typeof root === 'string' && typeof reason === 'string' ? { root, reason } : undefined;
  } catch {
    // The last line, of a process that was killed at it.
    return undefined;
  }
}

function fileIn(run: string): string {
  return join(run, 'roots');
}
