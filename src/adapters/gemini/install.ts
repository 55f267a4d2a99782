import { commandInstaller } from '../command-hooks.ts';
import { isFields } from '../fields.ts';
import type { Installer, Promises } from '../installer.ts';
import type { JsonContainer } from '../json-edit.ts';
import { memberOf, toValue } from '../json-edit.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, EVENTS } from './names.ts';
import { policyPaths, settingsPath } from './settings.ts';

const PROMISES: Promises = {
  undo: 'What a call would destroy is copied before it runs. The model is told after the call, since it reads nothing before it.',
  failure:
    'The client goes on when a hook is late or ends with 1. So an entry for tool calls ends with 2 and says why where Fairlead cannot start, if a rule in force must not be skipped: that stops the call. Where the engine does not answer in time, the entry denies. Entries for other events never stop anything. In a shared file entries fail open.',
  gaps: [
    'It runs no hook in a folder that is not trusted, not even one of yours. Without a terminal it does not start there.',
    'A hook can ask only where somebody sits at the client: without a terminal an ask ends the run, with exit code 0 and without a word. Nothing tells a hook which it is, so an ask is a denial with the way out for a person.',
    'The model reads nothing that comes with a call that runs. Advice for it comes with the result of the call.',
    'It tells of no sub-agent: their calls count as those of the session. It gives calls no ids, and tells the exit code of a command only in its output.',
    'It decodes names of files, takes an `@` off before them, and looks for a file that `replace` names without its directory. Rules see each spelling that is in the call, but not where such a file is found.',
    'It says that it will shorten the conversation before every request, also where it does not. So nobody listens to that.',
    'It has no settings for one person in one project: the scopes are user and project. Comments in them stay.',
    '`fairlead init` does not register the tool server: `gemini mcp add fairlead fairlead mcp` does. Its transcripts and its memory are not read.',
  ],
};

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
