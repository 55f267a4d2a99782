import { join, posix } from 'node:path';

/** The directory that makes a project one with increments. */
export const SPECWEAVE = '.specweave';

export const WATCHED = ['tasks.md', 'spec.md', 'metadata.json'] as const;
export type WatchedFile = (typeof WATCHED)[number];

export const JOB_KINDS = ['ac-sync', 'status-line', 'living-docs'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Due when an increment was closed behind the back of the guard. */
export const COMPLETION_JOB = 'completion';

/** Which jobs an edit of a watched file makes due. */
export const JOBS_OF: Readonly<Record<WatchedFile, readonly JobKind[]>> = {
  'tasks.md': JOB_KINDS,
  'spec.md': JOB_KINDS,
  'metadata.json': ['status-line', 'living-docs'],
};

/** Where a path lies in the tree of a project with increments. */
export interface IncrementPath {
  /** The directory that holds `.specweave`. */
  readonly root: string;
  /** Absent for what belongs to no increment, archived ones included. */
  readonly increment?: string;
  /** Absent for every other file of an increment. */
  readonly file?: WatchedFile;
}

const INCREMENT = /^(\d{4,}E?)-./;
const INSIDE = `/${SPECWEAVE}/`;

/** Undefined for paths outside every `.specweave`; told by the path alone. */
export function parsePath(path: string): IncrementPath | undefined {
  const normal = path.includes('/.') || path.includes('//') ? posix.normalize(path) : path;
  const at = normal.lastIndexOf(INSIDE);
  if (at < 0) return undefined;
  const root = normal.slice(0, at) || '/';
  const [dir, increment = '', file = '', ...deeper] = normal.slice(at + INSIDE.length).split('/');
  if (dir !== 'increments' || !isIncrement(increment)) return { root };
  const watched = deeper.length === 0 ? WATCHED.find((name) => name === file) : undefined;
  return watched === undefined ? { root, increment } : { root, increment, file: watched };
}

/** `0001-demo`, `0023E-fix`; names that start with `_` hold what is archived. */
export function isIncrement(name: string): boolean {
  return INCREMENT.test(name) && !name.includes('/') && !name.includes('\\');
}

export function incrementsDir(root: string): string {
  return join(root, SPECWEAVE, 'increments');
}

export function incrementFile(root: string, id: string, file: WatchedFile): string {
  return join(incrementsDir(root), id, file);
}

export function statusFilePath(root: string): string {
  return join(root, SPECWEAVE, 'state', 'status-line.json');
}

/** The id without its number. */
export function nameOf(id: string): string {
  const number = INCREMENT.exec(id)?.[1];
  return number === undefined ? id : id.slice(number.length + 1);
}

/** The digits of an id, as a number. */
export function numberOf(id: string): number {
  return Number.parseInt(id, 10) || 0;
}
