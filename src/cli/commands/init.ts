import { INSTALLERS } from '../../adapters/installers.ts';
import type { Installer, Scope } from '../../adapters/installer.ts';
import { nodeFiles } from '../../platform/files.ts';
import { CommandError, UsageError } from '../command.ts';
import type { CliWorld, Command, Input } from '../command.ts';
import { CONFIRM_OPTIONS, showAndWrite } from '../install/confirm.ts';
import type { FileChange } from '../install/file-change.ts';
import { inspectInstall } from '../install/inspect.ts';
import { findOnPath, launchFor, PROGRAM } from '../install/launcher.ts';
import { planPacks } from '../install/packs.ts';
import { isGitIgnored, placeOf, requireProject, scopeOf } from '../install/place.ts';
import type { Place } from '../install/place.ts';
import { homeOf, planWiring } from '../install/plan.ts';
import type { SettingsChange } from '../install/plan.ts';
import { writeRecord } from '../install/record.ts';

export const init: Command = {
  summary: 'install the hooks into a project',
  usage: '[dir]',
  details: `Shows what would change in the agent's settings, asks, and writes it. Hooks and settings of others stay as they are.
Run it again after moving or updating fairlead: entries that are there are pointed to the new place.

Scopes: local (default) is you in this project, project is everybody in it (the file is shared, so it holds a bare
"${PROGRAM}" that must be on PATH), user is you everywhere.`,
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
      help: 'also switch a pack of rules on, in your own settings',
    },
    scope: { type: 'string', value: 'SCOPE', help: 'local, project or user' },
    ...CONFIRM_OPTIONS,
  },
  run,
};

async function run(input: Input, world: CliWorld): Promise<number> {
  const scope = scopeOf(input.text('scope') ?? 'local');
  const installers = chooseAgents(input.list('agent'));
  const place = placeOf(input.args[0], world);
  if (scope !== 'user') requireProject(place);
  if (scope === 'project' && !findOnPath(PROGRAM, world.env)) {
    throw new CommandError(
      `a shared settings file calls \`${PROGRAM}\` by name, and it is not on your PATH. Put it there (\`npm link\` in its directory does), or use --scope local.`,
    );
  }
  const packs = planPacks(input.list('pack'), world);
  const launch = launchFor(scope, world.paths, nodeFiles);
  const files = installers.map((installer) => ({ installer, path: installer.settingsPath(scope, place) }));
  const wirings = files.flatMap(({ installer, path }) => planWiring(installer, scope, path, launch, world) ?? []);
  const changes: (FileChange | SettingsChange)[] = [...wirings, ...(packs ? [packs] : [])];

  if (scope !== 'user')
    world.out(`Project: ${place.root}${place.workspace.markerBacked ? '' : ' (nothing marks it as a project)'}\n`);
  for (const warning of warningsFor(scope, place, installers, input.args[0], world)) world.err(`note: ${warning}\n`);
  if (changes.length === 0) {
    world.out(
      `Nothing to do: ${files.map(({ path }) => path).join(', ')} ${files.length === 1 ? 'is' : 'are'} wired as it should be.\n`,
    );
    return 0;
  }
  const outcome = await showAndWrite(changes, input, world, (change, moment) => {
    // Ahead of the file: a record without entries says nothing, entries without a record cannot be undone to the byte.
    if (moment === 'before' && 'record' in change)
      writeRecord(nodeFiles, world.paths.state, change.recordKey, change.record);
  });
  if (outcome !== 'written') return outcome;
  for (const { installer, path } of files) world.out(closing(installer, path, scope));
  if (packs) world.out(`Switched on in ${packs.path}: ${input.list('pack').join(', ')}.\n`);
  world.out(nextSteps(input.args[0], scope));
  return 0;
}

function chooseAgents(names: readonly string[]): readonly Installer[] {
  const unknown = names.find((name) => !INSTALLERS.some(({ agent }) => agent === name));
  if (unknown !== undefined)
    throw new UsageError(`there is no agent "${unknown}"; there is ${INSTALLERS.map(({ agent }) => agent).join(', ')}`);
  return names.length === 0 ? INSTALLERS : INSTALLERS.filter(({ agent }) => names.includes(agent));
}

/** What would keep the hooks from running, or run them twice, or surprise somebody. */
function* warningsFor(
  scope: Scope,
  place: Place,
  installers: readonly Installer[],
  dir: string | undefined,
  world: CliWorld,
): Generator<string> {
  for (const wiring of inspectInstall(dir, world)) {
    const { path, switches, problems, wired } = wiring;
    if (!installers.some(({ agent }) => agent === wiring.agent)) continue;
    for (const name of switches) yield `${path} sets ${name}, so the agent will not run these hooks`;
    for (const problem of problems) {
      yield `${path}: ${problem.path || 'the file'} ${problem.message}; the agent ignores ${problem.disables === 'file' ? 'every hook in this file' : 'that entry'}`;
    }
    if (wiring.scope !== scope && wired.length > 0) {
      yield `${path} is wired too, so every event would start fairlead twice; \`fairlead uninstall --scope ${wiring.scope}\` takes that one out`;
    }
  }
  const usual = homeOf([], world);
  if (scope === 'project' && usual.config !== world.paths.config) {
    yield `a shared file names no directories: these hooks will read settings in ${usual.config}, not ${world.paths.config}`;
  }
  if (scope !== 'local' || place.workspace.repository?.system !== 'git') return;
  for (const installer of installers) {
    const path = installer.settingsPath('local', place);
    if (isGitIgnored(place.root, path) === false)
      yield `${path} is not ignored by git; it holds paths of this machine, so keep it out of commits`;
  }
}

function closing(installer: Installer, path: string, scope: Scope): string {
  const names = installer.wired.map(({ name }) => name);
  return `\nWired ${installer.agent} for ${installer.reach(scope)}: ${names.length} events in ${path}\n  ${names.join(', ')}\n`;
}

function nextSteps(dir: string | undefined, scope: Scope): string {
  const more = `${dir === undefined ? '' : ` ${JSON.stringify(dir)}`}${scope === 'local' ? '' : ` --scope ${scope}`}`;
  return [
    'It counts from the next session on.',
    `  see it work   ${PROGRAM} log -f`,
    `  check it      ${PROGRAM} doctor`,
    `  undo it       ${PROGRAM} uninstall${more}`,
    '',
  ].join('\n');
}
