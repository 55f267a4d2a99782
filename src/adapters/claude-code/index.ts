import type { Adapter } from '../adapter.ts';
import { CAPABILITIES } from './capabilities.ts';
import { callFrom, PROCESS_NAMES, SIGN_VARIABLES } from './env.ts';
import { EVENTS, TOOL_KINDS } from './names.ts';
import { AGENT, parse } from './parse.ts';
import { peek } from './peek.ts';
import { memoryFile, sessionOfTranscript, transcriptDir, transcriptDirs } from './records.ts';
import { CONTEXT_CAP, render } from './render.ts';
import { TOOL_META } from './server-entry.ts';
import { AGENT_PROGRAM, SETTINGS_FILES, SETTINGS_WORDS } from './settings.ts';
import { readSetup } from './setup.ts';
import { promptsIn } from './transcript.ts';
import { readTranscriptLine, usageIn } from './transcript-line.ts';

export const claudeCode: Adapter = {
  name: AGENT,
  events: EVENTS,
  contextCap: CONTEXT_CAP,
  processNames: PROCESS_NAMES,
  signVariables: SIGN_VARIABLES,
  toolKinds: TOOL_KINDS,
  toolMeta: TOOL_META,
  settingsFiles: SETTINGS_FILES,
  settingsWords: SETTINGS_WORDS,
  program: AGENT_PROGRAM,
  parse,
  render,
  capabilities: (event) => CAPABILITIES[event],
  readEnv: callFrom,
  readSetup,
  promptsIn,
  usageIn,
  readTranscriptLine,
  transcriptDir,
  transcriptDirs,
  sessionOfTranscript,
  memoryFile,
  peek,
};
