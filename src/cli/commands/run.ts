import { writeFileSync } from 'node:fs';
import { ADAPTERS } from '../../adapters/registry.ts';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { Installer, OneRun } from '../../adapters/installer.ts';
import { applyEdits } from '../../adapters/json-edit.ts';
import { nodeFiles } from '../../platform/files.ts';
import { basename, environmentOf, join, relative, resolve } from '../../platform/paths.ts';
import { makePrivate } from '../../platform/private-dir.ts';
import { pause } from '../../platform/timers.ts';
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
import { launchFor } from '../install/launcher.ts';
import { ownCopy, settlePlace } from '../install/settle-place.ts';
import { knownRules, rootAt } from '../known-rules.ts';
import { plantPolicy } from '../run/policy.ts';
import { reportOf, summaryOf } from '../run/report.ts';
import { startAgent } from '../run/start-agent.ts';

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
file of settings, or one rule. Hooks in the agent's own settings run beside them.

Streams, signals and the exit code are the agent's. What was stopped, asked about and noted goes to standard error in short, and with --report
into a file as JSON. Agents that take hooks for one run: ${ABLE.join(', ')}. The others read them only from files that stay:
use \`fairlead init\` in the image for them.`,
  args: [0, 10_000],
  options: {
    policy: { type: 'string', value: 'PATH', help: 'rules and settings for this run' },
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
    const words = input.rest ?? [];
    const meant = agentOf(words, input);
    return inScratch({ name: 'run', cwd: world.cwd, env: world.env }, world, (scratch) =>
      runIn(meant, words, input, scratch, world),
    );
  },
};

interface Meant {
  readonly installer: Installer;
  readonly oneRun: OneRun;
}

function agentOf(words: readonly string[], input: Input): Meant {
  const name = input.text('agent') ?? nameIn(words);
  const all = INSTALLERS.map(({ agent }) => agent).join(', ');
  if (name === undefined) throw new UsageError(`"${words[0]}" is no agent that is known; name it with --agent: ${all}`);
  const installer = INSTALLERS.find(({ agent }) => agent === name);
  if (!installer) throw new UsageError(`there is no agent "${name}"; there is ${all}`);
  const { oneRun } = installer;
  if (!oneRun)
    throw new CommandError(
      `${name} reads hooks only from files that stay, so none can be wired for one run.\nRun \`fairlead init --agent ${name}\` in the image or the job, and start ${name} as usual.\nAgents that can: ${ABLE.join(', ')}.`,
    );
  return { installer, oneRun };
}

/** By its program, or by its package where another program starts that. */
function nameIn(words: readonly string[]): string | undefined {
  const named = words.slice(0, 4).map((word) => word.replace(/(.)@[\w.-]+$/, '$1'));
  return ADAPTERS.find(({ program }) =>
    named.some((word, at) => program.names.includes(at === 0 ? basename(word) : word)),
  )?.name;
}

async function runIn(
  { installer, oneRun }: Meant,
  words: readonly string[],
  input: Input,
  scratch: CliWorld,
  world: CliWorld,
): Promise<number> {
  const policy = input.text('policy');
  const report = input.text('report');
  if (policy !== undefined) plantPolicy(policy, scratch.paths.config, world);
  const { entries } = await weakeningIn(scratch);
  // Whoever starts the run has chosen them.
  acceptAll(entries, acceptedDeps(scratch));
  refuseBroken((await knownRules(scratch)).layers.user, scratch);
  const file = writeHooks(installer, oneRun.given(words), scratch, world);
  const startedAt = new Date().toISOString();
  const env = { ...world.env, ...environmentOf(scratch.paths) };
  const { code, problem } = await startAgent(oneRun.start(words, file), { cwd: world.cwd, env });
  if (problem !== undefined) world.err(`fairlead: ${words[0]} could not be started: ${problem}\n`);
  await endEngine(scratch);
  const about = {
    agent: installer.agent,
    command: words,
    exitCode: code,
    startedAt,
    endedAt: new Date().toISOString(),
  };
  const told = reportOf({ ...about, ...(policy !== undefined && { policy }) }, rootAt(world), scratch);
  if (problem === undefined) world.err(summaryOf(told));
  if (report !== undefined) writeFileSync(resolve(world.cwd, report), `${JSON.stringify(told, null, 2)}\n`);
  return code;
}

/** A policy of which a part has no effect is not the one that was meant. */
function refuseBroken({ problems }: Layer, { paths }: CliWorld): void {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const lines = errors.map(({ file, line, message }) => `  ${relative(paths.config, file)}:${line}: ${message}`);
  throw new CommandError(`the policy cannot be read whole, so nothing was started:\n${lines.join('\n')}`);
}

/** The settings that the command brings, with our hooks beside; on what they fail, the agent stops. */
function writeHooks(installer: Installer, given: string | undefined, { paths }: CliWorld, { cwd }: CliWorld): string {
  const copy = ownCopy();
  makePrivate(paths.run);
  const client = settlePlace(paths, copy, findClient({ root: copy.root, state: paths.state }));
  prepareCounts(nodeFiles, paths.run);
  const text = given === undefined ? '' : textOf(given, cwd);
  const addition = installer.add(text, { launch: launchFor('user', paths, client), failsClosed: () => true });
  if ('refusal' in addition) throw new CommandError(`the settings of the command: ${addition.refusal}`);
  const file = join(paths.state, 'hooks-of-this-run.json');
  writeFileSync(file, applyEdits(text, addition.edits), { mode: 0o600 });
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
