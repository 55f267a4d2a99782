import { join } from 'node:path';

export const CONTEXT_DIR = '.context';
/** What a project needs for its rules to have something to be about. */
export const REQUIRED_FILES = ['CONSTITUTION.md', 'TASKS.md', 'DECISIONS.md'] as const;
/** In the order in which an agent is given them. */
export const LOAD_ORDER = [
  'CONSTITUTION.md',
  'TASKS.md',
  'CONVENTIONS.md',
  'ARCHITECTURE.md',
  'DECISIONS.md',
  'LEARNINGS.md',
  'GLOSSARY.md',
  'AGENT_PLAYBOOK.md',
] as const;
export type ContextFile = (typeof LOAD_ORDER)[number];

export const REMINDERS_FILE = 'reminders.json';
export const MAP_FILE = 'map-tracking.json';
export const JOURNAL_DIR = 'journal';
export const MEMORY_DIR = 'memory';
/** Logs and marks of this machine; ctx keeps its own there too. */
export const STATE_DIR = 'state';

const MAX_LISTED = 2_000;

/** What rules and commands read with. */
export interface ContextReader {
  readText(path: string, maxBytes?: number): string | undefined;
  stat(path: string): { readonly kind: string; readonly size: number; readonly mtimeMs: number } | undefined;
  list(dir: string, max: number): readonly string[];
}

/** `root` is the directory that holds `.context`. */
export function contextPath(root: string, name = ''): string {
  return name === '' ? join(root, CONTEXT_DIR) : join(root, CONTEXT_DIR, name);
}

export function isInitialised(files: Pick<ContextReader, 'stat'>, root: string): boolean {
  return REQUIRED_FILES.every((name) => files.stat(contextPath(root, name))?.kind === 'file');
}

export interface FileTime {
  readonly name: string;
  readonly mtimeMs: number;
}

/** The Markdown files directly in `.context`, the last changed first. */
export function contextFileTimes(files: Pick<ContextReader, 'stat' | 'list'>, root: string): readonly FileTime[] {
  return files
    .list(contextPath(root), MAX_LISTED)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name): FileTime[] => {
      const found = files.stat(contextPath(root, name));
      return found?.kind === 'file' ? [{ name, mtimeMs: found.mtimeMs }] : [];
    })
    .sort((one, other) => other.mtimeMs - one.mtimeMs || (one.name < other.name ? -1 : 1));
}

/** The newest entries of the journal by name, which begins with their date; newest first. */
export function newestJournal(files: Pick<ContextReader, 'list'>, root: string, most: number): readonly string[] {
  return files
    .list(contextPath(root, JOURNAL_DIR), Number.MAX_SAFE_INTEGER)
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .toSorted()
    .toReversed()
    .slice(0, most);
}
