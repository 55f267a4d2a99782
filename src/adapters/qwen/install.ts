import { commandInstaller } from '../command-hooks.ts';
import { isFields } from '../fields.ts';
import type { Installer } from '../installer.ts';
import type { JsonContainer } from '../json-edit.ts';
import { toValue } from '../json-edit.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, EVENTS } from './names.ts';
import { PROMISES } from './promises.ts';
import { policyPaths, settingsPath } from './settings.ts';

const { text, fields } = CHECKS;

/** From here on the client takes a limit for milliseconds. */
const MILLISECONDS_FROM = 1_000;

const { isOwn: _, ...entries } = commandInstaller({
  agent: AGENT,
  events: EVENTS,
  file: '.qwen/settings.json',
  timeouts: {},
  perSecond: 1,
  secondsIn: (limit) => (limit >= MILLISECONDS_FROM ? limit / 1_000 : limit),
  rules: {
    events: EVENTS.map(({ name }) => name),
    types: {
      command: { needs: ['command'], has: { command: text, env: fields } },
      http: { needs: ['url'], has: { url: text } },
      prompt: { needs: ['prompt'], has: { prompt: text } },
    },
    ofAll: { name: text, description: text },
    comments: true,
    // It leaves out what it cannot read, and goes on.
    disables: () => 'entry',
  },
  switches,
});

/** One for all hooks, and the sandbox for tools: in it the client runs none. */
function switches(root: JsonContainer | undefined): readonly string[] {
  const settings = root === undefined ? undefined : toValue(root);
  if (!isFields(settings)) return [];
  const { disableAllHooks, tools } = settings;
  return [
    ...(disableAllHooks === true ? ['disableAllHooks'] : []),
    ...(isFields(tools) && tools['executionSandbox'] !== undefined ? ['tools.executionSandbox'] : []),
  ];
}

export const qwenInstaller: Installer = {
  ...entries,
  promises: PROMISES,
  settingsPath,
  reach: (scope) =>
    scope === 'user'
      ? 'all your sessions, in every project'
      : 'sessions in this project, of everybody who has told the agent to trust it or never asked for that',
  policyPaths,
};
