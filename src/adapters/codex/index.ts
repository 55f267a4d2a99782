import type { Adapter } from '../adapter.ts';
import { SILENT } from '../usual-reach.ts';
import { CAPABILITIES } from './capabilities.ts';
import { AGENT, EVENTS, TOOL_KINDS } from './names.ts';
import { marks, parse, withInput } from './parse.ts';
import { readSetup } from './setup.ts';
import { TRANSCRIPTS } from './transcript-files.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS, SIGN_VARIABLES } from './settings.ts';
import { replyWriter } from '../write-reply.ts';
import type { Enforce } from '../write-reply.ts';

const block: Enforce = (_, reason) => ({ top: { decision: 'block', reason } });

/** A field that the client does not know makes it drop the whole reply. */
const render = replyWriter({
  events: EVENTS,
  capabilities: CAPABILITIES,
  // The client puts more than 2,500 tokens into a file and hands over its name.
  cap: 9000,
  enforce: {
    'tool.before': ({ action, input }, reason) => {
      if (action !== 'rewrite') return { own: { permissionDecision: 'deny', permissionDecisionReason: reason } };
      return input === undefined ? {} : { own: { permissionDecision: 'allow', updatedInput: input } };
    },
    'permission.request': ({ action }, reason) => {
      if (action === 'ask') return {};
      const message = action === 'deny' ? reason : undefined;
      return { own: { decision: { behavior: action, message } } };
    },
    'prompt.submit': block,
    'turn.stop': block,
    'subagent.stop': block,
  },
});

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
