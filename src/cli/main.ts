import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ADAPTERS } from '../adapters/registry.ts';
import { createJobs } from '../jobs/jobs.ts';
import { openEngine } from '../assembly/open-engine.ts';
import type { OpenedEngine } from '../assembly/open-engine.ts';
import { fromHookArguments, homeDir, homePaths, userHomeOf } from '../platform/paths.ts';
import { readProcessTree } from '../platform/process-tree.ts';
import { askDaemon } from '../transport/ask-daemon.ts';
import { socketOf } from '../transport/meeting-place.ts';
import { CommandError, UsageError } from './command.ts';
import type { CliWorld } from './command.ts';
import { dispatch, whereHelpIs } from './dispatch.ts';
import type { Called } from './dispatch.ts';
import { isAgent, isPerson, mayAct, whyGated } from './gate.ts';
import { outgoing } from './outgoing.ts';
import { refreshPlace } from './install/settle-place.ts';
import { redeemGrant } from './redeem-grant.ts';

async function askPerson(question: string): Promise<boolean> {
  return (await choosePerson(question)) === 'y';
}

/** Only an explicit yes is one. */
async function choosePerson(question: string, other?: string): Promise<'y' | 'n' | 'other'> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const asked = prompt.question(`${outgoing(question)} [y/N${other === undefined ? '' : `/${other}`}] `);
    const reply = (await asked.catch(emptyAtEnd)).trim();
    if (other !== undefined && reply.toLowerCase() === other) return 'other';
    return /^y(es)?$/i.test(reply) ? 'y' : 'n';
  } finally {
    prompt.close();
  }
}

/** Who ends the input has said nothing, and what was done before the question stays done. */
function emptyAtEnd(error: unknown): string {
  if (error instanceof Error && error.message === 'Aborted with Ctrl+D') return '';
  throw error;
}

/** One of the words, or its first letter; whoever types nothing more means the last. */
async function pickPerson(question: string, words: readonly string[]): Promise<string> {
  // Without an editor of its own it takes one line at a time: what is typed ahead is for the next question.
  const prompt = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const shown = words.map((word) => `[${word[0]}]${word.slice(1)}`).join(', ');
  const over = new Promise<string>((resolve) => prompt.once('close', () => resolve(words.at(-1) ?? '')));
  try {
    for (;;) {
      const typed = (await Promise.race([prompt.question(`${outgoing(question)} ${shown}: `), over]))
        .trim()
        .toLowerCase();
      const meant = words.find((word) => word === typed || word[0] === typed);
      if (meant !== undefined) return meant;
    }
  } finally {
    prompt.close();
  }
}

/** One line that is not shown while it is typed; empty when the person gave up. */
async function askSecret(question: string): Promise<string> {
  const { stdin, stdout } = process;
  stdout.write(`${question} `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: stdin, output: nowhere, terminal: true });
  try {
    return await new Promise((resolve) => {
      prompt.once('line', resolve);
      prompt.once('close', () => resolve(''));
    });
  } finally {
    prompt.close();
    stdout.write('\n');
  }
}

/** All of standard input, or what of it came within `limitMs`: whoever started us may never close it. */
async function readStdin(limitMs?: number): Promise<string> {
  const { stdin } = process;
  const chunks: Uint8Array[] = [];
  const timer = limitMs === undefined ? undefined : setTimeout(() => stdin.destroy(), limitMs);
  try {
    for await (const chunk of stdin as AsyncIterable<Uint8Array>) chunks.push(chunk);
  } catch (error) {
    if (timer === undefined) throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission for it',
  EPERM: 'there is no permission for it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENOTDIR: 'a part of the path is no directory',
  EEXIST: 'something else is there already',
  ENOENT: 'there is no such place',
};

/** One line that says what could not be done and why, in place of the system's own words. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', path, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd')
    return 'the directory this shell is in does not exist any more; change to another one and try again';
  const reason = REASONS[code];
  if (reason === undefined || path === undefined) return error.message;
  return `${path} cannot be ${syscall === 'mkdir' ? 'made' : 'used'}: ${reason}`;
}

/** Exit codes: 0 done, 1 failed or found something wrong, 2 wrong usage or nobody to ask, 3 refused by the person's gate. */
const REFUSED = 3;
const RECHECK_MS = 1_000;
const USUAL_WIDTH = 80;
const SIGNS = {
  agentNames: ADAPTERS.flatMap((adapter) => adapter.process.names),
  agentEnv: ADAPTERS.flatMap((adapter) => adapter.process.variables),
};

async function run(argv: readonly string[], world: CliWorld): Promise<number> {
  let called: Called | undefined;
  const exitCode = await dispatch(argv, world, (one) => {
    called = one;
    permit(one, world);
    bringHooksAlong(world);
  });
  if (called?.command.changesRules === true) await tellDaemon(world);
  return exitCode;
}

function permit({ verb, command, input, args }: Called, world: CliWorld): void {
  if (whyGated(verb, args) === undefined) return;
  const tree = readProcessTree();
  const permission = mayAct(verb, tree, SIGNS, args);
  if (!permission.ok && !redeemGrant(verb, command, input, world, tree))
    throw new CommandError(`${permission.why}\n${permission.next}`, REFUSED);
}

/** It looks at its settings between events; the next one should not come before that. */
async function tellDaemon({ paths }: CliWorld): Promise<void> {
  await askDaemon(socketOf(paths), { verb: 'recheck', state: paths.state }, RECHECK_MS);
}

/** What hooks start follows an update without a word; that it cannot be written is for `doctor` to say. */
function bringHooksAlong({ paths }: CliWorld): void {
  try {
    refreshPlace(paths);
  } catch {
    // As it was.
  }
}

/** A pipe has no width, so nothing is cut there; a terminal that does not tell its width says 0. */
function widthOf(columns: number | undefined): number {
  return columns === undefined ? Infinity : columns === 0 ? USUAL_WIDTH : columns;
}

async function main(argv: readonly string[]): Promise<void> {
  let engine: OpenedEngine | undefined;
  const { env, stdout, stderr, stdin, platform } = process;
  // What an agent starts belongs to the home that its entry names, else to the usual one: a project can set variables of the
  // agent's environment.
  const isAgents = argv[0] === 'mcp';
  const given = isAgents || argv[0] === 'statusline' ? fromHookArguments(argv) : undefined;
  const paths = given ?? homePaths(isAgents ? { HOME: env['HOME'], USERPROFILE: env['USERPROFILE'] } : env, platform);
  const userHome = given ? userHomeOf(given, env, platform) : homeDir(env, platform);
  // A pager that was closed early is not an error.
  stdout.on('error', () => process.exit(0));
  const world: CliWorld = {
    out: (text) => void stdout.write(outgoing(text)),
    err: (text) => void stderr.write(outgoing(text)),
    paths,
    userHome,
    env,
    // When it is asked for: the directory may be gone, and not every verb needs one.
    get cwd() {
      return process.cwd();
    },
    interactive: stdin.isTTY && stdout.isTTY,
    hasInput: !stdin.isTTY,
    colour: env['NO_COLOR'] === undefined && (stdout.isTTY || env['FORCE_COLOR'] !== undefined),
    columns: widthOf(stdout.columns),
    isPerson: () => isPerson(readProcessTree(), SIGNS),
    isAgent: () => isAgent(readProcessTree(), SIGNS),
    ask: askPerson,
    choose: choosePerson,
    pick: pickPerson,
    askSecret,
    readStdin,
    engine: () => (engine ??= openEngine({ paths, userHome, resident: false, keeps: 'trial', createJobs })),
  };
  // Node ends without a word when a promise stays open and nothing else is left to do.
  const unfinished = () => {
    process.exitCode = 1;
    world.err('fairlead: this ended before it was done; nothing more is known.\n');
  };
  process.once('beforeExit', unfinished);
  try {
    process.exitCode = await run(argv, world);
  } catch (error) {
    process.exitCode = error instanceof UsageError ? 2 : error instanceof CommandError ? error.exitCode : 1;
    world.err(`fairlead: ${describeError(error)}\n`);
    if (error instanceof UsageError) world.err(whereHelpIs(argv));
    if (env['FAIRLEAD_DEBUG'] !== undefined && error instanceof Error) world.err(`${error.stack}\n`);
  } finally {
    process.off('beforeExit', unfinished);
    engine?.close();
  }
}

void main(process.argv.slice(2));
