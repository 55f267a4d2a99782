import type { AgentProgram } from '../../event/agent-program.ts';
import type { SettingsWords } from '../../event/effect.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation } from '../adapter.ts';
import { ownLine } from '../hook-words.ts';
import type { Scope } from '../installer.ts';
import { AGENT } from './names.ts';

export const SETTINGS_FILES: readonly string[] = ['~/.kimi-code/config.toml', '**/.kimi-code/config.toml'];

/** Plug-ins bring hooks of their own; the others name programs that it starts. */
export const CODE_FILES: readonly string[] = [
  '~/.kimi-code/plugins/**',
  '~/.kimi-code/hooks/**',
  '**/.kimi-code/plugins/**',
  '~/.kimi-code/mcp.json',
  '**/.kimi-code/mcp.json',
];

/** Where the client keeps what is one person's. */
export function configDir({ home, env }: SettingsLocation): string {
  return env['KIMI_CODE_HOME'] || join(home, '.kimi-code');
}

/** It reads hooks from one file of the person, and has none for a project. */
export function settingsPath(scope: Scope, location: SettingsLocation): string | undefined {
  return scope === 'user' ? join(configDir(location), 'config.toml') : undefined;
}

export const SETTINGS_WORDS: SettingsWords = {
  switches: [],
  steering: ['hooks', 'permission', 'default_permission_mode', 'FAIRLEAD_'],
  entries: ['fairlead'],
  entry: {
    calls: ['command'],
    own: [ownLine(AGENT)],
    narrowing: ['matcher'],
    holding: [],
    seconds: ['timeout'],
  },
};

/** Ways to start the client so that it asks nobody, or takes its settings from elsewhere. */
export const AGENT_PROGRAM: AgentProgram = {
  names: ['kimi', '@moonshot-ai/kimi-code'],
  others: [
    ...['export', 'fork', 'provider', 'session', 'login', 'doctor', 'vis', 'install-desktop', 'migrate', 'upgrade'],
    ...['update', '--version', '-V', '--help', '-h'],
  ],
  off: ['--auto', '--yolo', '-y', '--yes', '--auto-approve'],
  choices: {},
  grants: { options: [], all: [] },
  settings: [],
  sources: [],
  variables: ['KIMI_CODE_HOME', 'HOME'],
  sets: [],
};
