import { spawnSync } from 'node:child_process';
import type { SettingsLocation } from '../../adapters/adapter.ts';
import type { Scope } from '../../adapters/installer.ts';
import { SCOPES } from '../../adapters/installer.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { dirname, resolve } from '../../platform/paths.ts';
import { findWorkspaceRoot } from '../../roots/find-root.ts';
import type { Root } from '../../roots/find-root.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld } from '../command.ts';

export interface Target extends SettingsLocation {
  readonly workspace: Root;
  /** The home directory or the top of the file system: no project, so only the user's own settings count. */
  readonly isProject: boolean;
}

export function targetOf(dir: string | undefined, world: Pick<CliWorld, 'cwd' | 'userHome' | 'env'>): Target {
  const start = resolve(world.cwd, dir ?? '.');
  if (nodeFiles.stat(start)?.kind !== 'dir') throw new CommandError(`there is no directory ${start}`);
  const { env, userHome: home } = world;
  const workspace = findWorkspaceRoot(start, { files: nodeFiles, home, env, preferEnv: true });
  const root = workspace.path;
  const isProject = root !== canonicalPath(nodeFiles, home) && dirname(root) !== root;
  return { root, home, env, workspace, isProject };
}

export function scopeOf(word: string): Scope {
  const scope = SCOPES.find((each) => each === word);
  if (!scope) throw new UsageError(`--scope is one of ${SCOPES.join(', ')}, not "${word}"`);
  return scope;
}

export function requireProject({ root, isProject }: Target, instead = '--scope user'): void {
  if (!isProject)
    throw new CommandError(
      `${root} is not a project; name a project's directory, or use ${instead} to cover all of them`,
    );
}

/** Whether git would leave the file out; undefined where git does not say. */
export function isGitIgnored(root: string, path: string): boolean | undefined {
  // A repository may name a program for git to run while it looks at files.
  const args = ['-c', 'core.fsmonitor=false', '-C', root, 'check-ignore', '-q', '--', path];
  const { status } = spawnSync('git', args, { stdio: 'ignore', timeout: 5_000 });
  return status === 0 ? true : status === 1 ? false : undefined;
}
