import type { GraphRoot } from '../../graph/read-status.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { dirname, resolve } from '../../platform/paths.ts';
import { findWorkspaceRoot } from '../../workspace/find-root.ts';
import { CommandError } from '../command.ts';
import type { CliWorld, Input, Option } from '../command.ts';

export const ROOT_OPTION = {
  root: {
    type: 'string',
    value: 'DIR',
    help: 'the root whose graph is meant; by default the project around this directory',
  },
} as const satisfies Record<string, Option>;

/** The root that a verb is about. A directory that was named is taken as it is, whatever lies around it. */
export function graphRoot(input: Input, { cwd, env, userHome: home }: CliWorld): GraphRoot {
  const named = input.text('root');
  const start = canonicalPath(nodeFiles, resolve(cwd, named ?? '.'));
  if (nodeFiles.stat(start)?.kind !== 'dir') throw new CommandError(`there is no directory ${start}`);
  if (named !== undefined) return { path: start, reason: 'explicit' };
  const { path, reason } = findWorkspaceRoot(start, { files: nodeFiles, home, env, preferEnv: true });
  if (path === canonicalPath(nodeFiles, home) || dirname(path) === path)
    throw new CommandError(`${path} is no project; change to one, or name it with --root`);
  return { path, reason };
}

/** Whether the root itself is a project, also where it was named; a part of one is none. */
export function isMarked({ path, reason }: GraphRoot, { userHome: home }: CliWorld): boolean {
  if (reason !== 'explicit') return reason !== 'none';
  const found = findWorkspaceRoot(path, { files: nodeFiles, home, preferEnv: false });
  return found.markerBacked && found.path === path;
}
