/**
 * The variables of a hook's environment that go to the engine, for all agents, and ours. Nothing else does: an
 * environment also holds keys. The native client has the same list.
 */
export const FORWARDED: readonly string[] = [
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_PID',
  'CLAUDE_ENV_FILE',
  'FAIRLEAD_DISABLED',
  'FAIRLEAD_DEPTH',
  'SPECWEAVE_DISABLE_HOOKS',
];
