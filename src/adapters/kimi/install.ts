import type { Installer, Promises } from '../installer.ts';
import { tomlInstaller } from '../toml-hooks.ts';
import { CHECKS } from '../validate-hooks.ts';
import { AGENT, EVENTS, OTHER_EVENTS } from './names.ts';
import { settingsPath } from './settings.ts';

const PROMISES: Promises = {
  undo: 'What a call would destroy is copied before it runs. The model is told at the next prompt, since it reads nothing earlier.',
  failure:
    'The client goes on when a hook is late or ends with anything but 2. So an entry for tool calls ends with 2 and says why where Fairlead cannot start, if a rule in force must not be skipped: that stops the call. Where the engine does not answer in time, the entry denies. Where one entry in the file is wrong, also one of somebody else, the client leaves all hooks out and says so in its log alone: `fairlead init` and `fairlead doctor` tell.',
  gaps: [
    'It reads what hooks say on three events: at a prompt, where the person sees it too; before a call, where only a denial counts; at the end of a turn, where a reason to go on counts once. All other advice waits for the next prompt of the session, so a run of a single prompt never hears it.',
    'A hook cannot ask: the call would run. An ask is a denial with the way out for a person. Where the client asks by itself, no hook can answer. It takes no new input for a call.',
    'It does not tell sub-agents apart: their calls and their ends count as those of the session.',
    'It does not say what the model said at the end of a turn. Rules about its words do not speak there.',
    'It does not wait for hooks after a call, and ends them when the turn ends: that of the last call may be lost. They get the first 2,000 signs of what a tool returned.',
    '`kimi -p` does not tell that a session ends.',
    '`kimi acp` and `kimi web` tell of calls as if they ran where the program was started. Fairlead takes the directory that the session told at its start; a forked one tells none.',
    'It has one file of settings for hooks, that of the person: the scope is user. Comments in it stay. The guard stops the agent from changing that file while Fairlead is in it, whatever the change is about.',
    '`fairlead init` does not register the tool server: `/mcp-config` in the client does, with the command `fairlead mcp`. Its transcripts and its memory are not read.',
  ],
};

const { text, word } = CHECKS;

export const kimiInstaller: Installer = {
  ...tomlInstaller({
    agent: AGENT,
    events: EVENTS,
    file: '~/.kimi-code/config.toml',
    timeouts: {},
    list: 'hooks',
    checks: {
      event: word(...EVENTS.map(({ name }) => name), ...OTHER_EVENTS),
      command: (value) => (typeof value === 'string' && value !== '' ? undefined : 'must be a text'),
      matcher: text,
      timeout: (value) =>
        typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 600
          ? undefined
          : 'must be a whole number of seconds from 1 to 600',
    },
  }),
  promises: PROMISES,
  settingsPath,
  reach: () => 'all your sessions, in every project',
  policyPaths: () => [],
};
