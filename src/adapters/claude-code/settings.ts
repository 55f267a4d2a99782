import type { SettingsWords } from '../../event/effect.ts';
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

/** Switches that keep hooks from running, whichever file they are in. */
export const SWITCHES: readonly string[] = ['disableAllHooks', 'allowManagedHooksOnly'];

export const SETTINGS_WORDS: SettingsWords = {
  switches: SWITCHES,
  steering: [...SWITCHES, 'hooks', 'allowedHttpHookUrls', 'FAIRLEAD_'],
  entries: ['fairlead', `/hook/${AGENT}`],
};
