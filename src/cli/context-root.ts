import { CONTEXT_DIR } from '../packs/context/files.ts';
import { canonicalPath, nodeFiles } from '../platform/files.ts';
import { contains, dirname, join } from '../platform/paths.ts';
import { CommandError } from './command.ts';
import type { CliWorld } from './command.ts';

/** The nearest directory, from `dir` upwards, that holds `.context`; not above the repository, and never the home itself. */
export function findContextRoot(dir: string, userHome: string): string | undefined {
  for (let at = nodeFiles.realpath(dir) ?? dir; ; at = dirname(at)) {
    if (at !== userHome && nodeFiles.stat(join(at, CONTEXT_DIR))?.kind === 'dir') return at;
    if (dirname(at) === at || nodeFiles.exists(join(at, '.git'))) return undefined;
  }
}

export function contextRoot(world: CliWorld): string {
  const root = findContextRoot(world.cwd, world.userHome);
  if (root === undefined)
    throw new CommandError(`no ${CONTEXT_DIR} directory at ${world.cwd} or above; \`fairlead context init\` makes one`);
  return root;
}

/** A link in a repository may lead anywhere; what is written for a project stays in it. */
export function requireInside(root: string, path: string): void {
  const real = canonicalPath(nodeFiles, path);
  if (!contains(canonicalPath(nodeFiles, root), real))
    throw new CommandError(`${path} leads to ${real}, outside of the project; nothing was written`);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** With its byte order mark, so that it can be held against what the file has later. */
export function readWhole(path: string): string | undefined {
  const bytes = nodeFiles.readBytes(path);
  return bytes && decoder.decode(bytes);
}
