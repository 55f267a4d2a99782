import type { AgentEnvironment } from './adapter.ts';

/** Of an agent that names the project and the session to its hooks, and nothing else. */
export function usualEnvironment(projectDir: string, session: string): AgentEnvironment {
  return {
    variables: [projectDir, session],
    projectDir,
    session,
    read: (env) => ({
      ...(env[projectDir] ? { projectDir: env[projectDir] } : {}),
      ...(env[session] ? { sessionId: env[session] } : {}),
    }),
  };
}
