import { commandInstaller } from '../command-hooks.ts';
import type { Installer } from '../installer.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, EVENTS } from './names.ts';
import { pluginHooks } from './plugins.ts';
import { PROMISES } from './promises.ts';
import { settingsPath } from './settings.ts';
import { trustSettings } from './trust.ts';

const { text, flag, fields, seconds } = CHECKS;

const { isOwn, ...entries } = commandInstaller({
  agent: AGENT,
  events: EVENTS,
  file: '.codex/hooks.json',
  // Client 0.166.0 allows no more for these, and says so at every start.
  timeouts: { 'session.end': 3, 'turn.failed': 3 },
  perSecond: 1,
  rules: {
    events: EVENTS.map(({ name }) => name),
    types: {
      command: { needs: ['command'], has: { command: text, commandWindows: text, async: flag } },
      mcp_tool: { needs: ['server', 'tool'], has: { server: text, tool: text, input: fields } },
      prompt: { needs: [], has: {} },
      agent: { needs: [], has: {} },
    },
    ofAll: { timeout: seconds, statusMessage: text },
    top: ['description', 'hooks'],
    // One that it cannot read makes it leave the whole file out.
    disables: () => 'file',
  },
});

export const codexInstaller: Installer = {
  ...entries,
  promises: PROMISES,
  settingsPath,
  reach: (scope) =>
    scope === 'user' ? 'all your sessions, in every project' : 'sessions in this project, of everybody who trusts it',
  policyPaths: () => [],
  pluginHooks,
  trust: (scope, location, files) => trustSettings(scope, location, files, isOwn),
};
