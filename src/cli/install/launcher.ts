import { accessSync, constants } from 'node:fs';
import type { Launch, Scope } from '../../adapters/installer.ts';
import type { Files } from '../../platform/files.ts';
import { dirname, isAbsolute, join, toHookArguments } from '../../platform/paths.ts';
import type { Environment, HomePaths } from '../../platform/paths.ts';
import { CommandError } from '../command.ts';

export const PROGRAM = 'fairlead';

/** Names that a package manager keeps pointing at its current Node, while the real path goes with the next upgrade. */
const STABLE_NODES = [
  '/opt/homebrew/bin/node',
  '/usr/local/bin/node',
  '/home/linuxbrew/.linuxbrew/bin/node',
  '/opt/local/bin/node',
  '/usr/bin/node',
];

/** The launcher of this very copy, wherever the build has put the code that asks. */
export function ownLauncher(files: Files, from = import.meta.dirname): string {
  const path = join(from, 'bin', PROGRAM);
  if (files.exists(path)) return path;
  if (dirname(from) === from) throw new CommandError('the launcher bin/fairlead of this copy is missing');
  return ownLauncher(files, dirname(from));
}

/**
 * A person's own entries name Node and the launcher by absolute paths: the PATH of a hook belongs to the agent and the
 * project, and may lack Node, hold one too old, or one that somebody put there. A shared file can only hold a bare name.
 */
export function launchFor(scope: Scope, paths: HomePaths, files: Files): Launch {
  if (scope === 'project') return { command: PROGRAM, args: [], homeArgs: [] };
  return { command: stableNode(process.execPath, files), args: [ownLauncher(files)], homeArgs: toHookArguments(paths) };
}

export function stableNode(node: string, files: Files, names: readonly string[] = STABLE_NODES): string {
  const real = files.realpath(node) ?? node;
  return names.find((name) => files.realpath(name) === real) ?? node;
}

export function findOnPath(name: string, env: Environment): string | undefined {
  const windows = process.platform === 'win32';
  const names = windows ? [`${name}.exe`, `${name}.cmd`] : [name];
  const dirs = (env['PATH'] ?? '').split(windows ? ';' : ':').filter((dir) => isAbsolute(dir));
  return dirs.flatMap((dir) => names.map((each) => join(dir, each))).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What keeps an entry from starting, if anything does. A shell's line is not taken apart. */
export function problemOfCall(words: readonly string[], env: Environment, files: Files): string | undefined {
  const [command = '', ...args] = words;
  if (args.length === 0) return undefined;
  if (!isAbsolute(command)) return findOnPath(command, env) ? undefined : `\`${command}\` is not on PATH`;
  if (!files.exists(command)) return `${command} does not exist`;
  if (!isExecutable(command)) return `${command} is not executable`;
  const script = args[args.indexOf('hook') - 1];
  return script === undefined || files.exists(script) ? undefined : `${script} does not exist`;
}
