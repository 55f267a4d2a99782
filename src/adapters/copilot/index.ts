import type { Adapter } from '../adapter.ts';
import { usualEnvironment } from '../usual-environment.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, EVENTS, TOOL_KINDS } from './names.ts';
import { marks, parse, withInput } from './parse.ts';
import { render } from './render.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS, SIGN_VARIABLES } from './settings.ts';
import { readSetup } from './setup.ts';

export const copilot: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event] ?? SILENT,
  withInput,
  marks,
  process: { names: ['copilot', 'copilot.exe'], variables: SIGN_VARIABLES },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
  // The session is told to the commands that its model runs; hooks find it in their payload.
  environment: usualEnvironment('COPILOT_PROJECT_DIR', 'COPILOT_AGENT_SESSION_ID'),
  readSetup,
};
