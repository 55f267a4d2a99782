import { comesAs } from '../adapter.ts';
import type { AgentEvent } from '../adapter.ts';
import { isFields } from '../fields.ts';
import { FORWARDED } from '../forwarded.ts';
import { areHookWords, hookArgs, stopsOnFailure, timeoutOf } from '../hook-words.ts';
import type { Addition, Delivery, Installer, OwnEntry, SettingsReport } from '../installer.ts';
import { AGENT, EVENTS } from './names.ts';
import { readPlugin, writePlugin } from './plugin-file.ts';
import { PROMISES } from './promises.ts';
import { settingsPath } from './settings.ts';

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
