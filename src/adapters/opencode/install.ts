import { comesAs } from '../adapter.ts';
import type { AgentEvent } from '../adapter.ts';
import { isFields } from '../fields.ts';
import { FORWARDED } from '../forwarded.ts';
import { areHookWords, hookArgs, stopsOnFailure, timeoutOf } from '../hook-words.ts';
import type { Addition, Delivery, Installer, OwnEntry, SettingsReport, Promises } from '../installer.ts';
import { AGENT, EVENTS } from './names.ts';
import { readPlugin, writePlugin } from './plugin-file.ts';
import { settingsPath } from './settings.ts';

const PROMISES: Promises = {
  undo: 'What a call would destroy is copied before it runs. The model is told with the result of the call, since it reads nothing before it.',
  failure:
    'The plugin asks the engine over its socket. Without one it starts what hooks of other agents start, which decides by itself. If that cannot start or answer either, and a rule in force must not be skipped, the plugin stops the tool call and says why. On other events it goes on. In a shared file it always goes on.',
  gaps: [
    'It has no hooks that start programs. `fairlead init` writes one file, `fairlead.js`, into its folder of plugins, for a person (user) or a project. A plugin of somebody else by that name stays, and `init` refuses.',
    'A plugin cannot have it ask a person. So an ask is a denial with the way out for a person. Its own questions come after the rules.',
    'The model reads nothing that comes with a call that runs. Advice for it comes with the result, after a call that failed with the next result or prompt. Advice at the start of a session comes with its first prompt.',
    '`opencode run` ends with the turn, whatever a plugin says: there no rule holds a turn back. In the terminal interface and over the server the reason comes as the next prompt.',
    'What is for the person alone is shown as a message of the terminal interface. `opencode run` does not show it.',
    'Plugins run one after the other. One that is loaded later, as one of the project, may change a call after the rules have seen it.',
    '`--pure` and `OPENCODE_PURE` leave all plugins out. Commands that a person runs with `!` reach no rule.',
    'With any plugin the client waits at its start until it has tried to install a package of its own, `@opencode-ai/plugin`.',
    'A tool of a server is told by the names of the servers in its settings; one that is added while it runs counts as a tool that nobody knows. In its experimental code mode it tells nothing of the tools of servers.',
    '`fairlead init` does not register the tool server: `opencode mcp add` does. Its records and its memory are not read.',
  ],
};

const entryFor = (event: AgentEvent, { launch, failsClosed }: Delivery) => ({
  blocks: failsClosed !== undefined && stopsOnFailure(event, failsClosed),
  words: [launch.command, ...hookArgs(launch, AGENT, event, timeoutOf(event, {}))],
});

function read(text: string): SettingsReport {
  const file = readPlugin(text);
  const entries = Object.entries(file?.events ?? {});
  const own = entries.flatMap(([event, entry]): OwnEntry[] => {
    const words: unknown = isFields(entry) ? entry['words'] : undefined;
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return [];
    if (!areHookWords(words, AGENT)) return [];
    return [{ event, path: event, words, blocks: isFields(entry) && entry['blocks'] === true }];
  });
  // No version writes an entry that starts something else.
  const differs = own.length < entries.length ? 'changed' : file?.differs;
  const foreign = file === undefined ? 1 : 0;
  return { problems: [], own, foreign, others: [], switches: [], ...(differs && { differs }) };
}

function add(text: string, delivery: Delivery): Addition {
  if (text.trim() !== '' && readPlugin(text) === undefined) return { refusal: 'it is a plugin of somebody else' };
  const { hears = () => true } = delivery;
  const heard = EVENTS.filter((event) => comesAs(event).some(hears));
  const events = Object.fromEntries(heard.map((event) => [event.name, entryFor(event, delivery)]));
  const now = writePlugin({ variables: FORWARDED, events });
  return { edits: now === text ? [] : [{ at: 0, removed: text, inserted: now }], kept: {} };
}

export const opencodeInstaller: Installer = {
  agent: AGENT,
  wired: EVENTS,
  ownsFile: true,
  promises: PROMISES,
  settingsPath,
  reach: (scope) => (scope === 'user' ? 'all your sessions' : 'sessions in this project'),
  policyPaths: () => [],
  read,
  mustBlock: (event, failsClosed) => EVENTS.some((known) => known.name === event && stopsOnFailure(known, failsClosed)),
  add,
  remove: (text) => (readPlugin(text) === undefined ? [] : [{ at: 0, removed: text, inserted: '' }]),
};
