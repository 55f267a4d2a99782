import { INSTALLERS } from '../../adapters/installers.generated.ts';
import { SCOPES } from '../../adapters/installer.ts';
import type { Installer, Scope, ServerSettings, SettingsProblem } from '../../adapters/installer.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { PROJECT_DIR } from '../../workspace/config/trust.ts';
import type { CliWorld } from '../command.ts';
import { userConfigPath } from '../user-config.ts';
import type { Call } from './inspect.ts';
import { launchFor, problemOfCall } from './launcher.ts';
import { targetOf } from './target.ts';
import type { Target } from './target.ts';
import { homeOf, planServer, planServerRemoval } from './plan.ts';
import type { SettingsChange } from './plan.ts';

/** One scope of an agent, and what it says about our tool server. */
export interface ServerWiring {
  readonly agent: string;
  readonly scope: Scope;
  readonly settings: ServerSettings;
  /** How it is started; more than one when it is named twice, none when it is not named here. */
  readonly calls: readonly Call[];
  readonly isTaken: boolean;
  /** Why the whole file cannot be read. */
  readonly broken?: SettingsProblem;
}

/** Every scope in which an agent that works in a directory looks for tool servers, the strongest first. */
export function inspectServers(
  dir: string | undefined,
  world: Pick<CliWorld, 'cwd' | 'userHome' | 'env'>,
): readonly ServerWiring[] {
  const target = targetOf(dir, world);
  const scopes = SCOPES.filter((scope) => target.isProject || scope === 'user');
  return INSTALLERS.flatMap((installer) =>
    scopes.flatMap((scope): ServerWiring[] => {
      const settings = installer.serverSettings?.(scope, target, nodeFiles);
      if (!settings) return [];
      const text = nodeFiles.readText(settings.path) ?? '';
      const { own, problems } = text.trim() === '' ? { own: [], problems: [] } : settings.read(text);
      const broken = problems.find(({ path }) => path === '');
      const calls = own.map(({ words }): Call => {
        const problem = problemOfCall(words, world.env, nodeFiles, 'mcp');
        return { words, home: homeOf(words, world), ...(problem === undefined ? {} : { problem }) };
      });
      const isTaken = settings.isTaken(text);
      return [{ agent: installer.agent, scope, settings, calls, isTaken, ...(broken && { broken }) }];
    }),
  );
}

/** What no project has a say in. */
const EVERYWHERE = '/';

/** Whether the pack that the server belongs to is on for the sessions of a scope. */
export async function wantsServer(scope: Scope, root: string, world: CliWorld): Promise<boolean> {
  // Where nothing was ever set nothing is on; asking the engine would make its state.
  if (![userConfigPath(world.paths.config), join(root, PROJECT_DIR)].some(nodeFiles.exists)) return false;
  const { graph } = await world.engine().workspaces.policyAt(scope === 'user' ? EVERYWHERE : root);
  return graph !== undefined;
}

/** The changes that tell agents of our tool server in one scope. It speaks for as long as a session lasts, so Node runs it. */
export function planServers(
  installers: readonly Installer[],
  scope: Scope,
  target: Target,
  world: CliWorld,
): readonly SettingsChange[] {
  const launch = launchFor(scope, world.paths, { kind: 'node', why: 'only Node can run it' });
  return serversFor(installers, scope, target).flatMap((settings) => planServer(settings, scope, launch, world) ?? []);
}

export function planServerRemovals(
  scopes: readonly Scope[],
  target: Target,
  world: CliWorld,
): readonly SettingsChange[] {
  return scopes.flatMap((scope) =>
    serversFor(INSTALLERS, scope, target).flatMap((settings) => planServerRemoval(settings, scope, world) ?? []),
  );
}

/** Where agents look for tool servers in one scope. */
export function serversFor(installers: readonly Installer[], scope: Scope, target: Target): readonly ServerSettings[] {
  return installers.flatMap((installer) => installer.serverSettings?.(scope, target, nodeFiles) ?? []);
}
