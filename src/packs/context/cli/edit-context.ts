import { canonicalPath, nodeFiles } from '../../../platform/files.ts';
import { sha256 } from '../../../platform/hash.ts';
import { contains } from '../../../platform/paths.ts';
import { contextPath } from '../files.ts';
import { alone as runAlone } from '../../../cli/alone.ts';
import { CommandError } from '../../../cli/command.ts';
import type { CliWorld } from '../../../cli/command.ts';
import type { ContextPlace } from './context-place.ts';

const WAIT_MS = 10_000;
const MAX_ATTEMPTS = 5;

/** Runs alone among the commands that change this context. */
export function alone<T>(world: CliWorld, { root }: ContextPlace, work: () => T): Promise<T> {
  const tooLong = `another process has been changing ${contextPath(root)} for too long`;
  return runAlone(world, `context-${sha256(root).slice(0, 16)}`, { waitMs: WAIT_MS, tooLong }, work);
}

/**
 * Replaces a file of the context by what `change` makes of it. Programs that do not know our lock may write too: then the
 * change is made again on what they wrote. Called by one who is alone.
 */
export function editContextFile(
  place: ContextPlace,
  name: string,
  change: (before: string | undefined) => string | undefined,
): void {
  const path = contextPath(place.root, name);
  requireInside(place, path);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const before = readExactly(path);
    const after = change(before);
    if (after === undefined || after === before) return;
    if (nodeFiles.isProtected(path)) throw new CommandError(`${path} may not be written to`);
    if (nodeFiles.replace(path, after, before)) return;
  }
  throw new CommandError(`${path} kept changing; try again`);
}

/** Undefined when there is no file. With its byte order mark, and only if it can be written back as it was. */
export function readExactly(path: string): string | undefined {
  const found = nodeFiles.stat(path);
  if (found === undefined) return undefined;
  const bytes = nodeFiles.readBytes(path);
  if (bytes === undefined) throw new CommandError(`${path} cannot be read`);
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${path} is not UTF-8 text; mend it first`);
  }
}

/** A repository may bring a link under any name, `.context` too; what it points to elsewhere is not ours to change. */
export function requireInside({ workspace }: ContextPlace, path: string): void {
  const target = canonicalPath(nodeFiles, path);
  if (!contains(canonicalPath(nodeFiles, workspace), target))
    throw new CommandError(`${path} is a link to ${target}, outside the project; it is left as it is`);
}
