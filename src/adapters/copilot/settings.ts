import type { AgentProgram } from '../../event/agent-program.ts';
import type { SettingsWords } from '../../event/effect.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation } from '../adapter.ts';
import { ownLine } from '../hook-words.ts';
import type { Scope } from '../installer.ts';
import { AGENT } from './names.ts';

export const SETTINGS_FILES: readonly string[] = [
  '~/.copilot/hooks/*.json',
  '~/.copilot/settings.json',
  '~/.copilot/config.json',
  '~/.copilot/permissions-config.json',
  '**/.github/hooks/*.json',
  '**/.github/copilot/settings.json',
  '**/.github/copilot/settings.local.json',
  '/etc/github-copilot/managed-settings.json',
  '/etc/github-copilot/policy.d/**',
];

/** Scripts that people keep for its hooks, servers that it starts, and plugins, which bring hooks of their own. */
export const CODE_FILES: readonly string[] = [
  '~/.copilot/hooks/**',
  '**/.github/hooks/**',
  '~/.copilot/mcp-config.json',
  '~/.copilot/installed-plugins/**',
  '**/.github/extensions/**',
  '~/.copilot/extensions/**',
];

export function homeOf({ home, env }: Omit<SettingsLocation, 'root'>): string {
  return env['COPILOT_HOME'] || join(home, '.copilot');
}

/** Hooks of one person lie beside each other, a file for each owner. It reads those of a project where the folder is trusted. */
export function settingsPath(scope: Scope, location: SettingsLocation): string | undefined {
  if (scope === 'local') return undefined;
  return join(scope === 'user' ? homeOf(location) : join(location.root, '.github'), 'hooks', 'fairlead.json');
}

export function policyPaths(platform: string): readonly string[] {
  return platform === 'linux' ? ['/etc/github-copilot/managed-settings.json'] : [];
}

/** Set for the commands that its model runs and for hooks, and for nobody's shell. */
export const SIGN_VARIABLES: readonly string[] = ['COPILOT_CLI', 'COPILOT_AGENT_SESSION_ID'];

export const SETTINGS_WORDS: SettingsWords = {
  switches: ['disableAllHooks'],
  steering: ['hooks', 'trustedFolders', 'defaultPermissionMode', 'FAIRLEAD_'],
  entries: ['fairlead'],
  entry: {
    calls: ['command', 'bash'],
    own: [ownLine(AGENT)],
    narrowing: ['matcher'],
    holding: [],
    seconds: ['timeout', 'timeoutSec'],
  },
};

/** Ways to start the client so that it asks nobody, or takes its settings from elsewhere. */
export const AGENT_PROGRAM: AgentProgram = {
  names: ['copilot', '@github/copilot'],
  others: [
    ...['app', 'login', 'help', 'init', 'update', 'version', 'sessions', 'memories', 'plugin', 'mcp', 'skill'],
    ...['instruction', 'lsp', 'sandbox', 'completion', '--version', '-v', '--help', '-h'],
  ],
  off: ['--allow-all-tools', '--allow-all', '--yolo'],
  choices: { '--mode': ['autopilot'] },
  grants: { options: ['--allow-tool'], all: [] },
  settings: [],
  sources: ['--plugin-dir', '--extension-sdk-path'],
  variables: ['COPILOT_HOME', 'COPILOT_ALLOW_ALL', 'COPILOT_CLI_DIST_DIR', 'HOME'],
  sets: ['config'],
};
