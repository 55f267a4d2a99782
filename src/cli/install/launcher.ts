import type { Launch, Scope } from '../../adapters/installer.ts';
import type { Files } from '../../platform/files.ts';
import { findOnPath, isExecutable } from '../../platform/find-program.ts';
import { dirname, isAbsolute, join, toHookArguments } from '../../platform/paths.ts';
import type { Environment, HomePaths } from '../../platform/paths.ts';
import { CommandError } from '../command.ts';
import { isNativeClient, problemOfClient } from './client.ts';
import type { Client } from './client.ts';

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
 * A person's own entries name every program by an absolute path: the PATH of a hook belongs to the agent and the
 * project, and may lack Node, hold one too old, or one that somebody put there. A shared file can only hold a bare name.
 */
export function launchFor(scope: Scope, paths: HomePaths, files: Files, client: Client): Launch {
  if (scope === 'project') return { command: PROGRAM, args: [], homeArgs: [] };
  const [node, launcher, homeArgs] = [stableNode(process.execPath, files), ownLauncher(files), toHookArguments(paths)];
  if (client.kind === 'node') return { command: node, args: [launcher], homeArgs };
  return {
    command: client.path,
    args: [],
    homeArgs: [...homeArgs, '--node', node, '--launcher', launcher],
  };
}

export function stableNode(node: string, files: Files, names: readonly string[] = STABLE_NODES): string {
  const real = files.realpath(node) ?? node;
  return names.find((name) => files.realpath(name) === real) ?? node;
}

/** What keeps an entry from starting, if anything does. A shell's line is not taken apart. */
export function problemOfCall(
  words: readonly string[],
  env: Environment,
  files: Files,
  verb: 'hook' | 'mcp' = 'hook',
): string | undefined {
  const [command = '', ...args] = words;
  if (args.length === 0) return undefined;
  if (!isAbsolute(command)) return findOnPath(command, env) ? undefined : `\`${command}\` is not on PATH`;
  if (isNativeClient(command)) return problemOfClient(command) ?? problemOfFallback(args, files);
  if (!files.exists(command)) return `${command} does not exist`;
  if (!isExecutable(command)) return `${command} is not executable`;
  const script = args[args.indexOf(verb) - 1];
  return script === undefined || files.exists(script) ? undefined : `${script} does not exist`;
}

/** What the native client starts when no engine answers it, and to bring one up. */
function problemOfFallback(args: readonly string[], files: Files): string | undefined {
  for (const flag of ['--node', '--launcher']) {
    const at = args.indexOf(flag);
    const path = at < 0 ? undefined : args[at + 1];
    if (path === undefined) return `the entry has no ${flag}`;
    if (!files.exists(path)) return `${path} does not exist`;
  }
  return undefined;
}
