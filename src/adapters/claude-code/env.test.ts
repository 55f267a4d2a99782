import { describe, expect, it } from 'vitest';
import { recordedEnvironments } from '../../../test/fixtures/claude-code.ts';
import { ENVIRONMENT, SIGN_VARIABLES } from './env.ts';

const signsIn = (env: Readonly<Record<string, string>>) => SIGN_VARIABLES.filter((name) => env[name]);

const environments = Object.entries(recordedEnvironments());

describe('the environment of a hook', () => {
  it.each(environments)('%s tells project, session and attendance, and shows the agent', (_, env) => {
    expect(ENVIRONMENT.read(env)).toEqual({
      projectDir: '/home/dev/project',
      sessionId: env['CLAUDE_CODE_SESSION_ID'],
      attended: false,
      agentPid: Number(env['CLAUDE_PID']),
    });
    expect(signsIn(env)).toEqual(
      expect.arrayContaining(['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_PID', 'AI_AGENT']),
    );
  });

  it.each([
    [{}, {}],
    [{ CLAUDE_CODE_SESSION_ATTENDED: '1' }, { attended: true }],
    [{ CLAUDE_CODE_SESSION_ATTENDED: 'maybe', CLAUDE_PROJECT_DIR: '', CLAUDE_CODE_SESSION_ID: '' }, {}],
  ])('%j', (env, expected) => {
    expect(ENVIRONMENT.read(env)).toEqual(expected);
  });
});

it.each([
  [{ PATH: '/bin', HOME: '/home/dev' }, []],
  [{ CLAUDE_CODE_MAX_RETRIES: '3', CLAUDE_CODE_SSE_PORT: '1', ANTHROPIC_API_KEY: 'k', CLAUDECODE: '' }, []],
  [{ CLAUDECODE: '1' }, ['CLAUDECODE']],
  [{ AI_AGENT: 'another-agent_1' }, ['AI_AGENT']],
])('signs of the agent in %j', (env, expected) => {
  expect(signsIn(env)).toEqual(expected);
});
