import type { AgentProgram } from '../../event/agent-program.ts';
import type { SettingsWords } from '../../event/effect.ts';
import { join } from '../../platform/paths.ts';
import type { SettingsLocation } from '../adapter.ts';
import type { Scope } from '../installer.ts';

export const NAMES: readonly string[] = ['opencode.json', 'opencode.jsonc'];
export const PROJECT_DIR = '.opencode';
const PLUGIN_DIRS = ['plugin', 'plugins'];
const CODE_DIRS = [...PLUGIN_DIRS, 'tool', 'tools'];

export const SETTINGS_FILES: readonly string[] = [
  ...NAMES.flatMap((name) => [`**/${name}`, `~/.config/opencode/${name}`, `/etc/opencode/${name}`]),
  '~/.config/opencode/config.json',
  ...PLUGIN_DIRS.flatMap((dir) => [`**/.opencode/${dir}/fairlead.js`, `~/.config/opencode/${dir}/fairlead.js`]),
];

/** Plugins and tools, which it loads by itself. */
export const CODE_FILES: readonly string[] = CODE_DIRS.flatMap((dir) => [
  `**/.opencode/${dir}/**`,
  `~/.config/opencode/${dir}/**`,
]);

export function configDir({ home, env }: SettingsLocation): string {
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode');
}

/** It has no place for one person in one project. */
export function settingsPath(scope: Scope, location: SettingsLocation): string | undefined {
  if (scope === 'local') return undefined;
  return join(scope === 'user' ? configDir(location) : join(location.root, PROJECT_DIR), 'plugin', 'fairlead.js');
}

/** Set for the commands that its model runs, and for nobody's shell. */
export const SIGN_VARIABLES: readonly string[] = ['OPENCODE', 'OPENCODE_PID'];

export const SETTINGS_WORDS: SettingsWords = {
  switches: [],
  steering: ['plugin', 'permission', 'FAIRLEAD'],
  entries: ['fairlead'],
  entry: { calls: ['words'], own: [], narrowing: [], holding: ['blocks'], seconds: [] },
};

/** Ways to start the client so that it asks nobody, loads no plugin, or takes its settings from elsewhere. */
export const AGENT_PROGRAM: AgentProgram = {
  names: ['opencode', 'opencode-ai'],
  others: [
    ...['completion', 'mcp', 'attach', 'debug', 'providers', 'auth', 'agent', 'upgrade', 'uninstall', 'models'],
    ...['stats', 'export', 'import', 'session', 'plugin', 'plug', 'db', '--version', '-v', '--help', '-h'],
  ],
  off: ['--pure', '--auto'],
  choices: {},
  grants: { options: [], all: [] },
  settings: [],
  sources: [],
  variables: [
    ...['OPENCODE_PURE', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_PERMISSION'],
    ...['XDG_CONFIG_HOME', 'HOME'],
  ],
  sets: [],
};
