import type { Adapter } from '../adapter.ts';
import { setupReader } from '../json-setup.ts';
import { usualEnvironment } from '../usual-environment.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, canonicalName, EVENTS, TOOL_KINDS } from './names.ts';
import { parse, withInput } from './parse.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS, settingsPath, SIGN_VARIABLES } from './settings.ts';
import { replyWriter } from '../write-reply.ts';
import type { Enforce } from '../write-reply.ts';

const deny: Enforce = (_, reason) => ({ top: { decision: 'deny', reason } });

const render = replyWriter({
  events: EVENTS,
  capabilities: CAPABILITIES,
  // The client takes texts of any length.
  cap: 9000,
  enforce: {
    'tool.before': (decision, reason) => {
      if (decision.action !== 'rewrite') return deny(decision, reason);
      return decision.input === undefined ? {} : { own: { tool_input: decision.input } };
    },
    'prompt.submit': deny,
    'turn.stop': deny,
  },
});

export const gemini: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event] ?? SILENT,
  withInput,
  process: { names: ['gemini', 'gemini.exe'], variables: SIGN_VARIABLES },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
  environment: usualEnvironment('GEMINI_PROJECT_DIR', 'GEMINI_SESSION_ID'),
  readSetup: setupReader({ settingsPath, canonicalName, prefix: (server) => `mcp_${server}_` }),
};
