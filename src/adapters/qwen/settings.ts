import type { AgentProgram } from '../../event/agent-program.ts';
import type { SettingsWords } from '../../event/effect.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation } from '../adapter.ts';
import { ownLine } from '../hook-words.ts';
import type { Scope } from '../installer.ts';
import { AGENT } from './names.ts';

export const SETTINGS_FILES: readonly string[] = [
  '**/.qwen/settings.json',
  '~/.qwen/settings.json',
  '~/.qwen/trustedFolders.json',
  // It takes from here where its settings lie, and whether it runs hooks.
  '**/.qwen/.env',
  '~/.qwen/.env',
  '/etc/qwen-code/settings.json',
  '/etc/qwen-code/system-defaults.json',
];

/** Scripts that people keep for its hooks, and extensions and skills, which bring hooks of their own. */
export const CODE_FILES: readonly string[] = [
  '**/.qwen/hooks/**',
  '**/.qwen/skills/**',
  '~/.qwen/skills/**',
  '~/.qwen/extensions/**',
];

/** It has no file for one person in one project. */
export function settingsPath(scope: Scope, { root, home, env }: SettingsLocation): string | undefined {
  if (scope === 'local') return undefined;
  const dir = scope === 'user' ? env['QWEN_HOME'] || join(home, '.qwen') : join(root, '.qwen');
  return join(dir, 'settings.json');
}

const POLICY_DIRS: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/QwenCode',
  win32: 'C:\\ProgramData\\qwen-code',
};

export function policyPaths(platform: string): readonly string[] {
  return [join(POLICY_DIRS[platform] ?? '/etc/qwen-code', 'settings.json')];
}

/** Set for the commands that its model runs, and for nobody's shell. */
export const SIGN_VARIABLES: readonly string[] = ['QWEN_CODE', 'QWEN_CODE_SESSION_ID'];

export const SETTINGS_WORDS: SettingsWords = {
  switches: ['disableAllHooks'],
  steering: ['disableAllHooks', 'hooks', 'security', 'tools', 'permissions', 'FAIRLEAD_', 'QWEN_'],
  entries: ['fairlead'],
  entry: {
    calls: ['command'],
    own: [ownLine(AGENT)],
    narrowing: ['matcher', 'async'],
    holding: [],
    seconds: ['timeout'],
  },
};

/** Ways to start the client so that it runs no hooks, asks nobody, or takes its settings from elsewhere. */
export const AGENT_PROGRAM: AgentProgram = {
  names: ['qwen', '@qwen-code/qwen-code'],
  others: [
    ...['auth', 'board', 'extensions', 'hooks', 'mcp', 'sandbox', 'sessions', 'update', '--version', '-v'],
    ...['--help', '-h', '--list-extensions', '-l'],
  ],
  off: ['--yolo', '-y', '--bare', '--safe-mode'],
  choices: { '--approval-mode': ['yolo'] },
  grants: { options: ['--allowed-tools'], all: [] },
  settings: [],
  sources: [],
  variables: [
    ...['QWEN_HOME', 'QWEN_CODE_SAFE_MODE', 'QWEN_CODE_SIMPLE', 'QWEN_CODE_SYSTEM_SETTINGS_PATH'],
    ...['QWEN_CODE_SYSTEM_DEFAULTS_PATH', 'QWEN_CODE_TRUSTED_FOLDERS_PATH', 'HOME'],
  ],
  sets: [],
};
