import type { Adapter } from '../adapter.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, EVENTS, TOOL_KINDS } from './names.ts';
import { marks, parse } from './parse.ts';
import { render } from './render.ts';
import { readSetup } from './setup.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS } from './settings.ts';

/** Its children carry no sign of it: it is told by its name alone. */
export const kimi: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event] ?? SILENT,
  process: { names: ['kimi', 'kimi-code', 'kimi.exe'], variables: [] },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
  tellsDirAtStart: true,
  marks,
  readSetup,
};
