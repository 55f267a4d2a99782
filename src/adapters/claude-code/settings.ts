import type { SettingsWords } from '../../event/effect.ts';
import type { AgentProgram } from '../../event/agent-program.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation, SetupFiles } from '../adapter.ts';
import type { Scope } from '../installer.ts';
import { AGENT } from './parse.ts';

export const SETTINGS_FILES: readonly string[] = [
  '**/.claude/settings.json',
  '**/.claude/settings.local.json',
  '~/.claude/settings.json',
  '~/.claude/settings.local.json',
  '~/.claude.json',
  '/etc/claude-code/managed-settings.json',
  '/etc/claude-code/managed-settings.d/*.json',
  '/Library/Application Support/ClaudeCode/managed-settings.json',
];

/** Scripts that people keep for its hooks, what plugins bring, and the servers that it starts for a project. */
export const CODE_FILES: readonly string[] = ['**/.claude/hooks/**', '**/.claude/plugins/**', '**/.mcp.json'];

/** Where the client keeps what is one person's. */
export function configDir({ home, env }: SettingsLocation): string {
  return env['CLAUDE_CONFIG_DIR'] || join(home, '.claude');
}

export function settingsPath(scope: Scope, location: SettingsLocation): string {
  if (scope === 'user') return join(configDir(location), 'settings.json');
  return join(location.root, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
}

/** Where the client keeps its own state and, among it, a person's tool servers; an older place wins where a file is there. */
export function globalFile(location: SettingsLocation, files: SetupFiles): string {
  const older = join(configDir(location), '.config.json');
  return files.readText(older) === undefined
    ? join(location.env['CLAUDE_CONFIG_DIR'] || location.home, '.claude.json')
    : older;
}

/** Switches that keep hooks from running, whichever file they are in. */
export const SWITCHES: readonly string[] = ['disableAllHooks', 'allowManagedHooksOnly'];

export const SETTINGS_WORDS: SettingsWords = {
  switches: SWITCHES,
  steering: [...SWITCHES, 'hooks', 'enabledPlugins', 'allowedHttpHookUrls', 'FAIRLEAD_'],
  variables: ['CLAUDE_CONFIG_DIR'],
  grants: {
    defaultMode: ['bypassPermissions', 'acceptEdits', 'auto'],
    allow: ['*', 'Bash', 'Bash(*)', 'Bash(:*)', 'Bash(*:*)', 'Bash(**)'].concat(
      ['Edit', 'Write'].flatMap((tool) => [tool, `${tool}(*)`, `${tool}(**)`]),
    ),
    skipDangerousModePermissionPrompt: ['true'],
  },
  entries: ['fairlead', `/hook/${AGENT}`],
  entry: {
    calls: ['command', 'args', 'url'],
    own: [
      String.raw`^(?:(?:[^\n]*[\\/])?(?:node(?:js)?|bun)(?:\.exe)?\n)?(?:[^\n]*[\\/])?fairlead[\w.-]*\nhook\n--agent\n${AGENT}(?:\n|$)`,
      String.raw`^(?:(?:\S*[\\/])?(?:node(?:js)?|bun)(?:\.exe)?\s+)?(?:"[^"\n]*[\\/]|'[^'\n]*[\\/]|[^\s"'|&;]*[\\/]|["'])?fairlead[\w.-]*["']?[ \t]+hook[ \t]+--agent[ \t]+["']?${AGENT}(?![\w-])`,
      String.raw`^http://(?:127\.0\.0\.1|localhost|\[::1\]):\d+/hook/${AGENT}$`,
    ],
    narrowing: ['matcher', 'if', 'async', 'asyncRewake', 'shell'],
    holding: ['onFailure'],
    seconds: ['timeout'],
  },
};

/** Ways to start the client so that it runs no hooks, asks nobody, or takes its settings from elsewhere. */
export const AGENT_PROGRAM: AgentProgram = {
  names: ['claude', 'claude-code', '@anthropic-ai/claude-code'],
  others: [
    ...['mcp', 'config', 'doctor', 'update', 'install', 'plugin', 'auth', 'agents', 'setup-token', 'migrate-installer'],
    ...['--version', '-v', '--help', '-h'],
  ],
  off: ['--bare', '--safe-mode', '--dangerously-skip-permissions', '--allow-dangerously-skip-permissions'],
  choices: { '--permission-mode': ['bypassPermissions'] },
  grants: { options: ['--allowedTools', '--allowed-tools'], all: ['*', 'Bash', 'Bash(*)', 'Bash(:*)'] },
  settings: ['--settings'],
  sources: ['--setting-sources'],
  variables: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE', 'HOME'],
  sets: ['config', 'set'],
  drops: ['plugin', 'plugins'].flatMap((noun) => [
    ...['uninstall', 'remove', 'disable', 'update', 'prune', 'autoremove'].map((verb) => [noun, verb]),
    ...['remove', 'rm', 'update'].map((verb) => [noun, 'marketplace', verb]),
  ]),
};
