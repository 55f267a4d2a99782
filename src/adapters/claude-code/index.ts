import type { Adapter } from '../adapter.ts';
import { HOOK_RUNNER } from './adopt-run.ts';
import { CAPABILITIES } from './capabilities.ts';
import { ENVIRONMENT, PROCESS_NAMES, SIGN_VARIABLES } from './env.ts';
import { EVENTS, TOOL_KINDS } from './names.ts';
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
import { payloadOf } from './told-payload.ts';
import { promptsIn } from './transcript.ts';
import { readTranscriptLine, usageIn } from './transcript-line.ts';
import { recordsIn } from './transcript-records.ts';

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
