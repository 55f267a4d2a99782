import { commandInstaller } from '../command-hooks.ts';
import type { Installer, Promises } from '../installer.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, EVENTS } from './names.ts';
import { pluginHooks } from './plugins.ts';
import { settingsPath } from './settings.ts';
import { trustSettings } from './trust.ts';

const PROMISES: Promises = {
  undo: 'What a command or a patch would destroy is copied before it runs; a patch inside a shell command counts too. The model is told with the call.',
  failure:
    'The client goes on when a hook fails. So an entry for tool calls ends with 2 and says why where Fairlead cannot start, if a rule in force must not be skipped: that stops the call. Where the engine does not answer in time, the entry denies. No session is named to it then, so nobody is asked after three denials. In a shared file entries fail open.',
  gaps: [
    'It runs no hook that a person has not agreed to, and says nothing of that. `fairlead init` and `fairlead doctor` do.',
    'A hook cannot ask: the call would run. An ask is a denial with the way out for a person. Where the client asks by itself, it still asks.',
    'A call that fails, a patch that does not apply and a patch inside a shell command have no event after them. Nobody is told the exit code of a command.',
    'Its own tool for plans reaches no hook. Whether input that is typed into a running command does was not tried.',
    'There is no text to the model at the end of a turn but a reason to go on. Advice for then waits for the next event.',
    'Messages to the person go to the program that shows the session, as warnings of the hook. `codex exec` prints none of them.',
    'It has no settings for one person in one project: the scopes are user and project.',
    '`fairlead init` does not register the tool server: `codex mcp add fairlead -- fairlead mcp` does. Its memory is not read, and of its transcripts there is no journal and no count of tokens.',
  ],
};

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
