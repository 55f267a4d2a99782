import { appendFileSync, writeFileSync } from 'node:fs';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { Fields } from '../../adapters/fields.ts';
import { DISABLED } from '../../adapters/forwarded.ts';
import type { Installer, OneRun } from '../../adapters/installer.ts';
import { applyEdits } from '../../adapters/json-edit.ts';
import { nodeFiles } from '../../platform/files.ts';
import { environmentOf, join, relative, resolve, basename } from '../../platform/paths.ts';
import { makePrivate } from '../../platform/private-dir.ts';
import { pause } from '../../platform/timers.ts';
import { messageOf } from '../../text/message-of.ts';
import { askDaemon, askStatus } from '../../transport/ask-daemon.ts';
import { socketOf } from '../../transport/meeting-place.ts';
import { prepareCounts } from '../../transport/prepare-counts.ts';
import { daemonPid } from '../../transport/start-daemon.ts';
import { acceptAll } from '../../workspace/config/accepted.ts';
import type { Layer } from '../../workspace/config/layer.ts';
import { acceptedDeps, weakeningIn } from '../accepted-settings.ts';
import { inScratch } from '../check/scratch-world.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { findClient } from '../install/client.ts';
import { inspectInstall } from '../install/inspect.ts';
import { launchFor } from '../install/launcher.ts';
import { ownCopy, settlePlace } from '../install/settle-place.ts';
import { knownRules, rootAt } from '../known-rules.ts';
import { followForRun, plantPolicy } from '../run/policy.ts';
import { reportOf, summaryOf } from '../run/report.ts';
import type { RunReport } from '../run/report.ts';
import { startAgent } from '../run/start-agent.ts';
import { keysIn } from './policy-author.ts';
import { ADAPTERS } from '../../adapters/registry.ts';

/** How far into a command the name of an agent is looked for, behind what starts it. */
const WORDS = 4;

/** The agent that a command starts, by its program, or by its package where another program starts that; and where its own words begin. */
export function whichAgent(words: readonly string[]): { readonly agent: string; readonly at: number } | undefined {
  const named = words.slice(0, WORDS).map(agentIn);
  const first = named.findIndex((agent) => agent !== undefined);
  const agent = named[first];
  if (agent === undefined) return undefined;
  // A package, and the program in it.
  const after = first === 0 ? 1 : named.findIndex((other, at) => at > first && other !== agent);
  return { agent, at: (after < 0 ? named.length : after) - 1 };
}

function agentIn(word: string, at: number): string | undefined {
  const isPath = at === 0 || /^\.{0,2}\//.test(word);
  const name = isPath ? basename(word) : word.replace(/(.)@[\w.-]+$/, '$1');
  return ADAPTERS.find(({ program }) => program.names.includes(name))?.name;
}

/** How long an engine may take to end. */
const END_MS = 15_000;
const LOOK_MS = 50;
const QUIET_LOOKS = 6;
/** As the gate's. */
const REFUSED = 3;

const ABLE = INSTALLERS.filter(({ oneRun }) => oneRun !== undefined).map(({ agent }) => agent);

export const run: Command = {
  summary: 'start an agent under a policy, for one run, and report',
  usage: '-- <command…>',
  details: `Starts the agent with hooks for this run alone, as in a container or a CI job, and with settings and state of its own in a temporary
directory: no settings that stay are touched, and at the end the engine is ended and the directory is gone, with the copies
for \`undo\`. The rules are those that are on by themselves and those of --policy: a directory laid out as .fairlead is, a
file of settings, one rule, or the signed policy of a team, which has to be signed by a key that --key names or that you have pinned. Hooks in
the agent's own settings run beside them. What would keep the hooks from running starts nothing, or does not count.

Streams, signals and the exit code are the agent's. What was stopped, asked about and noted goes to standard error in short, and with --report
into a file as JSON. Agents that take hooks for one run: ${ABLE.join(', ')}. The others read them only from files that stay:
use \`fairlead init\` in the image for them.`,
  args: [0, 10_000],
  options: {
    policy: { type: 'string', value: 'PATH', help: 'rules and settings for this run' },
    key: {
      type: 'string',
      multiple: true,
      value: 'ed25519:…',
      help: 'a public key that signs the policy, or a file that holds one',
    },
    report: { type: 'string', value: 'FILE', help: 'write what was decided, as JSON' },
    agent: { type: 'string', value: 'NAME', help: 'which agent the command starts, where its name does not tell' },
  },
  check(input) {
    if (input.rest === undefined || input.rest.length === 0)
      throw new UsageError('say which agent to start, after --: fairlead run -- AGENT …');
    if (input.args.length > input.rest.length) throw new UsageError(`unexpected argument: ${input.args[0]}`);
  },
  async run(input, world) {
    if (world.isAgent())
      throw new CommandError(
        'An agent is behind this process, and "run" starts one under rules that its caller chooses.\nA person or a job starts it: in a terminal window that no agent started, or in CI.',
        REFUSED,
      );
    const meant = agentOf(input.rest ?? [], input);
    return inScratch({ name: 'run', cwd: world.cwd, env: world.env }, world, (scratch) =>
      runIn(meant, input, scratch, world),
    );
  },
};

interface Meant {
  readonly installer: Installer;
  readonly oneRun: OneRun;
  /** What starts the agent, and its own words from its name on. */
  readonly before: readonly string[];
  readonly words: readonly string[];
}

function agentOf(words: readonly string[], input: Input): Meant {
  const found = whichAgent(words);
  const name = input.text('agent') ?? found?.agent;
  const all = INSTALLERS.map(({ agent }) => agent).join(', ');
  if (name === undefined) throw new UsageError(`"${words[0]}" is no agent that is known; name it with --agent: ${all}`);
  const installer = INSTALLERS.find(({ agent }) => agent === name);
  if (!installer) throw new UsageError(`there is no agent "${name}"; there is ${all}`);
  const { oneRun } = installer;
  if (!oneRun)
    throw new CommandError(
      `${name} reads hooks only from files that stay, so none can be wired for one run.\nRun \`fairlead init --agent ${name}\` in the image or the job, and start ${name} as usual.\nAgents that can: ${ABLE.join(', ')}.`,
    );
  const at = found?.agent === name ? found.at : 0;
  return { installer, oneRun, before: words.slice(0, at), words: words.slice(at) };
}

async function runIn(meant: Meant, input: Input, scratch: CliWorld, world: CliWorld): Promise<number> {
  const { installer, oneRun, before, words } = meant;
  const policy = input.text('policy');
  const report = input.text('report');
  refuseSwitchedOff(meant, world);
  const keys = keysIn(input.list('key'), world);
  if (policy !== undefined) await plantPolicy({ path: policy, keys }, scratch, world);
  const { entries } = await weakeningIn(scratch);
  // Whoever starts the run has chosen them.
  acceptAll(entries, acceptedDeps(scratch));
  const { user } = (await knownRules(scratch)).layers;
  refuseBroken(user, scratch);
  await followForRun(user.config.team, scratch);
  const file = writeHooks(meant, scratch, world);
  const writeReport = reportTo(report, world);
  const startedAt = new Date().toISOString();
  const env = { ...world.env, ...environmentOf(scratch.paths), [DISABLED]: undefined };
  const { code, problem } = await startAgent([...before, ...oneRun.start(words, file)], { cwd: world.cwd, env });
  if (problem !== undefined) world.err(`fairlead: ${words[0]} could not be started: ${problem}\n`);
  await endEngine(scratch);
  const about = {
    agent: installer.agent,
    command: [...before, ...words],
    exitCode: code,
    startedAt,
    endedAt: new Date().toISOString(),
  };
  const told = reportOf({ ...about, ...(policy !== undefined && { policy }) }, rootAt(world), scratch);
  if (problem === undefined) world.err(summaryOf(told));
  writeReport(told);
  return code;
}

/** Before the agent starts, so that its work is not done without a report. */
function reportTo(given: string | undefined, { cwd }: CliWorld): (told: RunReport) => void {
  if (given === undefined) return () => {};
  const path = resolve(cwd, given);
  try {
    appendFileSync(path, '');
  } catch (error) {
    throw new CommandError(`the report cannot be written, so nothing was started: ${messageOf(error)}`);
  }
  return (told) => writeFileSync(path, `${JSON.stringify(told, null, 2)}\n`);
}

/** What a run cannot overrule. The files of a person and of a project are overruled. */
function refuseSwitchedOff({ installer, oneRun, words }: Meant, world: CliWorld): void {
  const given = oneRun.given(words);
  const ofCommand = given === undefined ? [] : installer.read(textOf(given, world.cwd)).switches;
  const ofMachine = inspectInstall(undefined, world)
    .filter(({ agent, scope }) => agent === installer.agent && scope === 'policy')
    .flatMap(({ path, switches }) => switches.map((name) => `${name} in ${path}`));
  const [found] = [
    ...oneRun.without(words, world.env),
    ...ofCommand.map((name) => `${name} in its settings`),
    ...ofMachine,
  ];
  if (found === undefined) return;
  throw new CommandError(
    `${found} keeps the hooks from running, so no rule would be asked and nothing was started.\nStart ${installer.agent} without it.`,
  );
}

/** A policy of which a part has no effect is not the one that was meant. */
function refuseBroken({ problems }: Layer, { paths }: CliWorld): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const lines = errors.map(({ file, line, message }) => `  ${relative(paths.config, file)}:${line}: ${message}`);
  throw new CommandError(`the policy cannot be read whole, so nothing was started:\n${lines.join('\n')}`);
}

/** The settings that the command brings, with our hooks beside; on what they fail, the agent stops. */
function writeHooks({ installer, oneRun, words }: Meant, { paths }: CliWorld, { cwd }: CliWorld): string {
  const copy = ownCopy();
  makePrivate(paths.run);
  const client = settlePlace(paths, copy, findClient({ root: copy.root, state: paths.state }));
  prepareCounts(nodeFiles, paths.run);
  const given = oneRun.given(words);
  const text = given === undefined ? '' : textOf(given, cwd);
  const addition = installer.add(text, { launch: launchFor('user', paths, client), failsClosed: () => true });
  if ('refusal' in addition) throw new CommandError(`the settings of the command: ${addition.refusal}`);
  const file = join(paths.state, 'hooks-of-this-run.json');
  const settings = oneRun.settings(JSON.parse(applyEdits(text, addition.edits)) as Fields);
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  return file;
}

/** Settings on a command line are text, or the name of a file. */
function textOf(given: string, cwd: string): string {
  if (given.trimStart().startsWith('{')) return given;
  const text = nodeFiles.readText(resolve(cwd, given));
  if (text === undefined) throw new CommandError(`the settings of the command cannot be read: ${given}`);
  return text;
}

/** What the last event of the agent began may bring an engine up once more, so it is looked for until none comes. */
async function endEngine({ paths }: CliWorld): Promise<void> {
  const socket = socketOf(paths);
  const until = Date.now() + END_MS;
  for (let quiet = 0; quiet < QUIET_LOOKS && Date.now() < until; quiet += 1) {
    if ((await askStatus(socket, paths.state)) !== undefined) quiet = 0;
    await askDaemon(socket, { verb: 'stop', state: paths.state }, END_MS);
    await pause(LOOK_MS);
  }
  const left = daemonPid(nodeFiles, paths.run, paths.state);
  if (left !== undefined) process.kill(left, 'SIGKILL');
}

export default { order: 47, verbs: { run } } satisfies VerbFile;
