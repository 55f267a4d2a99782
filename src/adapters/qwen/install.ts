import { commandInstaller } from '../command-hooks.ts';
import { isFields } from '../fields.ts';
import type { Installer, Promises } from '../installer.ts';
import type { JsonContainer } from '../json-edit.ts';
import { toValue } from '../json-edit.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, EVENTS } from './names.ts';
import { policyPaths, settingsPath } from './settings.ts';

const PROMISES: Promises = {
  undo: 'What a call would destroy is copied before it runs. The model is told after the call, since it reads nothing before it.',
  failure:
    'The client goes on when a hook is late or fails. So an entry for tool calls ends with 2 and says why where Fairlead cannot start, if a rule in force must not be skipped: that stops the call. Where the engine does not answer in time, the entry denies; after three denials in a session it asks. In a shared file entries fail open.',
  gaps: [
    'An ask is the dialog of the client, also in its mode `yolo`. Where nobody can answer it is a denial with its reason: without a terminal (`-p`), in editors, and in sub-agents in the background. Nothing tells a hook which it is.',
    'Of several hooks the client takes the last decision about a call. A denial of Fairlead holds against an allow of another hook; an ask of another makes it a question, and an ask of Fairlead beside an allow is a denial. Where Fairlead cannot start, an allow of another hook wins.',
    'It runs no hook with `--bare`, `--safe-mode`, `disableAllHooks` or `tools.executionSandbox`. `doctor` names the last two. In a folder that is not trusted it runs those of the person, and none of the project.',
    'The model reads nothing that comes with a call that runs, and no input can be changed. Advice for it comes with the result of the call.',
    'It tells of a prompt before every request to the model. Only what a person has typed counts as one.',
    'Messages to the person are shown at the end of a turn alone. Of a call that is stopped the reason is shown. A sub-agent is told nothing when it starts.',
    'A run without a terminal has no end of a session, and tells nothing of a turn that an error of the service ends.',
    'It has no settings for one person in one project: the scopes are user and project. Comments in them stay.',
    '`fairlead init` does not register the tool server: `qwen mcp add fairlead fairlead mcp` does. Its transcripts and its memory are not read.',
  ],
};

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
