import type { Launch, Scope } from '../../adapters/installer.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { findOnPath, isExecutable } from '../../platform/find-program.ts';
import { dirname, isAbsolute, join, toHookArguments } from '../../platform/paths.ts';
import type { Environment, HomePaths } from '../../platform/paths.ts';
import { launchDir, problemOfLaunched, readLaunched } from '../../transport/launch-place.ts';
import { CommandError } from '../command.ts';
import { CLIENT, isNativeClient, problemOfClient } from './client.ts';
import type { Client } from './client.ts';

export const PROGRAM = 'fairlead';
/** Named, because a home may lie on a file system from which no script is started. */
const SHELL = '/bin/sh';

/** Names that a package manager keeps pointing at its current Node, while the real path goes with the next upgrade. */
export const STABLE_NODES: readonly string[] = [
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
 * project, and may lack Node, hold one too old, or one that somebody put there. The paths lead into the person's own state,
 * where `settlePlace` puts what they start. A shared file can only hold a bare name.
 */
export function launchFor(scope: Scope, paths: HomePaths, client: Client): Launch {
  if (scope === 'project') return { command: PROGRAM, args: [], homeArgs: [] };
  const homeArgs = toHookArguments(paths);
  // No links for everybody, and no shell.
  if (process.platform === 'win32')
    return { command: stableNode(process.execPath, nodeFiles), args: [ownLauncher(nodeFiles)], homeArgs };
  const dir = launchDir(paths.state);
  const launcher = join(dir, PROGRAM);
  if (client.kind === 'node') return { command: SHELL, args: [launcher], homeArgs };
  return { command: join(dir, CLIENT), args: [], homeArgs: [...homeArgs, '--launcher', launcher] };
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
  return script === undefined ? undefined : problemOfLauncher(script, files);
}

/** That of the place for hooks starts a copy in turn. */
function problemOfLauncher(path: string, files: Files): string | undefined {
  if (!files.exists(path)) return `${path} does not exist`;
  const launched = readLaunched(files, dirname(path));
  return launched && problemOfLaunched(files, launched);
}

/** What the native client starts when no engine answers it, and to bring one up. */
function problemOfFallback(args: readonly string[], files: Files): string | undefined {
  const [node, launcher] = ['--node', '--launcher'].map((flag) =>
    args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined,
  );
  if (node !== undefined && !files.exists(node)) return `${node} does not exist`;
  return launcher === undefined ? 'the entry has no --launcher' : problemOfLauncher(launcher, files);
}
