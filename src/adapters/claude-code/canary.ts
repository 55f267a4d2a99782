import type { AgentEvent } from '../adapter.ts';
import type { Canaries, CanaryPlace } from '../installer.ts';
import { join } from '../../platform/paths.ts';

const AGENT_ID = 'acanary0000000000';
const TOOL_ID = 'toolu_canary';
const PROMPT_ID = '00000000-0000-4000-8000-000000000000';

/** Its name says to rules, and to people who see it, that nothing is meant; nobody makes such a file. */
const fileIn = ({ cwd }: CanaryPlace): string => join(cwd, 'fairlead-canary.txt');

type Own = (place: CanaryPlace) => object;

const call: Own = (place) => ({ tool_name: 'Read', tool_input: { file_path: fileIn(place) }, tool_use_id: TOOL_ID });

const task: Own = () => ({ task_id: '1', task_subject: 'canary', task_description: 'canary' });
const stops: Own = () => ({
  stop_hook_active: false,
  last_assistant_message: 'canary',
  background_tasks: [],
  session_crons: [],
});
const switches: Own = () => ({
  from_model: 'canary',
  to_model: 'canary',
  requested_model: 'canary',
  source: 'sdk',
  context_tokens: 0,
  prompt_cache_warm: false,
  cache_ttl: '5m',
  estimated_cache_write_usd: 0,
  pricing: null,
});

/** The fields of each event beside the common ones, as client 2.1.325 was recorded to send them. */
const OWN: Readonly<Record<string, Own>> = {
  SessionStart: () => ({ source: 'startup' }),
  Setup: () => ({ trigger: 'init' }),
  SessionEnd: () => ({ reason: 'other' }),
  UserPromptSubmit: () => ({ prompt: 'canary' }),
  UserPromptExpansion: () => ({
    expansion_type: 'slash_command',
    command_name: 'canary',
    command_args: '',
    command_source: 'projectSettings',
    prompt: '/canary',
  }),
  PreToolUse: call,
  PostToolUse: (place) => ({
    ...call(place),
    tool_response: {
      type: 'text',
      file: { filePath: fileIn(place), content: 'canary\n', numLines: 1, startLine: 1, totalLines: 1 },
    },
    duration_ms: 1,
  }),
  PostToolUseFailure: (place) => ({ ...call(place), error: 'canary', is_interrupt: false, duration_ms: 1 }),
  PostToolBatch: (place) => ({ tool_calls: [{ ...call(place), tool_response: 'canary' }] }),
  PermissionRequest: (place) => {
    const { tool_use_id: _, ...asked } = call(place) as Readonly<Record<string, unknown>>;
    return { ...asked, permission_suggestions: [] };
  },
  PermissionDenied: (place) => ({ ...call(place), reason: 'canary' }),
  Stop: stops,
  StopFailure: () => ({ error: 'rate_limit', last_assistant_message: 'canary' }),
  SubagentStart: () => ({ agent_id: AGENT_ID, agent_type: 'general-purpose' }),
  SubagentStop: (place) => ({
    ...stops(place),
    agent_id: AGENT_ID,
    agent_type: 'general-purpose',
    agent_transcript_path: place.transcript,
  }),
  TeammateIdle: () => ({ teammate_name: 'canary', team_name: 'canary' }),
  TaskCreated: task,
  TaskCompleted: task,
  PreCompact: () => ({ trigger: 'manual', custom_instructions: 'canary' }),
  PostCompact: () => ({ trigger: 'manual', compact_summary: 'canary' }),
  PreModelSwitch: switches,
  PostModelSwitch: switches,
  Notification: () => ({ message: 'canary', notification_type: 'idle_prompt' }),
  Elicitation: () => ({ mcp_server_name: 'canary', message: 'canary', mode: 'form', requested_schema: {} }),
  ElicitationResult: () => ({ mcp_server_name: 'canary', mode: 'form', action: 'cancel' }),
  ConfigChange: () => ({ source: 'skills' }),
  InstructionsLoaded: (place) => ({ file_path: fileIn(place), memory_type: 'Project', load_reason: 'session_start' }),
  WorktreeRemove: ({ cwd }) => ({ worktree_path: cwd }),
  CwdChanged: ({ cwd }) => ({ old_cwd: cwd, new_cwd: cwd }),
  FileChanged: (place) => ({ file_path: fileIn(place), event: 'change' }),
  DirectoryAdded: ({ cwd }) => ({ directory: cwd, source: 'slash_command' }),
  MessageDisplay: () => ({ turn_id: PROMPT_ID, message_id: PROMPT_ID, index: 0, final: true, delta: 'canary' }),
};

function payload({ name }: AgentEvent, place: CanaryPlace): object | undefined {
  const own = OWN[name];
  if (!own) return undefined;
  return {
    session_id: place.session,
    transcript_path: place.transcript,
    cwd: place.cwd,
    ...(/^(?:SessionStart|Setup|DirectoryAdded)/.test(name) ? {} : { prompt_id: PROMPT_ID }),
    ...(/^(?:Pre|Post)Tool|^Permission|^UserPrompt|Stop$/.test(name) ? { permission_mode: 'default' } : {}),
    hook_event_name: name,
    ...own(place),
  };
}

export const CANARIES: Canaries = {
  payload,
  environment: ({ session, cwd }) => ({
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: cwd,
    CLAUDE_CODE_SESSION_ID: session,
    CLAUDE_CODE_SESSION_ATTENDED: '0',
  }),
  // `sh -c` whatever the person's own shell is.
  shell: ['/bin/sh', '-c'],
};
