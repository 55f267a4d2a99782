import { commandInstaller } from '../command-hooks.ts';
import { isFields } from '../fields.ts';
import type { Installer } from '../installer.ts';
import type { JsonContainer } from '../json-edit.ts';
import { memberOf, toValue } from '../json-edit.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, EVENTS } from './names.ts';
import { PROMISES } from './promises.ts';
import { policyPaths, settingsPath } from './settings.ts';

const { text, fields, milliseconds } = CHECKS;

const { isOwn: _, ...entries } = commandInstaller({
  agent: AGENT,
  events: EVENTS,
  file: '.gemini/settings.json',
  timeouts: {},
  perSecond: 1_000,
  // A program that is not found ends with 127, which is neither 0 nor 1.
  failsClosed: true,
  rules: {
    events: EVENTS.map(({ name }) => name),
    types: { command: { needs: ['command'], has: { command: text, env: fields } } },
    ofAll: { timeout: milliseconds, name: text, description: text },
    comments: true,
    // It leaves out what it cannot read, and goes on.
    disables: () => 'entry',
  },
  switches,
});

/** One for all hooks, and a list of the lines or names of those that are left out. */
function switches(root: JsonContainer | undefined): readonly string[] {
  const node = memberOf(root, 'hooksConfig')?.value;
  const config = node === undefined ? undefined : toValue(node);
  if (!isFields(config)) return [];
  const disabled = Array.isArray(config['disabled']) ? (config['disabled'] as readonly unknown[]) : [];
  const ours = disabled.some((each) => typeof each === 'string' && /fairlead\S*'?\s+hook\s/.test(each));
  return [...(config['enabled'] === false ? ['hooksConfig.enabled'] : []), ...(ours ? ['hooksConfig.disabled'] : [])];
}

/** It runs no hooks at all, not even those of the person, in a folder that is not trusted. */
const REACH = 'in folders that you have told the agent to trust';

export const geminiInstaller: Installer = {
  ...entries,
  promises: PROMISES,
  settingsPath,
  reach: (scope) => (scope === 'user' ? `all your sessions, ${REACH}` : `sessions in this project, ${REACH}`),
  policyPaths,
};
