import { incrementFile, incrementsDir, isIncrement } from './layout.ts';
import type { WatchedFile } from './layout.ts';
import { frontMatterOf } from './markdown.ts';
import { isActive, readMetadata, standingOf } from './metadata.ts';
import type { Metadata, Standing } from './metadata.ts';

/** As much of the file system as looking at increments takes. */
export interface ReadableFiles {
  readText(path: string, maxBytes?: number): string | undefined;
  stat(
    path: string,
  ): { readonly kind: 'file' | 'dir' | 'other'; readonly size: number; readonly mtimeMs: number } | undefined;
  list(dir: string, max: number): readonly string[];
}

/** An increment and where it stands. */
export interface Increment {
  readonly id: string;
  readonly standing: Standing;
  readonly active: boolean;
  readonly metadata?: Metadata;
  /** As metadata.json or the front matter writes it. */
  readonly created?: string;
}

/** Nobody writes a task list of this size; such a file is not read at all. */
const MAX_BYTES = 1_048_576;
const MAX_INCREMENTS = 5_000;
const FRONT_MATTER_BYTES = 16_384;

/** Ids in the order of their numbers; archived ones are left out. */
export function incrementIds(files: ReadableFiles, root: string): readonly string[] {
  return files.list(incrementsDir(root), MAX_INCREMENTS).filter(isIncrement);
}

export function readIncrement(
  files: ReadableFiles,
  root: string,
  id: string,
  activeStatuses: readonly string[],
): Increment {
  const text = readWhole(files, incrementFile(root, id, 'metadata.json'));
  const metadata = text === undefined ? undefined : readMetadata(text);
  const head = files.readText(incrementFile(root, id, 'spec.md'), FRONT_MATTER_BYTES) ?? '';
  const frontMatter = frontMatterOf(head)?.fields;
  const standing = standingOf(metadata, frontMatter);
  const created = metadata?.created ?? (frontMatter?.get('created') || undefined);
  return {
    id,
    standing,
    active: isActive(standing.status, activeStatuses),
    ...(metadata ? { metadata } : {}),
    ...(created === undefined ? {} : { created }),
  };
}

export function readWatched(files: ReadableFiles, root: string, id: string, file: WatchedFile): string | undefined {
  return readWhole(files, incrementFile(root, id, file));
}

/** The whole text or nothing: what is made of a part of a file must not replace all of it. */
export function readWhole(files: ReadableFiles, path: string): string | undefined {
  const found = readOrTell(files, path);
  return typeof found === 'string' ? found : undefined;
}

/** A file that is there and whose text is not known. */
export interface Unread {
  /** Goes on after the name of the file. */
  readonly problem: string;
}

/** Undefined: there is no such file. */
export function readOrTell(files: ReadableFiles, path: string): string | Unread | undefined {
  const found = files.stat(path);
  if (found === undefined) return undefined;
  if (found.kind !== 'file') return { problem: 'is not a file' };
  if (found.size > MAX_BYTES) return { problem: 'is larger than 1 MiB and is not read' };
  return files.readText(path) ?? { problem: 'cannot be read' };
}

/** The texts that tell how far an increment is. */
export interface IncrementTexts {
  readonly tasks?: string | Unread | undefined;
  readonly spec?: string | Unread | undefined;
}

export function readTexts(files: ReadableFiles, root: string, id: string): IncrementTexts {
  return {
    tasks: readOrTell(files, incrementFile(root, id, 'tasks.md')),
    spec: readOrTell(files, incrementFile(root, id, 'spec.md')),
  };
}

/** Oldest first; those without a date come last, by their numbers. */
export function byAge(some: Increment, other: Increment): number {
  const [a, b] = [some, other].map(({ created }) => Date.parse(created ?? '')) as [number, number];
  if (a !== b && !(Number.isNaN(a) && Number.isNaN(b))) {
    if (Number.isNaN(a)) return 1;
    return Number.isNaN(b) ? -1 : a - b;
  }
  return some.id < other.id ? -1 : 1;
}
