import type { Adapter } from '../adapter.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, EVENTS, TOOL_KINDS } from './names.ts';
import { marks, parse, withInput } from './parse.ts';
import { render } from './render.ts';
import { readSetup } from './setup.ts';
import { TRANSCRIPTS } from './transcript-files.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS, SIGN_VARIABLES } from './settings.ts';

export const codex: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event] ?? SILENT,
  withInput,
  marks,
  readSetup,
  transcripts: TRANSCRIPTS,
  process: { names: ['codex', 'codex.exe'], variables: SIGN_VARIABLES },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
};
