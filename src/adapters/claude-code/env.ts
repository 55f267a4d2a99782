import type { AgentEnvironment, Env, EnvFacts } from '../adapter.ts';

/**
 * Set by the client for what it starts and by nobody's shell profile: its settings variables and what an editor's
 * terminal exports are left out, or a person at a prompt would be taken for the agent.
 */
export const SIGN_VARIABLES: readonly string[] = [
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_PID',
  'CLAUDE_EFFORT',
  'AI_AGENT',
];

const FLAGS: ReadonlyMap<string | undefined, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/** The process keeps its name when Node runs it; Windows adds the extension. */
export const PROCESS_NAMES: readonly string[] = ['claude', 'claude.exe'];

function readEnv(env: Env): EnvFacts {
  const projectDir = env['CLAUDE_PROJECT_DIR'];
  const sessionId = env['CLAUDE_CODE_SESSION_ID'];
  const attended = FLAGS.get(env['CLAUDE_CODE_SESSION_ATTENDED']);
  const agentPid = Number(env['CLAUDE_PID']);
  return {
    ...(Number.isInteger(agentPid) && agentPid > 0 ? { agentPid } : {}),
    ...(projectDir ? { projectDir } : {}),
    ...(sessionId ? { sessionId } : {}),
    ...(attended === undefined ? {} : { attended }),
  };
}

export const ENVIRONMENT: AgentEnvironment = {
  variables: ['CLAUDE_PROJECT_DIR', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_SESSION_ATTENDED', 'CLAUDE_PID'],
  projectDir: 'CLAUDE_PROJECT_DIR',
  session: 'CLAUDE_CODE_SESSION_ID',
  read: readEnv,
};
