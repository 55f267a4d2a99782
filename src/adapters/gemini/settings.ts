import type { AgentProgram } from '../../event/agent-program.ts';
import type { SettingsWords } from '../../event/effect.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation } from '../adapter.ts';
import { ownLine } from '../hook-words.ts';
import type { Scope } from '../installer.ts';
import { AGENT } from './names.ts';

export const SETTINGS_FILES: readonly string[] = [
  '**/.gemini/settings.json',
  '~/.gemini/settings.json',
  '~/.gemini/trustedFolders.json',
  '/etc/gemini-cli/settings.json',
  '/etc/gemini-cli/system-defaults.json',
];

/** Scripts that people keep for its hooks, and extensions, which bring hooks of their own. */
export const CODE_FILES: readonly string[] = [
  '**/.gemini/hooks/**',
  '**/.gemini/extensions/**',
  '~/.gemini/extensions/**',
];

/** It has no file for one person in one project. */
export function settingsPath(scope: Scope, { root, home, env }: SettingsLocation): string | undefined {
  if (scope === 'local') return undefined;
  return join(scope === 'user' ? env['GEMINI_CLI_HOME'] || home : root, '.gemini', 'settings.json');
}

const POLICY_DIRS: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/GeminiCli',
  win32: 'C:\\ProgramData\\gemini-cli',
};

export function policyPaths(platform: string): readonly string[] {
  return [join(POLICY_DIRS[platform] ?? '/etc/gemini-cli', 'settings.json')];
}

/** Set for the commands that its model runs, and for nobody's shell. */
export const SIGN_VARIABLES: readonly string[] = ['GEMINI_CLI'];

export const SETTINGS_WORDS: SettingsWords = {
  switches: [],
  steering: ['hooks', 'hooksConfig', 'security', 'tools', 'FAIRLEAD_'],
  entries: ['fairlead'],
  entry: {
    calls: ['command'],
    own: [ownLine(AGENT)],
    narrowing: ['matcher'],
    holding: [],
    seconds: [],
  },
};

/** Ways to start the client so that it asks nobody, or takes its settings from elsewhere. */
export const AGENT_PROGRAM: AgentProgram = {
  names: ['gemini', '@google/gemini-cli'],
  others: [
    ...['mcp', 'extensions', 'extension', 'skills', 'skill', 'gemma', '--version', '-v', '--help', '-h'],
    ...['--list-extensions', '-l', '--list-sessions', '--delete-session'],
  ],
  off: ['--yolo', '-y'],
  choices: { '--approval-mode': ['yolo'] },
  grants: { options: ['--allowed-tools'], all: [] },
  settings: [],
  sources: ['--policy', '--admin-policy'],
  variables: ['GEMINI_CLI_HOME', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH', 'HOME'],
  sets: ['hooks'],
};
