import type { Adapter } from '../adapter.ts';
import { setupReader } from '../json-setup.ts';
import { usualEnvironment } from '../usual-environment.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, canonicalName, EVENTS, TOOL_KINDS } from './names.ts';
import { marks, parse } from './parse.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS, settingsPath, SIGN_VARIABLES } from './settings.ts';
import { replyWriter } from '../write-reply.ts';
import type { Enforce } from '../write-reply.ts';

const block: Enforce = (_, reason) => ({ top: { decision: 'block', reason } });

const render = replyWriter({
  events: EVENTS,
  capabilities: CAPABILITIES,
  // The client takes texts of any length on most events.
  cap: 9000,
  enforce: {
    // Of several hooks the last one has the decision, so that an allow of another would undo it. Not to go on holds whatever
    // others say, and is the end of this call alone.
    'tool.before': ({ action }, reason) => ({
      top: { continue: false, stopReason: reason },
      own: { permissionDecision: action === 'ask' ? 'ask' : 'deny', permissionDecisionReason: reason },
    }),
    'permission.request': ({ action }, reason) => {
      if (action === 'ask') return {};
      const message = action === 'deny' ? reason : undefined;
      return { own: { decision: { behavior: action, message } } };
    },
    'prompt.submit': block,
    'prompt.expand': block,
    'turn.stop': block,
    'subagent.stop': block,
  },
});

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
