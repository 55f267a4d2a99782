import type { Adapter } from '../adapter.ts';
import { setupReader } from '../json-setup.ts';
import { usualEnvironment } from '../usual-environment.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, canonicalName, EVENTS, TOOL_KINDS } from './names.ts';
import { marks, parse } from './parse.ts';
import { render } from './render.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS, settingsPath, SIGN_VARIABLES } from './settings.ts';

export const qwen: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event] ?? SILENT,
  marks,
  process: { names: ['qwen', 'qwen.exe'], variables: SIGN_VARIABLES },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
  environment: usualEnvironment('QWEN_PROJECT_DIR', 'QWEN_CODE_SESSION_ID'),
  readSetup: setupReader({ settingsPath, canonicalName, prefix: (server) => `mcp__${server}__` }),
};
