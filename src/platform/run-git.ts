import { devNull } from 'node:os';
import { spawn } from 'node:child_process';
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { findOnPath } from './find-program.ts';
import type { Environment } from './paths.ts';
import { readOutput } from './read-output.ts';

interface Feeding {
  readonly input?: string;
  /** A file with the input. */
  readonly inputFile?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  /** A program that makes more has failed. */
  readonly maxBytes: number;
  /** A new file for what it makes. */
  readonly output?: string;
}

const WATCH_MS = 20;

/** What a program makes of its input; undefined when it fails, makes too much or is late. */
function feedProgram(program: string, args: readonly string[], feeding: Feeding): Promise<string | undefined> {
  const { input, inputFile, env, limitMs, maxBytes, output } = feeding;
  const into = output === undefined ? undefined : openSync(output, 'wx', 0o600);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: { ...env },
      stdio: ['pipe', into ?? 'pipe', 'ignore'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let isSettled = false;
    const giveUp = (): void => void child.kill('SIGKILL');
    const isTooMuch = (): boolean => (into === undefined ? size : fstatSync(into).size) > maxBytes;
    const limit = setTimeout(giveUp, limitMs);
    const watch = setInterval(() => isTooMuch() && giveUp(), WATCH_MS);
    const settle = (text: string | undefined): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(limit);
      clearInterval(watch);
      resolve(isTooMuch() ? undefined : text);
      if (into !== undefined) closeSync(into);
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
    });
    // It may end before it has read all: its end tells.
    child.stdin?.on('error', () => {});
    if (inputFile === undefined) child.stdin?.end(input);
    else if (child.stdin) createReadStream(inputFile).on('error', giveUp).pipe(child.stdin);
    child.on('error', () => settle(undefined));
    child.on('close', (code) => settle(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined));
  });
}

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
