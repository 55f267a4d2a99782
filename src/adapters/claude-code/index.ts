import type { Adapter } from '../adapter.ts';
import { HOOK_RUNNER } from './adopt-run.ts';
import { CAPABILITIES } from './capabilities.ts';
import { ENVIRONMENT, PROCESS_NAMES, SIGN_VARIABLES } from './env.ts';
import { EVENTS, TOOL_KINDS, ownName } from './names.ts';
import { AGENT, parse, withInput } from './parse.ts';
import { peek } from './peek.ts';
import {
  allTranscripts,
  memoryFile,
  sessionOfTranscript,
  subagentTranscripts,
  transcriptDir,
  transcriptDirs,
} from './records.ts';
import { render } from './render.ts';
import { TOOL_META } from './server-entry.ts';
import { AGENT_PROGRAM, CODE_FILES, SETTINGS_FILES, SETTINGS_WORDS } from './settings.ts';
import { readSetup } from './setup.ts';
import { promptsIn } from './transcript.ts';
import { readTranscriptLine, usageIn } from './transcript-line.ts';
import { recordsIn } from './transcript-records.ts';
import type { ToldCall, ToldEvent } from '../../event/transcript.ts';
import type { Fields } from '../fields.ts';

/** What the client would have sent; what no transcript tells, such as how long a call took, is absent. */
function payloadOf(told: ToldEvent): Fields {
  const { name, session, transcript, cwd, promptId, mode, subagent, batch } = told;
  return {
    hook_event_name: ownName(name),
    session_id: session,
    transcript_path: transcript,
    cwd,
    ...(promptId === undefined ? {} : { prompt_id: promptId }),
    ...(mode === undefined ? {} : { permission_mode: mode }),
    ...(subagent === undefined ? {} : { agent_id: subagent.id, agent_type: subagent.type }),
    ...(told.call && callFields(told.call)),
    ...(batch && { tool_calls: batch.map(callFields) }),
    ...ownFields(told),
  };
}

function callFields({ name, id, input, output, error }: ToldCall): Fields {
  return {
    tool_name: name,
    tool_input: input,
    ...(id === undefined ? {} : { tool_use_id: id }),
    ...(output === undefined ? {} : { tool_response: output }),
    ...(error === undefined ? {} : { error }),
  };
}

function ownFields({ name, prompt, reason = '', lastMessage = '' }: ToldEvent): Fields {
  switch (name) {
    case 'prompt.submit':
      return { prompt: prompt?.text ?? '', ...(prompt?.origin === 'system' ? { source: 'system' } : {}) };
    case 'session.start':
      return { source: reason };
    case 'session.end':
      return { reason };
    case 'compact.before':
    case 'compact.after':
      return { trigger: reason };
    case 'turn.stop':
    case 'subagent.stop':
      return { stop_hook_active: false, last_assistant_message: lastMessage, background_tasks: [] };
    default:
      return {};
  }
}

export const claudeCode: Adapter = {
  name: AGENT,
  events: EVENTS,
  toolKinds: TOOL_KINDS,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event],
  withInput,
  process: { names: PROCESS_NAMES, variables: SIGN_VARIABLES },
  program: AGENT_PROGRAM,
  settings: { files: SETTINGS_FILES, code: CODE_FILES, words: SETTINGS_WORDS },
  environment: ENVIRONMENT,
  peek,
  transcripts: {
    sessionOf: sessionOfTranscript,
    reader: () => recordsIn,
    payloadOf,
    all: allTranscripts,
    subagentsOf: subagentTranscripts,
  },
  projectTranscripts: {
    sessionOf: sessionOfTranscript,
    dir: transcriptDir,
    dirs: transcriptDirs,
    readLine: readTranscriptLine,
    promptsIn,
    usageIn,
  },
  memoryFile,
  readSetup,
  hookRunner: HOOK_RUNNER,
  toolMeta: TOOL_META,
};
