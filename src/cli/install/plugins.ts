import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { Scope } from '../../adapters/installer.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { Wiring } from './inspect.ts';
import type { Target } from './target.ts';
import type { AgentFile } from './trust.ts';

/** Extensions of agents that call us in all sessions that read the settings of a scope. Who shares a file may not have them. */
export function pluginsThatCall(
  files: readonly AgentFile[],
  scope: Scope,
  wirings: readonly Wiring[],
): readonly Wiring[] {
  if (scope === 'project') return [];
  const isMeant = (agent: string): boolean => files.some(({ installer }) => installer.agent === agent);
  return wirings.filter(
    ({ agent, plugin, valid }) => plugin && valid && (plugin.isEverywhere || scope === 'local') && isMeant(agent),
  );
}

/** Why `init` writes no hooks for an agent, and what to do where they are in its settings as well. */
export function aboutPlugin({ agent, plugin }: Wiring, wirings: readonly Wiring[], target: Target): string {
  const { name = '', removal = '' } = plugin ?? {};
  const twice = wirings.filter((each) => each.agent === agent && !each.plugin && each.wired.length > 0);
  const more = twice.map(
    ({ path, scope }) => `. ${path} calls it a second time; \`fairlead uninstall --scope ${scope}\` takes that one out`,
  );
  const trust = INSTALLERS.find((each) => each.agent === agent)?.trust?.('user', target, nodeFiles);
  const agree = trust ? `. It skips hooks that you have not agreed to: ${trust.byHand}` : '';
  return `${agent} calls Fairlead by its plugin ${name}, so no hooks are written for it; \`${removal}\`, then \`fairlead init\`, has them in its settings instead${more.join('')}${agree}`;
}
