import { GRAPH_PACK } from '../../event/known-packs.ts';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { SCOPES } from '../../adapters/installer.ts';
import type { Installer, Scope, ServerSettings } from '../../adapters/installer.ts';
import { adapterNamed } from '../../adapters/registry.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { findOnPath } from '../../platform/find-program.ts';
import { dirname } from '../../platform/paths.ts';
import { makePrivate } from '../../platform/private-dir.ts';
import { acceptOtherUsers, ensureHttpAccess, proposeHttpAccess } from '../../transport/http-access.ts';
import type { HttpAccess } from '../../transport/http-access.ts';
import { prepareCounts } from '../../transport/prepare-counts.ts';
import { BORROWINGS } from '../../workspace/config/borrowed-files.ts';
import type { Borrowing } from '../../workspace/config/borrowed-files.ts';
import { isOnPath } from '../agents.ts';
import { changeProject } from '../change-project.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { askAboutPacks, canAsk, statusLineFor, suggestPacks, wantsStatusLine } from '../install/ask-about.ts';
import { awaitDoor } from '../install/await-door.ts';
import { prepareClient } from '../install/client.ts';
import type { Client } from '../install/client.ts';
import { CONFIRM_OPTIONS, tellAndAsk, writeAll } from '../install/confirm.ts';
import { blocksOnFailure, failClosedAt } from '../install/fail-closed.ts';
import { planTrust, whyNotTrusted } from '../install/trust.ts';
import type { AgentFile } from '../install/trust.ts';
import { requireUnchanged, withReal } from '../install/file-change.ts';
import type { FileChange } from '../install/file-change.ts';
import { foundScreen, writeScreen } from '../install/found-screen.ts';
import { findFreePort } from '../install/free-port.ts';
import { heardAt } from '../install/heard.ts';
import { inspectInstall } from '../install/inspect.ts';
import type { Wiring } from '../install/inspect.ts';
import { launchFor, PROGRAM } from '../install/launcher.ts';
import { oneAtATime } from '../install/one-at-a-time.ts';
import { planPacks } from '../install/packs.ts';
import { aboutPlugin, pluginsThatCall } from '../install/plugins.ts';
import { inspectServers, planServers, serversFor, wantsServer } from '../install/servers.ts';
import { ownCopy, settlePlace } from '../install/settle-place.ts';
import { fittingPacks } from '../install/fitting-packs.ts';
import { isGitIgnored, requireProject, scopeOf, targetOf } from '../install/target.ts';
import type { Target } from '../install/target.ts';
import { homeOf, planWiring } from '../install/plan.ts';
import type { SettingsChange } from '../install/plan.ts';
import { writeRecord } from '../install/record.ts';
import {
  deliveryFor,
  describeTransport,
  DESPITE_OTHERS,
  eventsFor,
  wantsHttp,
  warningsForHttp,
} from '../install/transport.ts';
import type { Chosen } from '../install/transport.ts';
import { offerAdopting } from './adopt.ts';

export const init: Command = {
  summary: 'install the hooks into a project',
  changesRules: true,
  usage: '[dir]',
  details: `Says what it found and what it would write, asks, and writes it; \`d\` shows the diff. Hooks and settings of others stay as they are;
where there are any, it asks afterwards whether to adopt them (\`fairlead adopt\`). --yes adopts none.
The hooks start a launcher in your state directory, which starts this copy of fairlead. An update, a downgrade or a reinstall of this copy
needs nothing; run \`init\` again after moving it, or to use another copy.

Scopes: local (default) is you in this project, project is everybody in it (the file is shared, so it holds a bare
"${PROGRAM}" that must be on PATH), user is you everywhere.

Transports: command (what auto means) starts a small native client for each event, or Node where it cannot be built; http
lets the agent post events to the engine, with a token that makes the settings file readable by you alone. Other users of the
machine can answer such posts while the engine is down, so http wants --${DESPITE_OTHERS} beside it.

Where the pack ${GRAPH_PACK} is on, the agent is told of the tool server \`${PROGRAM} mcp\` too, in the file of the same scope where it looks for
such servers.
${BORROWINGS.map(describeBorrowing).join('')}`,
  args: [0, 1],
  options: {
    agent: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: `which agent: ${INSTALLERS.map(({ agent }) => agent).join(', ')}`,
    },
    pack: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      help: 'also switch a pack of rules on, in this project',
    },
    user: { type: 'boolean', help: 'switch packs on in your own settings, so in every project' },
    statusline: { type: 'boolean', help: "show Fairlead in the agent's status line, unless there is another one" },
    scope: { type: 'string', value: 'SCOPE', help: 'local, project or user' },
    transport: { type: 'string', value: 'NAME', help: 'auto (default), http or command' },
    [DESPITE_OTHERS]: {
      type: 'boolean',
      help: 'with http: another user of this machine may answer in place of an engine that is down',
      gated: 'with it other users of this machine may answer the hooks',
    },
    trust: {
      type: 'boolean',
      help: 'agree to the hooks in the settings of an agent that runs no others',
      gated: 'with it nobody looks at the hooks in the agent itself',
    },
    ...CONFIRM_OPTIONS,
  },
  run: (input, world) =>
    oneAtATime(input, world, async () => {
      const code = await run(input, world);
      if (code === 0) await offerAdopting(input, { ...world, cwd: targetOf(input.args[0], world).root });
      return code;
    }),
};

async function run(input: Input, world: CliWorld): Promise<number> {
  const scope = scopeOf(input.text('scope') ?? 'local');
  const chosenAgents = chooseAgents(input.list('agent'), world);
  const target = targetOf(input.args[0], world);
  if (scope !== 'user') requireProject(target);
  const wirings = inspectInstall(input.args[0], world);
  const everyFile = filesOf(chosenAgents, scope, target, world);
  const plugins = pluginsThatCall(everyFile, scope, wirings);
  const files = everyFile.filter(({ installer }) => !plugins.some(({ agent }) => agent === installer.agent));
  const installers = files.map(({ installer }) => installer);
  if (scope === 'project' && !findOnPath(PROGRAM, world.env)) {
    throw new CommandError(
      `a shared settings file calls \`${PROGRAM}\` by name, and it is not on your PATH. Put it there (\`npm link\` in its directory does), or use --scope local.`,
    );
  }
  const isHttp = wantsHttp(input.text('transport') ?? 'auto', scope, input.has(DESPITE_OTHERS));
  const isOfProject = scope !== 'user';
  const fitting = isOfProject ? await fittingPacks(target.root, world) : [];
  world.out(
    foundScreen(
      { installers: everyFile.map(({ installer }) => installer), target, isOfProject, wirings, fitting },
      world,
    ),
  );
  const chosenPacks = [...input.list('pack'), ...(await askAboutPacks(fitting, input, world))];
  const packsRoot = isOfProject && !input.has('user') ? target.root : undefined;
  const packs = planPacks(chosenPacks, packsRoot, world);
  const hasServer = chosenPacks.includes(GRAPH_PACK) || (await wantsServer(scope, target.root, world));
  const client = clientFor(scope, input, world);
  const launch = launchFor(scope, world.paths, client);
  const chosen: Chosen = {
    ...{ scope, client, launch, heard: await heardAt(target.root, world, chosenPacks) },
    ...(blocksOnFailure(scope) ? { failClosed: await failClosedAt(target.root, world) } : {}),
    ...(isHttp ? { access: await proposeHttpAccess(nodeFiles, world.paths.run, findFreePort) } : {}),
    ...((await wantsStatusLine(scope, wirings, input, world)) ? { statusLine: statusLineFor(scope, world) } : {}),
  };
  const trusts = await wantsTrust(installers, input, world);
  const plan = (how: Chosen): (FileChange | SettingsChange)[] => {
    const hooks = files.flatMap(
      ({ installer, path }) => planWiring(installer, scope, path, deliveryFor(installer, how), world) ?? [],
    );
    return [
      // The agent may be writing this file, which is then left alone; so it comes before all others.
      ...(hasServer ? planServers(installers, scope, target, world) : []),
      ...hooks,
      ...(trusts ? planTrust(files, scope, target, hooks, world) : []),
      ...(packs ? [packs] : []),
    ];
  };
  const changes = plan(chosen);

  const transports = installers.map((installer) => {
    const before = wirings.find((wiring) => wiring.agent === installer.agent && wiring.scope === scope)?.transport;
    return [installer.agent, describeTransport(installer, chosen, before)] as const;
  });
  for (const plugin of plugins) world.err(`note: ${aboutPlugin(plugin, wirings, target)}\n`);
  for (const warning of warningsFor(chosen, files, wirings, world)) world.err(`note: ${warning}\n`);
  if (!hasServer) for (const note of serversLeft(input.args[0], scope, world)) world.err(`note: ${note}\n`);
  if (changes.length === 0) {
    if (!input.has('dry-run')) settle(chosen, world);
    if (!input.has('dry-run') && makePrivate(world.paths.run) && isHttp) acceptOtherUsers(nodeFiles, world.paths.run);
    const paths = files.map(({ path }) => path).join(', ');
    world.out(
      `Nothing to do${paths === '' ? '' : `: ${paths} ${files.length === 1 ? 'is' : 'are'} wired as it should be`}.\n`,
    );
    for (const file of files) world.out(untrusted(file, scope, target));
    suggestPacks(fitting, chosenPacks, world);
    return 0;
  }
  world.out(
    writeScreen(
      'To be written',
      changes,
      (change) => aboutChange(change, chosen, new Map(transports), chosenPacks),
      target.root,
      world,
    ),
  );
  const answer = await tellAndAsk(changes, input, world);
  if (answer !== 'yes') return answer;
  for (const change of changes) requireUnchanged(change);
  const isRunUsable = makePrivate(world.paths.run);
  const settled = settle(chosen, world);
  if (isRunUsable) prepareCounts(nodeFiles, world.paths.run);
  const access = chosen.access && ensureAccess(chosen.access, isRunUsable, world);
  const problem = access && (await awaitDoor(world, access.port));
  if (problem !== undefined) world.err(`note: ${problem}\n`);
  // Another process may have set the token while a person read the diff; the rest of the plan holds.
  const isSameAccess = access?.token === chosen.access?.token && access?.port === chosen.access?.port;
  const isAsShown = isSameAccess && settled.client.kind === client.kind;
  const write = () =>
    writeAll(isAsShown ? changes : plan({ ...settled, ...(access && { access }) }), (change, moment) => {
      // Ahead of the file: a record without entries says nothing, entries without a record cannot be undone to the byte.
      if (moment === 'before' && 'record' in change)
        writeRecord(nodeFiles, world.paths.state, change.recordKey, change.record);
    });
  const isTrusted = packs && packsRoot !== undefined ? changeProject(packsRoot, 'config.yaml', write, world) : write();
  for (const { installer, path } of files) world.out(closing(installer, path, chosen));
  for (const file of files) world.out(untrusted(file, scope, target));
  if (hasServer) for (const settings of serversFor(installers, scope, target)) world.out(closingOfServer(settings));
  if (packs) world.out(`Switched on in ${packs.path}: ${chosenPacks.join(', ')}.\n`);
  if (isTrusted === false) world.out('  It takes effect once a person has accepted it with `fairlead trust`.\n');
  world.out(nextSteps(input.args[0], scope));
  // Who was asked has heard of them.
  if (!canAsk(input, world)) suggestPacks(fitting, chosenPacks, world);
  return 0;
}

/** What comes into a file, in a few words. */
function aboutChange(
  change: FileChange | SettingsChange,
  chosen: Chosen,
  transports: ReadonlyMap<string, string>,
  packs: readonly string[],
): string {
  if (!('entry' in change)) return `packs: ${packs.join(', ')}`;
  if (change.entry === 'tool server') return 'the tool server of the code graph';
  if (change.entry === 'trust') return `that you agree to these hooks, as ${change.agent} wants it`;
  const installer = INSTALLERS.find(({ agent }) => agent === change.agent);
  const events = installer ? eventsFor(installer, chosen).length : 0;
  return `${events} events${chosen.statusLine === undefined ? '' : ' and the status line'}; ${transports.get(change.agent)}`;
}

function describeBorrowing({ pack, dir, settings }: Borrowing): string {
  return `
In a project that has a ${dir} directory or a ${settings} it says what is there and, unless you have decided about the pack ${pack} before, asks
whether to switch that on. The files themselves stay as they are.`;
}

function clientFor(scope: Scope, input: Input, { paths, env }: CliWorld): Client {
  if (scope === 'project') return { kind: 'node', why: 'a shared file names no program of one machine' };
  return prepareClient({ root: ownCopy().root, state: paths.state }, env, input.has('dry-run'));
}

/** Before the entries are written, which must find what they start. */
function settle<How extends Pick<Chosen, 'scope' | 'client' | 'launch'>>(how: How, { paths }: CliWorld): How {
  if (how.scope === 'project' || process.platform === 'win32') return how;
  const client = settlePlace(paths, ownCopy(), how.client);
  return { ...how, client, launch: launchFor(how.scope, paths, client) };
}

function ensureAccess(proposal: HttpAccess, isRunUsable: boolean, { paths }: CliWorld): HttpAccess {
  if (!isRunUsable) throw new CommandError(`${paths.run} cannot be used for a token: it must be yours and writable`);
  acceptOtherUsers(nodeFiles, paths.run);
  return ensureHttpAccess(nodeFiles, paths.run, proposal);
}

/** A person may agree here to what an agent would ask about; nobody does so for them. */
async function wantsTrust(installers: readonly Installer[], input: Input, world: CliWorld): Promise<boolean> {
  if (input.has('trust')) return true;
  const asking = installers.filter(({ trust }) => trust !== undefined).map(({ agent }) => agent);
  if (asking.length === 0 || !canAsk(input, world) || !world.isPerson()) return false;
  return world.ask(`${asking.join(' and ')} skips hooks that you have not agreed to. Agree to those of fairlead now?`);
}

/** What is left for a person to do so that the agent calls the entries. */
function untrusted(file: AgentFile, scope: Scope, target: Target): string {
  const { objections, byHand } = whyNotTrusted(file, scope, target) ?? {};
  const { agent } = file.installer;
  if (objections === undefined) return '';
  return (
    `${agent} does not call them yet: ${objections.join('; ')}.\n` +
    `  agree           ${byHand}\n` +
    `  or here         ${PROGRAM} init --agent ${agent} --scope ${scope} --trust\n`
  );
}

/** Those that are named, else those that are on this machine; the only one there is needs no search. */
function chooseAgents(names: readonly string[], world: CliWorld): readonly Installer[] {
  const all = INSTALLERS.map(({ agent }) => agent).join(', ');
  const unknown = names.find((name) => !INSTALLERS.some(({ agent }) => agent === name));
  if (unknown !== undefined) throw new UsageError(`there is no agent "${unknown}"; there is ${all}`);
  if (names.length > 0) return INSTALLERS.filter(({ agent }) => names.includes(agent));
  const isHere = ({ agent }: Installer): boolean => {
    const adapter = adapterNamed(agent);
    return adapter !== undefined && isOnPath(adapter, world);
  };
  const found = INSTALLERS.length === 1 ? INSTALLERS : INSTALLERS.filter(isHere);
  if (found.length === 0) throw new UsageError(`no agent was found on your PATH; name one with --agent: ${all}`);
  return found;
}

/** Where each of them looks in a scope. One that has no such scope is left out, and told of. */
function filesOf(
  installers: readonly Installer[],
  scope: Scope,
  target: Target,
  world: CliWorld,
): readonly AgentFile[] {
  const files: AgentFile[] = [];
  const without: string[] = [];
  for (const installer of installers) {
    const path = installer.settingsPath(scope, target);
    if (path !== undefined) files.push({ installer, path });
    else {
      const scopes = SCOPES.filter((each) => installer.settingsPath(each, target) !== undefined);
      without.push(
        `${installer.agent} has no settings of the scope ${scope}; it has ${scopes.join(' and ')}: \`${PROGRAM} init --agent ${installer.agent} --scope ${scopes.at(-1)}\``,
      );
    }
  }
  if (files.length === 0) throw new CommandError(without.join('\n'));
  for (const each of without) world.err(`note: ${each}\n`);
  return files;
}

const NPX_CACHE = '/_npx/';

/** What would keep the hooks from running, or run them twice, or surprise somebody. */
function* warningsFor(
  { scope, access }: Chosen,
  files: readonly AgentFile[],
  wirings: readonly Wiring[],
  world: CliWorld,
): Generator<string> {
  for (const wiring of wirings) {
    const { path, switches, problems, wired } = wiring;
    if (!files.some(({ installer }) => installer.agent === wiring.agent)) continue;
    for (const name of switches) yield `${path} sets ${name}, so the agent will not run these hooks`;
    for (const problem of problems) {
      const what = problem.path === '' ? problem.message : `${problem.path} ${problem.message}`;
      yield `${path}: ${what}; the agent ignores ${problem.disables === 'file' ? 'every hook in this file' : 'that entry'}`;
    }
    if (wiring.scope !== scope && wired.length > 0) {
      const removal = wiring.plugin?.removal ?? `fairlead uninstall --scope ${wiring.scope}`;
      yield `${path} is wired too, so every event would start fairlead twice; \`${removal}\` takes that one out`;
    }
  }
  const { root } = ownCopy();
  if (scope !== 'project' && root.includes(NPX_CACHE))
    yield `these hooks start a copy in the cache of npx, which npm may empty; \`npm install -g ${PROGRAM}\`, then \`${PROGRAM} init\`, gives them one that stays`;
  const usual = homeOf([], world);
  if (scope === 'project' && usual.config !== world.paths.config) {
    yield `a shared file names no directories: these hooks will read settings in ${usual.config}, not ${world.paths.config}`;
  }
  for (const { installer, path } of files) {
    if (access) yield* warningsForHttp(installer, access, wirings, world);
    if ((access !== undefined || scope === 'local') && isCommittable(path)) {
      const holds = access ? 'a token and paths of this machine' : 'paths of this machine';
      yield `${path} is not ignored by git; it holds ${holds}, so keep it out of commits`;
    }
  }
}

/** A link may lead into a repository, such as one of a person's settings. */
function isCommittable(path: string): boolean {
  const target = canonicalPath(nodeFiles, path);
  let dir = dirname(target);
  while (!nodeFiles.exists(dir)) dir = dirname(dir);
  return isGitIgnored(dir, target) === false;
}

function closing(installer: Installer, path: string, chosen: Chosen): string {
  return `Wired ${installer.agent} for ${installer.reach(chosen.scope)}: ${eventsFor(installer, chosen).length} events in ${withReal(path)}\n`;
}

function closingOfServer({ agent, path, reach, approval }: ServerSettings): string {
  return `Told ${agent} of the tool server for ${reach}: ${path}\n${approval === undefined ? '' : `  ${approval}\n`}`;
}

/** A person who switched the pack off may want the server all the same: it is only told of. */
function serversLeft(dir: string | undefined, scope: Scope, world: CliWorld): string[] {
  return inspectServers(dir, world)
    .filter((each) => each.scope === scope && each.calls.length > 0)
    .map(
      ({ settings: { path } }) =>
        `${path} names the tool server of fairlead, and the pack ${GRAPH_PACK} is off; the entry stays. \`${PROGRAM} uninstall${scope === 'local' ? '' : ` --scope ${scope}`}\` takes it out with the hooks`,
    );
}

function nextSteps(dir: string | undefined, scope: Scope): string {
  const more = `${dir === undefined ? '' : ` ${JSON.stringify(dir)}`}${scope === 'local' ? '' : ` --scope ${scope}`}`;
  return [
    'It counts from the next session on.',
    `  what happens    ${PROGRAM} log -f`,
    `  why             ${PROGRAM} explain --last`,
    `  take it out     ${PROGRAM} uninstall${more}`,
    '',
  ].join('\n');
}

export default { order: 10, verbs: { init } } satisfies VerbFile;
