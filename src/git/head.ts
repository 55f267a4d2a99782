import { join } from 'node:path';
import { readSmall, sharedDir } from './repository.ts';
import type { GitFiles, Repository } from './repository.ts';

/** Before the first commit. */
export const UNBORN = '';

/** Refs may lead to refs; more than this many is a loop. */
const MAX_STEPS = 5;
const MAX_PACKED_BYTES = 8 << 20;
const SHA = /^[0-9a-f]{40,64}$/;

type HeadFiles = Pick<GitFiles, 'readText' | 'stat'>;
interface StampFiles extends Pick<GitFiles, 'readText'> {
  stat(path: string): { readonly size: number; readonly mtimeMs: number; readonly ino: number } | undefined;
}

/** The commit that HEAD stands for; undefined when its files do not tell. */
export function readHead(files: HeadFiles, repository: Repository): string | undefined {
  const end = followHead(files, repository);
  return typeof end === 'object' ? readPacked(files, end) : end;
}

/** A text that changes with every commit and differs for any two commits; read from a few small files. */
export function headStamp(files: StampFiles, repository: Repository): string {
  const end = followHead(files, repository);
  if (typeof end !== 'object') return end ?? '';
  // Any change of a file that holds many refs counts.
  const all = [join(end.shared, 'packed-refs'), join(end.shared, 'reftable', 'tables.list')].map((path) =>
    files.stat(path),
  );
  return [end.name, ...all.map((found) => `${found?.mtimeMs}:${found?.size}:${found?.ino}`)].join(' ');
}

/** A ref that has no file of its own. */
interface LostRef {
  readonly name: string;
  /** Where the files of all refs are. */
  readonly shared: string;
}

/** The commit at the end of the refs that HEAD leads through; undefined when they lead nowhere. */
function followHead(files: Pick<GitFiles, 'readText'>, { gitDir }: Repository): string | LostRef | undefined {
  const shared = sharedDir(files, gitDir) ?? gitDir;
  let name = 'HEAD';
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const own = readSmall(files, join(gitDir, name));
    const text = own ?? (shared === gitDir ? undefined : readSmall(files, join(shared, name)));
    if (text === undefined) return step === 0 ? undefined : { name, shared };
    if (SHA.test(text)) return text;
    const next = /^ref: (refs\/.+)$/.exec(text)?.[1];
    if (next === undefined) return undefined;
    name = next;
  }
  return undefined;
}

function readPacked(files: HeadFiles, { name, shared }: LostRef): string | undefined {
  // Refs may also be kept in tables, of which this reads nothing.
  if (files.stat(join(shared, 'reftable'))) return undefined;
  const path = join(shared, 'packed-refs');
  const size = files.stat(path)?.size;
  if (size === undefined) return UNBORN;
  if (size > MAX_PACKED_BYTES) return undefined;
  const lines = files.readText(path)?.split('\n');
  const line = lines?.find((each) => each.endsWith(` ${name}`));
  return line === undefined ? lines && UNBORN : line.slice(0, line.indexOf(' '));
}
