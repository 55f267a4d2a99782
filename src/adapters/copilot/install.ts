import { commandInstaller } from '../command-hooks.ts';
import type { Installer, Promises } from '../installer.ts';
import type { JsonContainer } from '../json-edit.ts';
import { memberOf, toValue } from '../json-edit.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, BOTH_SPELLINGS, EVENTS } from './names.ts';
import { policyPaths, settingsPath } from './settings.ts';

const PROMISES: Promises = {
  undo: 'What a command, an edit or a patch would destroy is copied before it runs, and the model is told with the call.',
  failure:
    'Where a rule in force must not be skipped, an entry for tool calls and permission requests denies and says why when Fairlead cannot start or answer in time. The client itself denies a call whose hook is killed or ends with an error, and lets it run where a hook is late: so the entry answers before that. Entries for other events never stop anything. In a shared file entries fail open.',
  gaps: [
    'Hooks of a project (`.github/hooks`) run only in a folder that the person has told the client to trust, or with `--trust-folder`; elsewhere it passes over them without a word. Yours in `~/.copilot/hooks` always run.',
    'Where nobody sits at it (`-p`), it denies what a hook asks about, and tells the model that nobody could be asked. At a terminal it asks, also with `--yolo`.',
    'A permission request also comes where it would ask nobody (`--allow-all-tools`). So an ask is a denial there.',
    'It shows a person nothing of a hook but its questions, and why a prompt was stopped.',
    'A command that fails comes as one that worked; its exit code is read from the output. Calls have no ids.',
    'It does not tell at the end of a turn what its model said: rules that look for words there find none. Of a sub-agent it does.',
    'A sub-agent that another sub-agent started counts as one of that agent, not of the session.',
    'A tool of a server is told as `server-tool`, in one word. Where the name of the tool has a `-` itself, the part before its last one counts to the server.',
    'A file of hooks must not hold comments: the client passes over the whole file. It has settings for one person in one project (`.github/copilot/settings.local.json`), which Fairlead does not use: the scopes are user and project.',
    'In a trusted folder it also runs the hooks of `.claude/settings.json` and `.claude/settings.local.json` of the project, but leaves out their arguments. So the entries that `fairlead init` writes there for Claude Code have `"bash": "true"`, which this client runs instead. Entries of an older installation fail there, and it denies every call: `fairlead init` brings them up to date. It does not read `~/.claude/settings.json`.',
    'The agents of VS Code and of GitHub read `.github/hooks/*.json` as well, by their documentation. Neither was tried. In that file entries fail open.',
    '`fairlead init` does not register the tool server: `copilot mcp add fairlead -- fairlead mcp` does. Its transcripts and its memory are not read.',
  ],
};

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
