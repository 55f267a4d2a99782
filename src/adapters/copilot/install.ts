import { commandInstaller } from '../command-hooks.ts';
import type { Installer } from '../installer.ts';
import type { JsonContainer } from '../json-edit.ts';
import { memberOf, toValue } from '../json-edit.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, BOTH_SPELLINGS, EVENTS } from './names.ts';
import { PROMISES } from './promises.ts';
import { policyPaths, settingsPath } from './settings.ts';

const { text, fields, seconds } = CHECKS;

const { isOwn: _, ...entries } = commandInstaller({
  agent: AGENT,
  events: EVENTS,
  file: '.copilot/hooks/fairlead.json',
  timeouts: {},
  perSecond: 1,
  // Where a hook for calls ends with another code than 0, the call does not run.
  failsClosed: true,
  denial: ({ canonical }, why) =>
    canonical === 'permission.request'
      ? { behavior: 'deny', message: why }
      : { permissionDecision: 'deny', permissionDecisionReason: why },
  rules: {
    events: BOTH_SPELLINGS,
    types: {
      command: { needs: [], has: { command: text, bash: text, powershell: text, cwd: text, env: fields } },
      http: { needs: ['url'], has: { url: text, headers: fields } },
      prompt: { needs: ['prompt'], has: { prompt: text } },
    },
    ofAll: { timeout: seconds, timeoutSec: seconds, matcher: text },
    flat: true,
    // It leaves out what it cannot read, and goes on.
    disables: () => 'entry',
  },
  switches: (root) => SWITCHES.filter((name) => isOn(root, name)),
});

/** In a file of hooks it switches that file off; the other one is an administrator's. */
const SWITCHES = ['disableAllHooks', 'allowManagedHooksOnly'];

function isOn(root: JsonContainer | undefined, name: string): boolean {
  const node = memberOf(root, name)?.value;
  return node !== undefined && toValue(node) === true;
}

export const copilotInstaller: Installer = {
  ...entries,
  promises: PROMISES,
  settingsPath,
  reach: (scope) =>
    scope === 'user'
      ? 'all your sessions, in every project'
      : 'sessions in this project, of everybody who has told the agent to trust the folder',
  policyPaths,
};
