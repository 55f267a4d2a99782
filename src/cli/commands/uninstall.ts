import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { Scope } from '../../adapters/installer.ts';
import { canonicalPath, nodeFiles } from '../../platform/files.ts';
import { carryOutReturn, planReturns } from '../adopt/give-back.ts';
import type { Return } from '../adopt/give-back.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { CONFIRM_OPTIONS, tellAndAsk, writeAll } from '../install/confirm.ts';
import { writeScreen } from '../install/found-screen.ts';
import { inspectInstall } from '../install/inspect.ts';
import { oneAtATime } from '../install/one-at-a-time.ts';
import { requireProject, scopeOf, targetOf } from '../install/target.ts';
import type { Target } from '../install/target.ts';
import { planUnwiring } from '../install/plan.ts';
import type { SettingsChange } from '../install/plan.ts';
import { inspectServers, planServerRemovals, serversFor } from '../install/servers.ts';
import { planDistrust } from '../install/trust.ts';
import { writeRecord } from '../install/record.ts';
import { counted } from '../table.ts';
import { copiesOf, sumUp } from '../undo-copies.ts';

export const uninstall: Command = {
  summary: 'take the hooks out again',
  gated: 'it takes the hooks out of the agent',
  usage: '[dir]',
  details: `Takes every entry of fairlead out of the agent's settings, hooks and tool server. A file that is still as \`init\` left it gets back the bytes it had;
in one that was changed since, everything else stays as it is. Hooks that \`adopt\` took over go back first. Rules, settings and state of fairlead are not touched, nor are the copies for \`fairlead undo\` without --undo.
Without --scope: the files of the project, both yours and the shared one.`,
  args: [0, 1],
  options: {
    scope: { type: 'string', value: 'SCOPE', help: 'local, project or user' },
    undo: { type: 'boolean', help: 'delete the copies that `fairlead undo` brings back, too' },
    ...CONFIRM_OPTIONS,
  },
  check(input, world) {
    const target = targetOf(input.args[0], world);
    if (scopesOf(input).some((scope) => scope !== 'user')) requireProject(target);
  },
  run: (input, world) => oneAtATime(input, world, run),
};

const OF_PROJECT: readonly Scope[] = ['local', 'project'];

function scopesOf(input: Input): readonly Scope[] {
  const word = input.text('scope');
  return word === undefined ? OF_PROJECT : [scopeOf(word)];
}

async function run(input: Input, world: CliWorld): Promise<number> {
  const word = input.text('scope');
  const scopes = scopesOf(input);
  const target = targetOf(input.args[0], world);
  const isUnwired = new Set(hookFilesOf(scopes, target).map((path) => canonicalPath(nodeFiles, path)));
  const adopted = planReturns((file) => isUnwired.has(file), world);
  if (adopted.length > 0) {
    const answer = await giveBack(adopted, input, target.root, world);
    if (answer !== 0 || input.has('dry-run')) return answer;
  }
  const changes = plan(scopes, target, world);
  if (word === undefined) {
    for (const { path } of inspectInstall(input.args[0], world).filter(
      (each) => each.scope === 'user' && each.wired.length > 0,
    )) {
      world.err(`note: ${path} is wired for all your projects; \`fairlead uninstall --scope user\` takes that out\n`);
    }
    for (const { settings } of inspectServers(input.args[0], world).filter(
      (each) => each.scope === 'user' && each.calls.length > 0,
    )) {
      world.err(
        `note: ${settings.path} names the tool server for all your projects; \`fairlead uninstall --scope user\` takes that out\n`,
      );
    }
  }
  if (input.has('undo') && !input.has('dry-run')) removeCopies(world);
  if (changes.length === 0) {
    world.out(`Nothing to do: no entry of fairlead in ${pathsOf(scopes, target).join(', ')}.\n`);
    return 0;
  }
  world.out(writeScreen('To be taken out', changes, aboutChange, target.root, world));
  const answer = await tellAndAsk(changes, input, world);
  if (answer !== 'yes') return answer;
  writeAll(changes, (change, moment) => {
    if (moment === 'after') writeRecord(nodeFiles, world.paths.state, change.recordKey, undefined);
  });
  for (const { agent, path, after, entry } of changes) {
    const what = { hooks: agent, 'tool server': `the tool server of ${agent}`, trust: `what ${agent} was told of you` }[
      entry
    ];
    world.out(
      after === undefined ? `Took ${what} out: ${path} is gone, as before.\n` : `Took ${what} out of ${path}.\n`,
    );
  }
  return 0;
}

/** Hooks that the engine runs for others go back to where they were, before nobody runs them. */
async function giveBack(returns: readonly Return[], input: Input, root: string, world: CliWorld): Promise<number> {
  const changes = returns.flatMap((each) => each.changes);
  world.out(writeScreen('To be given back', changes, () => 'hooks that fairlead has adopted', root, world));
  for (const remark of returns.flatMap(({ remarks }) => remarks)) world.err(`note: ${remark}\n`);
  const answer = await tellAndAsk(changes, input, world);
  if (answer !== 'yes') return answer;
  for (const each of returns) carryOutReturn(each, world);
  return 0;
}

function hookFilesOf(scopes: readonly Scope[], target: Target): string[] {
  return INSTALLERS.flatMap((installer) => scopes.flatMap((scope) => installer.settingsPath(scope, target) ?? []));
}

function removeCopies(world: CliWorld): void {
  const { store } = copiesOf(world);
  const { count } = sumUp(store.list());
  store.clear();
  world.out(`Deleted ${counted(count, 'copy')} for undo.\n`);
}

function aboutChange({ entry, after }: SettingsChange): string {
  const what = {
    hooks: "fairlead's own entries",
    'tool server': 'the tool server of the code graph',
    trust: 'that you agreed to them',
  }[entry];
  return after === undefined ? `${what}; the file goes, as before` : `${what}; all else stays`;
}

function plan(scopes: readonly Scope[], target: Target, world: CliWorld): SettingsChange[] {
  return [
    ...planServerRemovals(scopes, target, world),
    ...planDistrust(INSTALLERS, scopes, target, world),
    ...INSTALLERS.flatMap((installer) =>
      scopes.flatMap((scope) => {
        const path = installer.settingsPath(scope, target);
        return path === undefined ? [] : (planUnwiring(installer, scope, path, world) ?? []);
      }),
    ),
  ];
}

function pathsOf(scopes: readonly Scope[], target: Target): string[] {
  return INSTALLERS.flatMap((installer) =>
    scopes.flatMap((scope) =>
      [
        installer.settingsPath(scope, target) ?? [],
        serversFor([installer], scope, target).map(({ path }) => path),
      ].flat(),
    ),
  );
}

export default { order: 20, verbs: { uninstall } } satisfies VerbFile;
