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
import { describeError } from './describe-error.ts';
import { outgoing } from './outgoing.ts';
import { refreshPlace } from './install/settle-place.ts';
import { redeemGrant } from './redeem-grant.ts';
import { askPerson, askSecret, choosePerson, pickPerson, readStdin } from './terminal.ts';

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
