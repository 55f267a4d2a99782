import { devNull } from 'node:os';
import { feedProgram } from './feed-program.ts';
import { findOnPath } from './find-program.ts';
import type { Environment } from './paths.ts';
import { readOutput } from './read-output.ts';

const LIMIT_MS = 10_000;
const MAX_BYTES = 1 << 20;
/** Where git is when the search path does not say, since that of a resident process is short. */
const USUAL_DIRS = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin:/run/current-system/sw/bin';
/** A repository may name programs for git to run while it reads, and servers to ask for what it lacks. */
const HARMLESS = ['core.fsmonitor=false', 'log.showSignature=false', 'protocol.allow=never'].flatMap((each) => [
  '-c',
  each,
]);

export interface GitCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Environment;
}

/** How a git command that only reads is run in a directory; undefined where there is no git. */
export function gitCall(dir: string, args: readonly string[], env: Environment = process.env): GitCall | undefined {
  const path = process.platform === 'win32' ? env['PATH'] : `${env['PATH'] ?? ''}:${USUAL_DIRS}`;
  const program = findOnPath('git', { PATH: path });
  if (program === undefined) return undefined;
  return {
    program,
    args: ['--no-pager', ...HARMLESS, '-C', dir, ...args],
    // Of the environment only what finds the person's own settings: its GIT_DIR and the like belong to somebody else's call.
    env: {
      PATH: path,
      HOME: env['HOME'],
      USERPROFILE: env['USERPROFILE'],
      XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'],
      LC_ALL: 'C',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      GIT_LITERAL_PATHSPECS: '1',
      GIT_NO_LAZY_FETCH: '1',
    },
  };
}

export interface FedGit {
  /** A path in `inputFile` where it is long. */
  readonly input?: string;
  readonly inputFile?: string;
  readonly limitMs: number;
  /** A command that prints more has failed. */
  readonly maxBytes: number;
  /** Into this new file, instead of the answer. */
  readonly output?: string;
}

/**
 * Runs a git command on what it reads from its input, without the hooks of the repository and with its objects as they are.
 * What it prints, or the empty text where that went to a file; undefined when it fails.
 */
export async function feedGit(dir: string, args: readonly string[], fed: FedGit): Promise<string | undefined> {
  const call = gitCall(dir, ['-c', `core.hooksPath=${devNull}`, ...args]);
  if (!call) return undefined;
  const env = { ...call.env, GIT_NO_REPLACE_OBJECTS: '1' };
  return feedProgram(call.program, call.args, { ...fed, env });
}

/** What it prints; undefined when it fails. */
export async function runGit(dir: string, args: readonly string[], limitMs = LIMIT_MS): Promise<string | undefined> {
  const call = gitCall(dir, args);
  return call && readOutput(call.program, call.args, { env: call.env, limitMs, maxBytes: MAX_BYTES });
}
