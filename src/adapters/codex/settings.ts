import type { AgentProgram } from '../../event/agent-program.ts';
import type { SettingsWords } from '../../event/effect.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation } from '../adapter.ts';
import { ownLine } from '../hook-words.ts';
import type { Scope } from '../installer.ts';
import { AGENT } from './names.ts';

export const SETTINGS_FILES: readonly string[] = [
  '**/.codex/hooks.json',
  '**/.codex/config.toml',
  '~/.codex/hooks.json',
  '~/.codex/config.toml',
  '~/.codex/*.config.toml',
  '/etc/codex/config.toml',
  '/etc/codex/requirements.toml',
];

/** Scripts that people keep for its hooks, and what plugins bring. */
export const CODE_FILES: readonly string[] = ['**/.codex/hooks/**', '**/.codex/plugins/**'];

/** Where the client keeps what is one person's. */
export function configDir({ home, env }: SettingsLocation): string {
  return env['CODEX_HOME'] || join(home, '.codex');
}

/** It has no file for one person in one project. */
export function settingsPath(scope: Scope, location: SettingsLocation): string | undefined {
  if (scope === 'local') return undefined;
  return join(scope === 'user' ? configDir(location) : join(location.root, '.codex'), 'hooks.json');
}

/** Sign of what the client starts for its model; hooks get none of them. */
export const SIGN_VARIABLES: readonly string[] = [
  'CODEX_SESSION_ID',
  'CODEX_THREAD_ID',
  'CODEX_TOOL_CALL_ID',
  'CODEX_CI',
];

export const SETTINGS_WORDS: SettingsWords = {
  switches: [],
  steering: ['hooks', 'features', 'plugins', 'approval_policy', 'sandbox_mode', 'profile', 'FAIRLEAD_'],
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
  names: ['codex', '@openai/codex'],
  others: [
    ...['login', 'logout', 'mcp', 'plugin', 'completion', 'update', 'doctor', 'sandbox', 'debug', 'apply', 'a'],
    ...['archive', 'delete', 'unarchive', 'features', 'help', '--version', '-V', '--help', '-h'],
  ],
  off: [
    ...['--dangerously-bypass-approvals-and-sandbox', '--yolo', '--ignore-user-config', '--approve-for-me'],
    // It applies a patch, of which no hook is told.
    '--codex-run-as-apply-patch',
  ],
  choices: {
    '-a': ['never'],
    '--ask-for-approval': ['never'],
    '-s': ['danger-full-access'],
    '--sandbox': ['danger-full-access'],
    '--disable': ['hooks'],
  },
  grants: { options: [], all: [] },
  settings: ['-c', '--config'],
  sources: ['-p', '--profile'],
  variables: ['CODEX_HOME', 'HOME'],
  sets: ['features', 'disable'],
  drops: [
    ['plugin', 'remove'],
    ['plugin', 'marketplace', 'remove'],
    ['plugin', 'marketplace', 'upgrade'],
  ],
};
