import type { GraphRoot } from '../../graph/index.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { dirname, resolve } from '../../platform/paths.ts';
import { findWorkspaceRoot } from '../../roots/find-root.ts';
import { CommandError } from '../command.ts';
import type { CliWorld, Input, Option } from '../command.ts';
import { forcesRoots } from './graph-settings.ts';

export const ROOT_OPTION = {
  root: {
    type: 'string',
    value: 'DIR',
    help: 'the root whose graph is meant; by default the project around this directory',
  },
} as const satisfies Record<string, Option>;

/** The root that a verb is about. A directory that was named is taken as it is, whatever lies around it. */
export async function graphRoot(input: Input, world: CliWorld): Promise<GraphRoot> {
  const { cwd, env, userHome: home } = world;
  const named = input.text('root');
  const start = canonicalPath(nodeFiles, resolve(cwd, named ?? '.'));
  if (nodeFiles.stat(start)?.kind !== 'dir') throw new CommandError(`there is no directory ${start}`);
  if (named !== undefined) return { path: start, reason: 'explicit' };
  const options = { files: nodeFiles, home, env, preferEnv: true };
  const { path, reason, markerBacked } = findWorkspaceRoot(start, options);
  if (markerBacked) return { path, reason };
  if (await forcesRoots(world)) {
    const forced = findWorkspaceRoot(start, { ...options, force: true });
    return { path: forced.path, reason: forced.reason };
  }
  if (path === canonicalPath(nodeFiles, home) || dirname(path) === path)
    throw new CommandError(`${path} is no project; change to one, or name it with --root`);
  return { path, reason };
}

/** Whether the root itself is a project, also where it was named; a part of one is none. */
export function isMarked({ path, reason }: GraphRoot, { userHome: home }: CliWorld): boolean {
  if (reason !== 'explicit') return reason !== 'none';
  const found = findWorkspaceRoot(path, { files: nodeFiles, home, preferEnv: false, force: true });
  return found.markerBacked && found.path === path;
}
