import { join } from 'node:path';
import { record } from '../../engine/rule.ts';
import type { AgentMemory } from '../../engine/rule.ts';
import { contextPath, MEMORY_DIR } from './files.ts';
import type { ContextReader } from './files.ts';

/** The SHA-256 of the memory that was mirrored last. */
export const MEMORY_HASH = record<string>('context.memory_hash', { scope: 'workspace' });

export const MIRROR_FILE = 'mirror.md';
export const ARCHIVE_DIR = 'archive';
/** How many earlier mirrors are kept. */
export const MAX_ARCHIVED = 5;
const MAX_BYTES = 4 << 20;

export function mirrorPath(root: string): string {
  return join(contextPath(root, MEMORY_DIR), MIRROR_FILE);
}

export type Drift =
  | { readonly state: 'same' }
  /** There is no mirror yet. */
  | { readonly state: 'first' }
  | { readonly state: 'changed'; readonly added: number; readonly removed: number };

/** Whether the agent's memory is another than the one that was mirrored. `hash` is that one's, where it was kept. */
export function memoryDrift(
  files: Pick<ContextReader, 'stat' | 'readText'>,
  root: string,
  memory: AgentMemory,
  hash: string | undefined,
): Drift {
  const path = mirrorPath(root);
  const mirror = files.stat(path);
  if (mirror?.kind !== 'file') return { state: 'first' };
  if (hash === undefined ? memory.mtimeMs <= mirror.mtimeMs : memory.sha256 === hash) return { state: 'same' };
  const { added, removed } = changedLines(files.readText(path, MAX_BYTES) ?? '', memory.text);
  if (hash === undefined && added.length + removed.length === 0) return { state: 'same' };
  return { state: 'changed', added: added.length, removed: removed.length };
}

/** Lines that only one of two texts has; a line that merely moved is neither. */
export function changedLines(
  before: string,
  after: string,
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  return { added: without(after, before), removed: without(before, after) };
}

function without(text: string, other: string): string[] {
  const left = new Map<string, number>();
  for (const line of linesOf(other)) left.set(line, (left.get(line) ?? 0) + 1);
  return linesOf(text).filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}
